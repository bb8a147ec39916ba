import Circulation
import TextFormats

/// A value as a column holds it.
package enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
}

extension ListPart {
    /// The values of `LIMIT ? OFFSET ?`.
    var values: [StoredValue] { [.integer(limit), .integer(offset)] }
}

// Spelled as functions so that repositories read as lists of columns, whatever the types.
extension StoredValue {
    static func id(_ id: Int64) -> StoredValue { id == 0 ? .null : .integer(id) }
    static func optional(_ value: Int64?) -> StoredValue { value.map { .integer($0) } ?? .null }
    static func optional(_ value: String?) -> StoredValue { value.map { .text($0) } ?? .null }
    static func optional(_ value: Instant?) -> StoredValue { value.map { .instant($0) } ?? .null }
    static func optional(_ value: CivilDate?) -> StoredValue { value.map { .date($0) } ?? .null }
    static func flag(_ value: Bool) -> StoredValue { .integer(value ? 1 : 0) }
    static func instant(_ value: Instant) -> StoredValue { .integer(value.microseconds) }
    static func date(_ value: CivilDate) -> StoredValue { .integer(Int64(value.dayNumber)) }
    static func choice(_ value: some RawRepresentable<String>) -> StoredValue { .text(value.rawValue) }
    static func json(_ value: JSONObject) -> StoredValue { .text(value.isEmpty ? "{}" : JSON.object(value).text()) }
    /// Numbers as `{among COLUMN}` takes them, each once.
    static func numbers(_ values: some Sequence<Int64>) -> StoredValue {
        .text("[" + Set(values).sorted().map(String.init).joined(separator: ",") + "]")
    }
    static func list(_ values: [String]) -> StoredValue {
        .text(values.isEmpty ? "[]" : JSON.array(values.map { .string($0) }).text())
    }
}
