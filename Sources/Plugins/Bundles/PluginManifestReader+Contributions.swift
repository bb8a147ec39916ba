import LuaSyntax
import Scripting
import TextFormats

extension PluginManifestReader {
    /// Reads what stands under the key of a kind.
    mutating func read(_ kind: ContributionKind, _ value: Expression) {
        if case .function = kind.form {
            var entry = Contribution(kind: kind.key, name: kind.key, range: value.range, path: [.name(kind.key)])
            readFunction(value, ContributionKind.run, into: &entry)
            return add(entry, kind)
        }
        guard case .table(let table) = value.kind else {
            return report("bad_value", "\(kind.key) is a table", value.range)
        }
        let root = Contribution.LuaKey.name(kind.key)
        switch kind.form {
        case .function: break
        case .files:
            for entry in table.entries {
                guard case .position(let place) = entry.key, let name = entry.value.stringLiteral else {
                    report("bad_value", "\(kind.key) lists names of files that are written out", entry.range)
                    continue
                }
                checkFile(name, entry.range)
                add(Contribution(kind: kind.key, name: name, range: entry.range, path: [root, .place(place)]), kind)
            }
        case .list(let named):
            for entry in table.entries {
                guard case .position(let place) = entry.key, case .table(let parts) = entry.value.kind else {
                    report("bad_value", "\(kind.key) is a list of tables such as { \(named) = \"...\" }", entry.range)
                    continue
                }
                let name = parts.entries.first { $0.name?.name == named }?.value.stringLiteral
                guard let name, !name.isEmpty else {
                    report("missing_key", "\(kind.what) says its '\(named)'", entry.range)
                    continue
                }
                read(kind, parts, name, [root, .place(place)], besides: [named])
            }
        case .table:
            for (name, value) in entries(of: table, kind.key) {
                readNamed(kind, name.name, value, [root, .name(name.name)], name.range)
            }
        case .nested:
            for (outer, value) in entries(of: table, kind.key) {
                guard case .table(let inner) = value.kind else {
                    report("bad_value", "\(kind.key).\(SafeText.line(outer.name)) is a table", value.range)
                    continue
                }
                for (name, value) in entries(of: inner, "\(kind.key).\(SafeText.line(outer.name))") {
                    readNamed(
                        kind, outer.name + "." + name.name, value, [root, .name(outer.name), .name(name.name)],
                        name.range)
                }
            }
        }
    }

    private mutating func readNamed(
        _ kind: ContributionKind, _ name: String, _ value: Expression, _ path: [Contribution.LuaKey],
        _ range: SourceRange
    ) {
        if case .table(let parts) = value.kind { return read(kind, parts, name, path) }
        guard kind.fields.contains(where: { $0.name == ContributionKind.run }),
            !kind.fields.contains(where: { $0.isRequired && $0.name != ContributionKind.run })
        else {
            let fields = kind.fields.filter(\.isRequired).map { "\($0.name) = ..." }.joined(separator: ", ")
            return report("bad_value", "\(kind.what) is a table, such as { \(fields) }", value.range)
        }
        var entry = Contribution(kind: kind.key, name: name, range: range, path: path)
        readFunction(value, ContributionKind.run, into: &entry)
        add(entry, kind)
    }

    private mutating func read(
        _ kind: ContributionKind, _ table: TableConstructor, _ name: String, _ path: [Contribution.LuaKey],
        besides: [String] = []
    ) {
        var entry = Contribution(kind: kind.key, name: name, range: table.range, path: path)
        let parts = entries(of: table, kind.what, known: besides + kind.fields.map(\.name))
        for (key, value) in parts {
            guard let field = kind.fields.first(where: { $0.name == key.name }) else { continue }
            entry.ranges[field.name] = value.range
            if case .function = field.value {
                readFunction(value, field.name, into: &entry)
            } else if case .parameters = field.value, case .table(let table) = value.kind {
                do throws(ParameterFault) {
                    entry.parameters = try ScriptArguments.parameters(of: table, isStrict: true)
                } catch {
                    report("bad_value", error.message, error.range, suggestion: error.suggestion)
                }
            } else if let json = read(field, of: kind, value) {
                entry.values[field.name] = json
            }
        }
        for field in kind.fields where field.isRequired && !parts.contains(where: { $0.name.name == field.name }) {
            report("missing_key", "\(kind.what) says its '\(field.name)'", table.range)
        }
        add(entry, kind)
    }

    private mutating func readFunction(_ value: Expression, _ field: String, into entry: inout Contribution) {
        if value.isNoFunction { return report("bad_value", "'\(field)' is a function", value.range) }
        entry.functions[field] = .some(function(value))
    }

    private mutating func read(
        _ field: ContributionKind.Field, of kind: ContributionKind, _ value: Expression
    ) -> JSON? {
        if case .texts = field.value, let texts = texts(value) { return .array(texts.map { .string($0) }) }
        if case .names = field.value, case .table(let table) = value.kind {
            var object = JSONObject()
            for (name, value) in entries(of: table, "'\(field.name)' of \(kind.what)") {
                guard let text = value.stringLiteral else {
                    report("bad_value", "'\(SafeText.line(name.name))' is a text that is written out", value.range)
                    continue
                }
                object[name.name] = .string(text)
            }
            return .object(object)
        }
        switch (field.value, Self.plain(value)) {
        case (.text, .string(let text)?): return .string(text)
        case (.file, .string(let name)?):
            checkFile(name, value.range)
            return .string(name)
        case (.integer, .integer(let it)?): return .integer(it)
        case (.number, .integer(let it)?): return .integer(it)
        case (.number, .number(let it)?): return .number(it)
        case (.flag, .bool(let it)?): return .bool(it)
        case (.plain, let plain?): return plain
        case (.oneOf(let texts), .string(let text)?) where texts.contains(text): return .string(text)
        case (.oneOf(let texts), let given):
            report(
                "bad_value", "'\(field.name)' of \(kind.what) is one of \(texts.joined(separator: ", "))", value.range,
                suggestion: given?.stringValue.flatMap { NameSuggestion.type($0, among: texts) })
            return nil
        default:
            report("bad_value", "'\(field.name)' of \(kind.what) is \(field.expected)", value.range)
            return nil
        }
    }

    /// The texts of a list that is written out; nil: it is none.
    func texts(_ value: Expression) -> [String]? {
        guard case .table(let list) = value.kind else { return nil }
        let texts = list.entries.map { entry -> String? in
            guard case .position = entry.key else { return nil }
            return entry.value.stringLiteral
        }
        return texts.contains(nil) ? nil : texts.compactMap(\.self)
    }

    private mutating func checkFile(_ name: String, _ range: SourceRange) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains(where: { ["", ".", ".."].contains($0) }) || name.utf8.contains(0) {
            report("bad_value", "'\(SafeText.line(name))' is no name of a file in the plugin's folder", range)
        }
    }

    private mutating func add(_ entry: Contribution, _ kind: ContributionKind) {
        if manifest.contributions.contains(where: { $0.kind == entry.kind && $0.name == entry.name }) {
            report("bad_key", "'\(SafeText.line(entry.name))' stands twice in \(kind.key)", entry.range)
            return
        }
        if let problem = kind.problem(entry) { report("bad_value", problem, entry.range) }
        manifest.contributions.append(entry)
    }

    /// What is wrong with entries beyond the types of their fields, once all of the plugin was read.
    mutating func checkContributions() {
        for kind in ContributionKind.all {
            for entry in manifest.contributions(of: kind) {
                for fault in kind.faults(entry, manifest) {
                    let range = fault.field.flatMap { entry.ranges[$0] } ?? entry.range
                    report("bad_value", fault.field.map { "'\($0)' \(fault.message)" } ?? fault.message, range)
                }
            }
        }
    }
}
