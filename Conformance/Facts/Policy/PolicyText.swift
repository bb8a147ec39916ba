import Circulation

/// The text of a policy, as a librarian would write it.
struct PolicyText {
    /// One row: names and Lua text, in their order.
    struct Row {
        private(set) var fields: [(name: String, value: String)] = []

        init(_ fields: KeyValuePairs<String, String> = [:]) {
            self.fields = fields.map { ($0.key, $0.value) }
        }

        var isEmpty: Bool { fields.isEmpty }

        subscript(name: String) -> String? {
            get { fields.first { $0.name == name }?.value }
            set {
                fields.removeAll { $0.name == name }
                if let newValue { fields.append((name, newValue)) }
            }
        }

        var text: String { "{ " + fields.map { "\($0.name) = \($0.value)" }.joined(separator: ", ") + " }" }
    }

    var name: String
    var description = ""
    /// Conditions by importance, instead of the order of rows.
    var match: String?
    var limits: [Row] = []
    /// Rows before the last, which holds for all.
    var rules: [Row] = []
    var everything = Row()
    var notices: [Row] = []
    /// Lines of functions, by decision point.
    private(set) var functions: [(point: String, lines: [String])] = []
    var others: [(name: String, value: String)] = []

    init(name: String) { self.name = name }

    /// Adds lines to the function of a decision point.
    mutating func add(to point: String, _ lines: String...) {
        if let index = functions.firstIndex(where: { $0.point == point }) {
            functions[index].lines += lines
        } else {
            functions.append((point, lines))
        }
    }

    mutating func remove(_ point: String) { functions.removeAll { $0.point == point } }

    func hasFunction(_ point: String) -> Bool { functions.contains { $0.point == point } }

    /// The whole file.
    var text: String {
        var lines = ["return policy {", "    api = 1,", "    name = \(LuaText.quoted(name)),"]
        if !description.isEmpty { lines.append("    description = \(LuaText.quoted(description)),") }
        if !ownFields.isEmpty { lines.append("    fields = \(LuaText.list(ownFields, always: true)),") }
        if let match { lines.append("    match = \(match),") }
        lines += Self.table("limits", limits)
        lines += Self.table("rules", rules + (everything.isEmpty ? [] : [everything]))
        lines += Self.table("notices", notices)
        for other in others { lines.append("    \(other.name) = \(other.value),") }
        for function in functions {
            lines += ["", "    \(function.point) = function(case, rule)"]
            lines += function.lines.flatMap { $0.split(separator: "\n") }.map { "        \($0)" }
            lines.append("    end,")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    /// The fields of rows that are the library's own.
    private var ownFields: [String] {
        let names = Set((rules + [everything]).flatMap(\.fields).map(\.name))
        return names.subtracting(RuleField.all.map(\.name)).subtracting(RowConditions.names).sorted()
    }

    private static func table(_ name: String, _ rows: [Row]) -> [String] {
        if rows.isEmpty { return [] }
        return ["    \(name) = {"] + rows.map { "        \($0.text)," } + ["    },"]
    }
}
