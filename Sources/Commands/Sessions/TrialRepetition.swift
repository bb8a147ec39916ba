import LuaRuntime
import Scripting

/// Does again in the library what was done in a trial, and notes what comes out otherwise.
///
/// Records that the trial made have other ids in the library: where a later change names one of them, the library's own
/// is meant.
struct TrialRepetition {
    /// Something that went well in the trial is refused in the library.
    struct Refused: Error {
        let message: String
    }

    /// A record that the trial made.
    private struct Made: Hashable {
        var kind: String
        var id: Int64
    }

    private(set) var count = 0
    private(set) var differences: [String] = []
    private var ids: [Made: Int64] = [:]

    mutating func perform(_ write: ScriptJournal.Write, by evaluator: ScriptEvaluator) throws {
        let arguments = zip(write.function.parameters, write.arguments).map { translated($1, $0.type) }
        let results = try evaluator.call(write.function, arguments)
        if results.count >= 2, results[0].isNil, case .table(let refusal) = results[1] {
            let message = if case .string(let text) = refusal["message"] { text } else { "refused" }
            throw Refused(message: "\(write.function.fullName) is refused now: \(message)")
        }
        count += 1
        let type = write.function.result.type ?? .any
        for (before, after) in zip(write.results, results) {
            note(before, after, type)
            compare(before, after, at: write.function.fullName)
        }
    }

    // MARK: - Ids

    private func translated(_ value: LuaValue, _ type: APIType) -> LuaValue {
        switch (type, value) {
        case (.optional(let type), _): return translated(value, type)
        case (.reference(let kind), .integer(let id)): return .integer(ids[Made(kind: kind.rawValue, id: id)] ?? id)
        case (.reference(let kind), .table(let table)): return translated(table, kind.rawValue)
        case (.record(let kind), .table(let table)): return translated(table, kind)
        case (.list(let element), .table(let table)):
            return .table(LuaTable(array: table.array.map { translated($0, element) }))
        case (.fields(let fields), .table(let table)):
            let types = Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
            return .table(
                LuaTable(
                    entries: table.entries.map { key, value in
                        guard case .string(let name) = key, let type = types[name] else { return (key, value) }
                        return (key, translated(value, type))
                    }))
        default: return value
        }
    }

    private func translated(_ record: LuaTable, _ kind: String) -> LuaValue {
        guard case .integer(let id) = record["id"], let own = ids[Made(kind: kind, id: id)] else {
            return .table(record)
        }
        var record = record
        record["id"] = .integer(own)
        return .table(record)
    }

    private mutating func note(_ before: LuaValue, _ after: LuaValue, _ type: APIType) {
        guard case .table(let before) = before, case .table(let after) = after else { return }
        switch type {
        case .optional(let type): note(.table(before), .table(after), type)
        case .list(let element): for (old, new) in zip(before.array, after.array) { note(old, new, element) }
        case .record(let kind):
            guard case .integer(let old) = before["id"], case .integer(let new) = after["id"] else { return }
            ids[Made(kind: kind, id: old)] = new
        default:
            // One title gives a record, several a list: the type of the record is not kept.
            if !before.array.isEmpty {
                for (old, new) in zip(before.array, after.array) { note(old, new, .any) }
            } else if let kind = LuaAPI.records.first(where: { $0.holds(before) })?.name {
                note(.table(before), .table(after), .record(kind))
            }
        }
    }

    // MARK: - Differences

    /// Ids are another store's, and moments those at which something was done.
    private static func isExpectedToDiffer(_ field: String) -> Bool {
        field == "id" || field.hasSuffix("_at") && field != "due_at"
    }

    private mutating func compare(_ before: LuaValue, _ after: LuaValue, at place: String) {
        guard case .table(let old) = before, case .table(let new) = after else {
            if before != after {
                differences.append("\(place): \(Self.text(before)) in the trial, now \(Self.text(after))")
            }
            return
        }
        if !old.array.isEmpty || !new.array.isEmpty {
            if old.array.count != new.array.count {
                differences.append("\(place): \(old.array.count) in the trial, now \(new.array.count)")
            }
            for (index, pair) in zip(old.array, new.array).enumerated() {
                compare(pair.0, pair.1, at: "\(place)[\(index + 1)]")
            }
            return
        }
        var names: [String] = []
        for entry in old.entries + new.entries {
            if case .string(let name) = entry.key, !names.contains(name) { names.append(name) }
        }
        for name in names where !Self.isExpectedToDiffer(name) {
            // A loan names its copy and its title by ids, which both stores share unless the trial made them.
            if case .integer(let id) = old[name], case .integer(let own) = new[name],
                ids[Made(kind: name, id: id)] == own
            {
                continue
            }
            compare(old[name], new[name], at: "\(place).\(name)")
        }
    }

    private static func text(_ value: LuaValue) -> String { ScriptEvaluator.texts(of: [value]).joined() }
}

extension APIRecordType {
    /// Whether a table is a record of this type, by its fields.
    fileprivate func holds(_ table: LuaTable) -> Bool {
        let names = Set(table.entries.compactMap { if case .string(let name) = $0.key { name } else { nil } })
        return (hasOwnFields || names.isSubset(of: fields.map(\.name)))
            && fields.allSatisfy { !$0.isRequired || names.contains($0.name) }
    }
}
