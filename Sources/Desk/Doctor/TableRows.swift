import Circulation
import TextFormats

/// The rows of one small table by their keys, each as the JSON that events would write of it.
final class TableRows {
    private var rows: [String: [UInt8]] = [:]
    private var keys: [String] = []
    private var writer = JSONWriter()

    func add(_ id: Int64, _ write: (inout JSONWriter) -> Void) { add(String(id), nil, write) }

    func add(_ key: String, _ place: Int? = nil, _ write: (inout JSONWriter) -> Void) {
        writer.write(row: write, place: place)
        rows[key] = writer.bytes
        keys.append(key)
    }

    /// What differs between these rows, to which the events lead, and those that were found.
    func differences(from found: TableRows, in table: String, limit: Int) -> [DoctorReport.Broken] {
        var differences = RowDifferences(table: table)
        for key in keys where differences.broken.count < limit {
            guard let expected = rows[key] else { continue }
            guard let row = found.rows[key] else {
                differences.missing(key)
                continue
            }
            differences.compare(key, expected, row)
        }
        for key in found.keys where differences.broken.count < limit && rows[key] == nil {
            differences.untold(key)
        }
        return differences.broken
    }
}

/// What differs between the rows of a table to which the events lead and those that were found.
struct RowDifferences {
    let table: String
    private(set) var broken: [DoctorReport.Broken] = []
    private var (expected, found) = (JSONWriter(), JSONWriter())

    init(table: String) { self.table = table }

    /// A row of which the events tell and which is not there.
    mutating func missing(_ key: String) { report(key, "The events tell of this row, and it is missing.") }

    /// A row of which no event tells.
    mutating func untold(_ key: String) { report(key, "No event tells of this row.") }

    /// A row that is there on both sides, by the members that events have of it.
    mutating func compare(
        _ key: String, _ expected: (inout JSONWriter) -> Void, _ found: (inout JSONWriter) -> Void
    ) {
        self.expected.write(row: expected)
        self.found.write(row: found)
        compare(key, self.expected.bytes, self.found.bytes)
    }

    mutating func compare(_ key: String, _ expected: [UInt8], _ found: [UInt8]) {
        guard expected != found else { return }
        report(key, "Differs from what the events tell in \(Self.fields(expected, found).joined(separator: ", ")).")
    }

    private mutating func report(_ key: String, _ message: String) {
        broken.append(DoctorReport.Broken(invariant: "fold", table: table, id: key, message: message))
    }

    /// The members in which two rows differ.
    private static func fields(_ left: [UInt8], _ right: [UInt8]) -> [String] {
        guard case .object(let left)? = try? JSONParser.parse(left),
            case .object(let right)? = try? JSONParser.parse(right)
        else { return ["everything"] }
        let names = left.keys + right.keys.filter { left[$0] == nil }
        return names.filter { left[$0] != right[$0] }
    }
}

extension JSONWriter {
    /// Begins anew with the object of a row.
    fileprivate mutating func write(row members: (inout JSONWriter) -> Void, place: Int? = nil) {
        reset()
        beginObject()
        members(&self)
        member("place", place.map(Int64.init))
        endObject()
    }
}
