import Circulation
import TextFormats

/// The rows of one table by their keys, each as the JSON that events would write of it.
final class TableRows {
    private var rows: [String: [UInt8]] = [:]
    private var keys: [String] = []
    private var writer = JSONWriter()

    /// - Returns: true, so that a stream goes on.
    func add(_ id: Int64, _ write: (inout JSONWriter) -> Void) -> Bool {
        add(String(id), nil, write)
    }

    func add(_ key: String, _ place: Int? = nil, _ write: (inout JSONWriter) -> Void) -> Bool {
        writer.reset()
        writer.beginObject()
        write(&writer)
        writer.member("place", place.map(Int64.init))
        writer.endObject()
        rows[key] = writer.bytes
        keys.append(key)
        return true
    }

    /// What differs between these rows, to which the events lead, and those that were found.
    func differences(from found: TableRows, in table: String, limit: Int) -> [DoctorReport.Broken] {
        var broken: [DoctorReport.Broken] = []
        func report(_ key: String, _ message: String) {
            broken.append(DoctorReport.Broken(invariant: "fold", table: table, id: key, message: message))
        }
        for key in keys where broken.count < limit {
            guard let expected = rows[key], expected != found.rows[key] else { continue }
            guard let row = found.rows[key] else {
                report(key, "The events tell of this row, and it is missing.")
                continue
            }
            report(key, "Differs from what the events tell in \(Self.fields(expected, row).joined(separator: ", ")).")
        }
        for key in found.keys where broken.count < limit && rows[key] == nil {
            report(key, "No event tells of this row.")
        }
        return broken
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
