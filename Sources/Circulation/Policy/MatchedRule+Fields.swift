import Synchronization
import TextFormats

/// A field that a row set.
package struct SetField: Hashable, Sendable {
    package var name: String
    package var value: RuleValue
    /// Where it stands in the policy.
    package var origin: RuleOrigin
}

extension MatchedRule {
    /// A JSON object with a member for each of the ``setFields``: `{"value", "row", "file", "line"}`.
    var setFieldsJSON: [UInt8] { tables.written.of(positions) { writtenFields } }

    private var writtenFields: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for field in setFields {
            writer.object(field.name) { writer in
                writer.key("value")
                writer.value(field.value.json)
                writer.place(field.origin)
            }
        }
        writer.endObject()
        return writer.bytes
    }

    /// The fields that rows set, in the order in which they are documented, free ones after them by name. Fields that
    /// only have their defaults are not among them.
    package var setFields: [SetField] {
        var fields: [SetField] = []
        for (name, group) in tables.usedFields where positions[group] >= 0 {
            let row = tables.order[positions[group]]
            guard let value = tables.source.rules[row].fields[name] else { continue }
            fields.append(SetField(name: name, value: value, origin: tables.origin(ofRule: row, field: name)))
        }
        return fields
    }
}

/// What decisions write of the rows that matched: the same of the same rows, and of these there are few.
final class WrittenFields: Sendable {
    private let known = Mutex<[[Int]: [UInt8]]>([:])

    /// How many are kept; a policy in which more combinations match writes them anew.
    private static let most = 1_000

    /// What `write` gives of these rows.
    ///
    /// - Parameter positions: of the rows that matched.
    func of(_ positions: [Int], _ write: () -> [UInt8]) -> [UInt8] {
        if let written = known.withLock({ $0[positions] }) { return written }
        let written = write()
        known.withLock { known in
            if known.count < Self.most { known[positions] = written }
        }
        return written
    }
}

extension CompiledTables {
    /// The names of the fields that any row sets: as documented, free ones after them by name; each with the place of its
    /// group among ``groups``.
    package var fieldsInUse: [(name: String, group: Int)] { usedFields }
}
