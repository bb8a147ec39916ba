package import Circulation
package import Interchange
import LuaRuntime
package import MARC
import Scripting
package import TextFormats

/// The imports of a plugin. Its functions read the library and change nothing; each call has the limits of a handler.
package final class PluginTranslator: TableTranslator {
    package let name: String
    package let tables: [TranslatedTable]
    package let currency: Currency
    package let dateOrder: DateOrder?
    package let recordEncoding: MARCEncoding?
    private let entries: [String: Contribution]
    private let load: () throws -> LoadedPlugin
    private var plugin: LoadedPlugin?

    /// The setting by which an administrator says the order of dates.
    private static let setting = "dates"
    /// The setting by which an administrator says what MARC records are in that say something else.
    private static let encodingSetting = "encoding"

    package var dateOrderAdvice: String {
        "`moonshelf plugin settings \(name) --set \(Self.setting)=dmy` (or mdy) says which, and importing again adds the rest"
    }

    /// - Parameter load: makes the plugin ready at its first call.
    init(
        _ manifest: PluginManifest, settings: JSONObject, currency: Currency, load: @escaping () throws -> LoadedPlugin
    ) {
        let imports = manifest.contributions(of: .imports)
        name = manifest.name
        tables = imports.map(\.table)
        entries = Dictionary(imports.map { ($0.name, $0) }) { first, _ in first }
        self.currency = currency
        let complete = manifest.settings.complete(settings)
        dateOrder = complete[Self.setting]?.stringValue.flatMap(DateOrder.init)
        recordEncoding = complete[Self.encodingSetting]?.stringValue.flatMap { MARCEncoding(rawValue: $0.lowercased()) }
        self.load = load
    }

    package func recognises(_ head: JSON, as table: TranslatedTable) throws -> Bool {
        let answer = try ask(table, ContributionKind.recognise, head).first ?? .nil
        return !answer.isNil && answer.booleanValue != false
    }

    package func records(of row: JSONObject, in table: TranslatedTable) throws -> [JSON] {
        let answer = try ask(table, ContributionKind.record, .object(row))
        switch answer.first ?? .nil {
        case .nil:
            guard let message = answer.dropFirst().first?.stringValue else { return [] }
            return [["error": ["message": .string(message)]]]
        case .table(let given):
            if given.isEmpty { return [] }
            guard let json = JSON(plain: .table(given)) else {
                throw TranslationFault(
                    code: "bad_record", message: "'record' gives tables of texts, numbers, true and false",
                    endsImport: false)
            }
            return json.arrayValue ?? [json]
        case let other:
            throw TranslationFault(
                code: "bad_record", message: "'record' gives a table, a list of tables or nil, not a \(other.typeName)",
                endsImport: false)
        }
    }

    private func ask(_ table: TranslatedTable, _ function: String, _ argument: JSON) throws -> [LuaValue] {
        guard let entry = entries[table.name] else { return [] }
        do {
            let plugin = try self.plugin ?? load()
            self.plugin = plugin
            return try plugin.ask(entry, function, [.json(argument)])
        } catch let fault as PluginFault {
            // What one row makes it do it would do again; an error may be the row's own.
            throw TranslationFault(
                code: fault.code, message: fault.description, endsImport: fault.code != "lua_error")
        }
    }
}

extension LoadedPlugin {
    /// Calls a function that answers: what would change something is an error.
    ///
    /// - Throws: as ``call(_:_:_:as:limits:)``.
    func ask(_ entry: Contribution, _ field: String, _ arguments: [LuaValue]) throws -> [LuaValue] {
        try answering(entry, field) { function in
            guard let answer = try context.looking({ try context.state.call(function, arguments) }),
                state.takeChanges().isEmpty
            else {
                throw PluginFault(
                    code: "read_only", message: "'\(field)' of '\(entry.name)' changes nothing, and would")
            }
            return answer
        }
    }
}
