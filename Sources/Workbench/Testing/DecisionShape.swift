import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// The names that a decision can have, so that a test that expects of one what does not exist is told so: whatever is
/// absent counts as nothing, and a misspelt `{ fien = none }` would always hold.
struct DecisionShape {
    /// What stands under a name.
    private indirect enum Part {
        case value
        case table([String: Part])
        case list([String: Part])
    }

    private let given: [String: Part]

    /// - Parameter freeFields: names that the rows of the policy set and that are its own.
    init(freeFields: some Sequence<String> = []) {
        let origin: [String: Part] = ["file": .value, "line": .value, "table": .value, "row": .value, "field": .value]
        var fields: [String: Part] = [:]
        for name in RuleField.all.map(\.name) + Array(freeFields) { fields[name] = .value }
        fields["fine_steps"] = .list(["from": .value, "to": .value, "fine": .value])
        var given: [String: Part] = [
            "reasons": .value, "where": .table(origin), "fields": .table(fields),
            "failure": .table(["code": .value, "message": .value]),
            "lines": .list(["label": .value, "amount": .value, "to": .value]),
            "charges": .list(["key": .value, "amount": .value, "label": .value]),
            "notices": .list([
                "stage": .value, "repetition": .value, "channel": .value, "subject": .value, "body": .value,
                "superseded": .value, "charge": .value,
            ]),
        ]
        for name in Self.plainNames { given[name] = .value }
        self.given = given
    }

    private static let plainNames = [
        "point", "answer", "code", "message", "override", "due", "due_at", "priority", "total", "fine",
        "suspended_until", "lost", "lost_fee", "rental", "expires_on",
    ]

    /// What the words of a `desk` answer; where a refusal comes from is a record of the Lua API.
    private static let desk: [String: Part] = Dictionary(
        uniqueKeysWithValues: [
            "answer", "code", "message", "where", "due", "due_at", "renewals", "posted", "loan", "suspended_until",
            "position", "state",
        ].map { ($0, .value) })

    /// The names of what `given` answers.
    var names: [String] { given.keys.sorted() }

    /// The fault of an expectation: its first name that no decision has. Nil for a value that is not a decision.
    func complaint(about expected: LuaValue, of value: LuaValue) -> String? {
        guard let wanted = expected.tableValue, let found = value.tableValue, let names = names(of: found)
        else { return nil }
        return complaint(wanted, names, path: "")
    }

    /// What `given` answers has a point and an answer, what a desk does an answer and something beside.
    private func names(of table: LuaTable) -> [String: Part]? {
        guard let answer = table["answer"].stringValue, Decision.Answer(rawValue: answer) != nil else { return nil }
        if let point = table["point"].stringValue { return DecisionPoint(rawValue: point) == nil ? nil : given }
        let isOfDesk = ["code", "due_at", "posted", "position"].contains { !table[$0].isNil }
        return isOfDesk ? Self.desk : nil
    }

    private func complaint(_ wanted: LuaTable, _ names: [String: Part], path: String) -> String? {
        for entry in wanted.entries {
            guard let name = entry.key.stringValue else { continue }
            guard let part = names[name] else {
                return Self.unknown(name, among: names.keys.sorted(), in: path)
            }
            let inner = path.isEmpty ? name : "\(path).\(name)"
            guard let table = entry.value.tableValue else { continue }
            switch part {
            case .value: continue
            case .table(let names):
                if let complaint = complaint(table, names, path: inner) { return complaint }
            case .list(let names):
                for (index, element) in table.array.enumerated() {
                    guard let element = element.tableValue else { continue }
                    let place = "\(inner)[\(index + 1)]"
                    if let complaint = complaint(element, names, path: place) { return complaint }
                }
            }
        }
        return nil
    }

    /// `a decision has no field 'fien' (did you mean 'fine'?)`
    static func unknown(_ name: String, among names: [String], in path: String = "") -> String {
        let what = path.isEmpty ? "a decision" : "'\(path)' of a decision"
        let hint =
            NameSuggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            ?? "there are \(names.joined(separator: ", "))"
        return "\(what) has no field '\(name)' (\(hint))"
    }
}
