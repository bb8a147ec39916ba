import Circulation
import Desk
import LuaSyntax
import Scripting
import TextFormats

/// Reads `return plugin { ... }` from the tree of a file. What is wrong becomes a finding with its place.
struct PluginManifestReader {
    private let file: String
    private let scopes: ScopeAnalysis
    var manifest = PluginManifest()
    private(set) var findings: [Finding] = []

    init(_ chunk: Chunk) {
        file = chunk.name
        scopes = ScopeAnalysis(chunk)
        guard let table = Self.declaration(chunk) else {
            findings.append(
                Finding(
                    code: "no_plugin", severity: .error, file: chunk.name,
                    position: chunk.block.statements.last?.range.start ?? SourcePosition(line: 1, column: 1, offset: 0),
                    message: "the file must end with return plugin { api = 1, name = \"...\", version = \"...\", ... }")
            )
            return
        }
        read(table)
    }

    /// The table of a last statement `return plugin { ... }`.
    static func declaration(_ chunk: Chunk) -> TableConstructor? {
        guard let values = chunk.returned, values.count == 1, case .suffixed(let call) = values[0].kind,
            case .variable(let word) = call.base.kind, word.binding == .global, word.name == "plugin",
            call.suffixes.count == 1, case .call(let arguments) = call.suffixes[0].kind, arguments.count == 1,
            case .table(let table) = arguments[0].kind
        else { return nil }
        return table
    }

    mutating func report(
        _ code: String, _ message: String, _ range: SourceRange, suggestion: String? = nil
    ) {
        findings.append(Finding(code: code, file: file, range: range, message: message, suggestion: suggestion))
    }

    /// The entries by their names; what has none is reported, and so is what stands twice.
    mutating func entries(
        of table: TableConstructor, _ what: String, known: [String]? = nil
    ) -> [(name: Identifier, value: Expression)] {
        var seen: Set<String> = []
        var found: [(name: Identifier, value: Expression)] = []
        for entry in table.entries {
            guard let name = entry.name else {
                report("bad_key", "\(what) has names for keys, written out", entry.range)
                continue
            }
            guard seen.insert(name.name).inserted else {
                report("bad_key", "'\(name.name)' stands twice in \(what)", name.range)
                continue
            }
            if let known, !known.contains(name.name) {
                reportUnknown(name, what, known)
                continue
            }
            found.append((name, entry.value))
        }
        return found
    }

    private mutating func reportUnknown(_ name: Identifier, _ what: String, _ known: [String]) {
        report(
            "unknown_key", "\(what) has no '\(SafeText.line(name.name))'; it has \(known.joined(separator: ", "))",
            name.range, suggestion: NameSuggestion.nearest(to: name.name, among: known))
    }

    private mutating func text(_ value: Expression, _ what: String) -> String? {
        if let text = value.stringLiteral { return text }
        report("bad_value", "\(what) is a text that is written out", value.range)
        return nil
    }

    private mutating func read(_ table: TableConstructor) {
        let entries = entries(of: table, "a plugin", known: PluginManifest.keys)
        for (name, value) in entries {
            switch name.name {
            case "api":
                if case .integer(PluginManifest.interface) = value.kind { break }
                report("bad_value", "api is \(PluginManifest.interface)", value.range)
            case "name":
                guard let text = text(value, "name") else { break }
                manifest.name = text
                if !Self.isName(text) {
                    report(
                        "bad_value", "name is lower-case letters, digits and -, such as \"reading-history\"",
                        value.range)
                }
            case "version":
                guard let text = text(value, "version") else { break }
                manifest.version = text
                if text.isEmpty || text.utf8.count > 40 {
                    report("bad_value", "version is like \"1.0.0\"", value.range)
                }
            case "description": manifest.description = text(value, "description") ?? ""
            case "needs": readNeeds(value)
            case "settings": readSettings(value)
            case "on": readHandlers(value)
            default:
                if let kind = ContributionKind.all.first(where: { $0.key == name.name }) { read(kind, value) }
            }
        }
        for needed in ["api", "name", "version"] where !entries.contains(where: { $0.name.name == needed }) {
            report("missing_key", "a plugin says its '\(needed)'", table.range)
        }
        checkContributions()
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first &- 0x61 < 26, text.utf8.count <= 40, !text.hasSuffix("-") else {
            return false
        }
        return text.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }
    }

    private mutating func readNeeds(_ value: Expression) {
        guard case .table(let table) = value.kind else {
            return report("bad_value", "needs is a list such as { \"loans.write\" }", value.range)
        }
        for entry in table.entries {
            guard case .position = entry.key, let name = entry.value.stringLiteral else {
                report("capability", "needs lists its capabilities as texts that are written out", entry.range)
                continue
            }
            guard let capability = Capability(rawValue: name) else {
                let names = Capability.grantable.map(\.rawValue)
                report(
                    "capability", "there is no capability '\(SafeText.line(name))'", entry.value.range,
                    suggestion: NameSuggestion.nearest(to: name, among: names))
                continue
            }
            if capability != .read, !manifest.needs.contains(capability) { manifest.needs.append(capability) }
        }
    }

    // MARK: - Handlers

    private mutating func readHandlers(_ value: Expression) {
        guard case .table(let table) = value.kind else {
            return report("bad_value", "on is a table: on = { [\"loan.made\"] = function(event) ... end }", value.range)
        }
        for (name, value) in entries(of: table, "on") {
            var handler = PluginManifest.Handler(event: name.name, range: name.range)
            if case .table(let parts) = value.kind {
                read(parts, into: &handler)
            } else {
                handler.body = handlerFunction(value)
            }
            manifest.handlers.append(handler)
        }
    }

    private mutating func read(_ table: TableConstructor, into handler: inout PluginManifest.Handler) {
        let entries = entries(of: table, "a handler", known: PluginManifest.handlerKeys)
        for (name, value) in entries {
            switch name.name {
            case "run": handler.body = handlerFunction(value)
            case "own":
                guard case .boolean(let isSeen) = value.kind else {
                    report("bad_value", "own is true or false", value.range)
                    continue
                }
                handler.seesOwn = isSeen
            default: readConditions(value, into: &handler)
            }
        }
        if !entries.contains(where: { $0.name.name == "run" }) {
            report("missing_key", "a handler that is a table has its function under 'run'", table.range)
        }
    }

    private mutating func handlerFunction(_ value: Expression) -> FunctionBody? {
        if value.isNoFunction { report("bad_value", "a handler is a function", value.range) }
        return function(value)
    }

    func function(_ value: Expression) -> FunctionBody? {
        if case .function(let body) = value.kind { return body }
        guard case .variable(let variable) = value.kind, case .local(let id) = variable.binding else { return nil }
        switch scopes.definition(of: id) {
        case .function(let body)?: return body
        case .value(let value)?:
            if case .function(let body) = value.kind { return body }
            return nil
        default: return nil
        }
    }

    private mutating func readConditions(_ value: Expression, into handler: inout PluginManifest.Handler) {
        guard case .table(let table) = value.kind else {
            return report("bad_value", "where is a table such as { item_type = \"laptop\" }", value.range)
        }
        let declaration = EventDeclaration.named(handler.event)
        for (name, value) in entries(of: table, "where") {
            var kind: FieldKind?
            if let declaration {
                guard let field = declaration.field(name.name) else {
                    report(
                        "unknown_field", "the event \(declaration.name) has no field '\(SafeText.line(name.name))'",
                        name.range, suggestion: NameSuggestion.nearest(to: name.name, among: declaration.fieldNames))
                    continue
                }
                guard case .plain(let plain) = field.type, !plain.isList else {
                    report("bad_value", "where compares plain values; '\(name.name)' is a record or a list", name.range)
                    continue
                }
                kind = plain
            }
            var written = [value]
            if case .table(let list) = value.kind {
                for entry in list.entries where entry.name != nil {
                    report("bad_value", "several values are a list, such as { \"book\", \"dvd\" }", entry.range)
                }
                written = list.entries.map(\.value)
            }
            let values = written.compactMap { value -> JSON? in
                guard let given = literal(value) else { return nil }
                if let kind, let expected = kind.expected(instead: given) {
                    report(
                        "bad_value", "'\(name.name)' is \(expected)", value.range,
                        suggestion: kind.nearest(to: given))
                }
                return given
            }
            handler.conditions.append(PluginManifest.Condition(field: name.name, values: values))
        }
    }

    private mutating func literal(_ value: Expression) -> JSON? {
        if let plain = Self.plain(value) { return plain }
        report("bad_value", "a value that is written out: a text, a number, true or false", value.range)
        return nil
    }

    static func plain(_ value: Expression) -> JSON? {
        switch value.kind {
        case .boolean(let it): return .bool(it)
        case .integer(let it): return .integer(it)
        case .number(let it): return .number(it)
        case .string: return value.stringLiteral.map { .string($0) }
        case .unary(.minus, let inner):
            switch inner.kind {
            case .integer(let it): return .integer(0 &- it)
            case .number(let it): return .number(-it)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: - Settings

    private mutating func readSettings(_ value: Expression) {
        guard case .table(let table) = value.kind else {
            return report("bad_value", "settings is a table: settings = { days = { type = \"integer\" } }", value.range)
        }
        for (name, value) in entries(of: table, "settings") {
            guard case .table(let parts) = value.kind else {
                report("bad_value", "a setting is a table such as { type = \"text\" }", value.range)
                continue
            }
            if let setting = setting(name, parts) { manifest.settings.append(setting) }
        }
    }

    private mutating func setting(_ name: Identifier, _ table: TableConstructor) -> PluginSetting? {
        var setting = PluginSetting(name: name.name, kind: .text)
        var hasKind = false
        for (key, value) in entries(of: table, "a setting", known: PluginManifest.settingKeys) {
            switch (key.name, Self.plain(value)) {
            case ("type", .string(let text)?):
                guard let kind = PluginSetting.Kind(rawValue: text) else {
                    let kinds = PluginSetting.Kind.allCases.map(\.rawValue)
                    report(
                        "bad_value", "a setting is of the type \(kinds.joined(separator: ", "))", value.range,
                        suggestion: NameSuggestion.type(text, among: kinds))
                    return nil
                }
                (setting.kind, hasKind) = (kind, true)
            case ("default", let standard?): setting.standard = standard
            case ("min", .integer(let it)?): setting.least = Double(it)
            case ("min", .number(let it)?): setting.least = it
            case ("max", .integer(let it)?): setting.most = Double(it)
            case ("max", .number(let it)?): setting.most = it
            case ("help", .string(let text)?): setting.help = text
            case ("required", .bool(let it)?): setting.isRequired = it
            case ("signs", .bool(let it)?): setting.signs = it
            case ("values", _): setting.values = texts(value) ?? []
            default: report("bad_value", "'\(key.name)' of a setting cannot be that", value.range)
            }
        }
        if table.entries.contains(where: { $0.name?.name == "values" }), setting.kind != .text || setting.values.isEmpty
        {
            report("bad_value", "'values' lists the texts that a setting of the type text may be", table.range)
        }
        if setting.least != nil || setting.most != nil {
            if setting.kind != .integer, setting.kind != .number {
                report("bad_value", "'min' and 'max' are said of a number", table.range)
            } else if let least = setting.least, let most = setting.most, least > most {
                report("bad_value", "'min' is greater than 'max'", table.range)
            }
        }
        if setting.signs && setting.kind != .secret {
            report("bad_value", "only a setting of the type secret signs", table.range)
        }
        if !hasKind { report("missing_key", "the setting '\(name.name)' says its 'type'", table.range) }
        if let standard = setting.standard {
            do {
                try setting.check(standard)
            } catch {
                report("bad_value", "the default of \(error.message)", table.range)
            }
        }
        return setting
    }
}

extension Expression {
    /// Whether it is written out, and no function.
    var isNoFunction: Bool {
        switch kind {
        case .string, .integer, .number, .boolean, .nil, .table: true
        default: false
        }
    }
}

extension FieldKind {
    /// What a value of this kind is, where the given one can never be equal to it.
    fileprivate func expected(instead given: JSON) -> String? {
        switch (self, given) {
        case (.integer, .integer), (.number, .integer), (.number, .number), (.flag, .bool): nil
        case (.choice(let words), .string(let text)) where words.contains(text): nil
        case (.integer, _): "a whole number"
        case (.number, _): "a number"
        case (.flag, _): "true or false"
        case (.choice(let words), _): "one of \(words.joined(separator: ", "))"
        case (_, .string): nil
        default: "a text"
        }
    }

    fileprivate func nearest(to given: JSON) -> String? {
        guard case .choice(let words) = self, let text = given.stringValue else { return nil }
        return NameSuggestion.nearest(to: text, among: words)
    }
}

extension NameSuggestion {
    /// The type that is meant by a word, which may be that of another language.
    static func type(_ text: String, among types: [String]) -> String? {
        let others = [
            "string": "text", "str": "text", "int": "integer", "bool": "boolean", "float": "number", "enum": "text",
            "password": "secret", "uri": "url", "datetime": "date", "amount": "money",
        ]
        return others[text.lowercased()].flatMap { types.contains($0) ? $0 : nil }
            ?? nearest(to: text, among: types)
    }
}
