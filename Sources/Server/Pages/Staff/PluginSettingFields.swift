import Circulation
import Languages
import Plugins
import Scripting
import TextFormats

/// The settings of a plugin as the fields of a form: each with its value, or the standard where none is set. What is secret is
/// never shown; an empty field leaves it as it is.
struct PluginSettingFields {
    let settings: [PluginSetting]
    /// The values that are set.
    private let kept: JSONObject

    init(settings: [PluginSetting], kept: JSONObject) {
        self.settings = settings
        var values = JSONObject()
        for entry in kept where !entry.value.isNull { values[entry.key] = entry.value }
        self.kept = values
    }

    /// The name of a setting's field.
    private static func name(_ setting: PluginSetting) -> String { "set_\(setting.name)" }
    /// The name of the box by which a secret is taken away.
    private static func removal(_ setting: PluginSetting) -> String { "forget_\(setting.name)" }

    /// - Parameter form: the last part of the path that the form is sent to.
    func inputs(_ call: PageCall, form: String) -> [[String: Any]] {
        PageField.inputs(settings.map(field), call, form: form)
    }

    /// Boxes by which secrets are taken away that are set and need not be.
    func removals(form: String) -> [[String: Any]] {
        settings.filter { $0.kind == .secret && kept[$0.name] != nil && !$0.isNeeded }.map { setting in
            [
                "id": "\(form)-\(Self.removal(setting))", "name": Self.removal(setting),
                "words": say("Forget what “\(PageWords.safe(setting.name))” is set to"),
            ]
        }
    }

    /// The values after a form was sent.
    ///
    /// - Throws: ``Problem`` that names the field of a wrong value.
    func values(sentBy form: PageForm) throws -> JSONObject {
        do {
            return try settings.values(keeping: kept, given: settings.compactMap { given($0, form) })
        } catch {
            let name = "set_\(error.setting)"
            if error.isMissing { throw Problem.input("'\(error.setting)' is required.", argument: name) }
            guard let wanted = settings.first(where: { $0.name == error.setting })?.wanted else {
                throw Problem.input(error.message + ".", argument: name)
            }
            throw Problem.input("'\(error.setting)' must be \(wanted).", argument: name)
        }
    }

    /// What a form says of a setting; nil: it stays as it is.
    private func given(_ setting: PluginSetting, _ form: PageForm) -> (name: String, text: String)? {
        guard let sent = form[Self.name(setting)] else { return nil }
        var text = sent.replacing("\r\n", with: "\n")
        switch setting.kind {
        case .secret where text.isEmpty: return form[Self.removal(setting)] == nil ? nil : (setting.name, "")
        case .secret, .text: break
        case .money, .number: text = text.trimmingSpaces().replacing(",", with: ".")
        case .integer, .boolean, .date, .url: text = text.trimmingSpaces()
        }
        // The standard that was shown stays the standard, also of a version that has another one.
        if kept[setting.name] == nil, text == Self.text(setting.standard) { return nil }
        return (setting.name, text)
    }

    /// A value as a field has it.
    private static func text(_ value: JSON?) -> String { value.map { $0.stringValue ?? $0.text() } ?? "" }

    private func field(_ setting: PluginSetting) -> PageField {
        let value = Self.text(kept[setting.name] ?? setting.standard)
        let isNeeded = setting.isNeeded && !(setting.kind == .secret && kept[setting.name] != nil)
        var field = PageField(
            name: Self.name(setting), label: Phrase(PageWords.safe(setting.name)), otherName: setting.name,
            hint: hint(setting).map { Phrase($0) }, isRequired: isNeeded,
            saysOptional: !setting.isRequired && setting.kind != .boolean && setting.values.isEmpty)
        field.most = 2_000
        field.standard = setting.kind == .secret ? "" : value
        switch setting.kind {
        case .date: field.kind = .date
        case .url: field.kind = .url
        case .secret:
            field.kind = .password
            field.fill = "new-password"
        case .integer where setting.least != nil && setting.most != nil:
            field.kind = .number
            field.least = Int(setting.least ?? 0)
            field.most = Int(setting.most ?? 0)
        case .integer, .number, .money: field.isDecimal = true
        case .boolean: field.choices = [("true", say("Yes")), ("false", say("No"))]
        case .text where !setting.values.isEmpty: field.choices = setting.values.map { ($0, $0) }
        case .text:
            if value.utf8.count > 80 || value.contains("\n") || Self.text(setting.standard).contains("\n") {
                field.kind = .lines
                field.most = 20_000
            }
        }
        if !field.choices.isEmpty, setting.standard == nil { field.choices.insert(("", say("Not set")), at: 0) }
        return field
    }

    /// What the plugin says of a setting, and what an empty field means.
    private func hint(_ setting: PluginSetting) -> String? {
        var sentences: [String] = []
        if !setting.help.isEmpty {
            let help = PageWords.safe(setting.help)
            sentences.append(help.prefix(1).uppercased() + help.dropFirst() + (help.hasSuffix(".") ? "" : "."))
        }
        let standard = Self.text(setting.standard)
        if setting.kind == .secret, kept[setting.name] != nil {
            sentences.append(say("It is set. Empty: it stays as it is."))
        } else if !standard.isEmpty, setting.values.isEmpty, setting.kind != .boolean {
            sentences.append(
                standard.count > 40 || standard.contains("\n")
                    ? say("Empty: the standard.") : say("Empty: the standard, “\(PageWords.safe(standard))”."))
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension PluginSetting {
    /// Whether a plugin cannot come into force without a value of it.
    var isNeeded: Bool { isRequired && standard == nil }

    /// What its value is, behind "has to be"; nil: its own message says more.
    fileprivate var wanted: String? {
        switch kind {
        case .integer:
            if let least, let most { return say("a whole number from \(Int(least)) to \(Int(most))") }
            return least == nil && most == nil ? say("a whole number") : nil
        case .number: return least == nil && most == nil ? say("a number") : nil
        case .money: return say("an amount, such as 4.50")
        case .date: return say("a date, such as 2026-12-24")
        case .url: return say("an address such as https://example.org/hook (http:// on this machine alone)")
        case .text: return values.isEmpty ? nil : say("one of \(values.joined(separator: ", "))")
        case .boolean, .secret: return nil
        }
    }
}
