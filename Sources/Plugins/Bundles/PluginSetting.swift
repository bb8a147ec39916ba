package import Circulation
package import LuaRuntime
import Scripting
package import TextFormats

/// A setting that a plugin declares: `hook = { type = "url", help = "..." }`.
package struct PluginSetting: Hashable, Sendable {
    /// What its value is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case text, integer, number, boolean, date, money, url
        /// A text that is never shown.
        case secret
    }

    package var name: String
    package var kind: Kind
    /// The value where none was set; nil: one has to be set.
    package var standard: JSON?
    package var least: Double?
    package var most: Double?
    /// Of a text, those that it may be; none: any.
    package var values: [String] = []
    package var isRequired: Bool
    package var help: String
    /// Whether a secret signs the requests of the plugin.
    package var signs = false

    package init(
        name: String, kind: Kind, standard: JSON? = nil, least: Double? = nil, most: Double? = nil,
        isRequired: Bool = true, help: String = ""
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.least = least
        self.most = most
        self.isRequired = isRequired
        self.help = help
    }

    /// The value of a text, as a command gives it.
    ///
    /// - Throws: ``PluginSettingError``.
    package func value(of text: String) throws(PluginSettingError) -> JSON {
        let value: JSON? =
            switch kind {
            case .text, .secret, .url, .date, .money: .string(text)
            case .integer: Int64(text).map { .integer($0) }
            case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
            case .boolean: ["true": .bool(true), "false": .bool(false)][text]
            }
        guard let value else {
            throw PluginSettingError(name, "'\(name)' is \(expected), not '\(SafeText.line(text))'")
        }
        try check(value)
        return value
    }

    /// - Throws: ``PluginSettingError`` where a value is of another type, or out of its bounds.
    package func check(_ value: JSON) throws(PluginSettingError) {
        let shown = kind == .secret ? "what was given" : SafeText.line(value.text())
        let number: Double?
        switch (kind, value) {
        case (.text, .string(let text)) where values.isEmpty || values.contains(text): number = nil
        case (.secret, .string), (.boolean, .bool): number = nil
        case (.date, .string), (.money, .string):
            guard luaValue(value, .eur) != nil else {
                throw PluginSettingError(name, "'\(name)' is \(expected), not \(shown)")
            }
            number = nil
        case (.url, .string(let text)):
            guard let address = try? WebAddress(text), address.scheme == "https" || address.isLoopback else {
                throw PluginSettingError(name, "'\(name)' is \(expected), not \(shown)")
            }
            number = nil
        case (.integer, .integer(let whole)): number = Double(whole)
        case (.number, .integer(let whole)): number = Double(whole)
        case (.number, .number(let it)): number = it
        default: throw PluginSettingError(name, "'\(name)' is \(expected), not \(shown)")
        }
        guard let number else { return }
        if let least, number < least {
            throw PluginSettingError(name, "'\(name)' is at least \(least.plain), not \(shown)")
        }
        if let most, number > most {
            throw PluginSettingError(name, "'\(name)' is at most \(most.plain), not \(shown)")
        }
    }

    /// The value as a plugin reads it: a date as one, an amount in the library's currency; nil for what is none.
    fileprivate func luaValue(_ value: JSON, _ currency: Currency) -> LuaValue? {
        switch (kind, value) {
        case (.date, .string(let text)): (try? CivilDate(parsing: text)).map { LuaValue($0) }
        case (.money, .string(let text)): (try? Money(parsing: text, currency: currency)).map { LuaValue($0) }
        default: .json(value)
        }
    }

    private var expected: String {
        switch kind {
        case .text, .secret: values.isEmpty ? "a text" : "one of \(values.joined(separator: ", "))"
        case .date: "a date such as 2026-12-24"
        case .money: "an amount such as 5.00"
        case .url: "an address such as https://example.org/hook (http:// on this machine alone)"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }
}

/// Why a setting cannot be so.
package struct PluginSettingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting.
    package let setting: String
    /// Whether a value has to be given, and none is.
    package let isMissing: Bool
    package let message: String
    package var description: String { message }

    init(_ setting: String, _ message: String, isMissing: Bool = false) {
        self.setting = setting
        self.isMissing = isMissing
        self.message = message
    }
}

extension [PluginSetting] {
    /// The values that a plugin will see: what is set, changed by what is given, with the standards of the rest.
    ///
    /// - Parameters:
    ///   - kept: what was set before; what is no setting of this version any more, or is wrong for it, falls away.
    ///   - given: texts by their names; an empty text takes a value away.
    /// - Throws: ``PluginSettingError`` for a name that there is not, a wrong value, and one that is missing.
    package func values(keeping kept: JSONObject, given: [(name: String, text: String)]) throws(PluginSettingError)
        -> JSONObject
    {
        var values = JSONObject()
        for setting in self {
            if let value = kept[setting.name], (try? setting.check(value)) != nil { values[setting.name] = value }
        }
        for (name, text) in given {
            guard let setting = first(where: { $0.name == name }) else {
                let hint = NameSuggestion.nearest(to: name, among: map(\.name)).map { "; did you mean '\($0)'?" }
                throw PluginSettingError(name, "the plugin has no setting '\(SafeText.line(name))'" + (hint ?? ""))
            }
            // A bare nil would be JSON's null, which is a value.
            values[name] = text.isEmpty ? JSON?.none : try setting.value(of: text)
        }
        for setting in self where setting.isRequired && setting.standard == nil && values[setting.name] == nil {
            throw PluginSettingError(
                setting.name, "'\(setting.name)' is not set; give it by --set \(setting.name)=VALUE", isMissing: true)
        }
        return values
    }

    /// The values as `settings` has them.
    package func table(_ values: JSONObject, _ currency: Currency) -> LuaValue {
        let all = complete(values)
        return .table(
            LuaTable(
                fields: compactMap { setting in
                    all[setting.name].flatMap { setting.luaValue($0, currency) }.map { (setting.name, $0) }
                }))
    }

    /// The values with the standards of what is not set.
    package func complete(_ values: JSONObject) -> JSONObject {
        var all = JSONObject()
        for setting in self { all[setting.name] = values[setting.name] ?? setting.standard }
        return all
    }

    /// The values as people and programs may see them: of a secret only whether it is set.
    package func shown(_ values: JSONObject) -> JSONObject {
        var all = JSONObject()
        for setting in self {
            let isSet = values[setting.name] != nil
            all[setting.name] =
                setting.kind == .secret
                ? .string(isSet ? "(set)" : "(not set)") : values[setting.name] ?? setting.standard ?? .null
        }
        return all
    }
}
