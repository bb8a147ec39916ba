import Circulation
import TextFormats

/// In what two cases differ, by the names of their fields.
enum CaseComparison {
    /// What an event cannot tell, and the calendar, which the log leaves out, count for nothing.
    static func fields(_ stored: Case, _ told: Case) -> [String] {
        var stored = stored
        stored.calendar = told.calendar
        // A log of earlier versions does not say which loans are claimed to be returned.
        var told = told
        if !stored.patron.loans.contains(where: \.isClaimed) {
            for index in told.patron.loans.indices { told.patron.loans[index].isClaimed = false }
        }
        guard stored != told else { return [] }
        var fields: [String] = []
        compare(stored.json, told.json, "", &fields)
        return fields
    }

    private static func compare(_ stored: JSON, _ told: JSON, _ path: String, _ fields: inout [String]) {
        guard stored != told else { return }
        guard case .object(let left) = stored, case .object(let right) = told else {
            fields.append("\(path) (stored \(words(stored)), by the events \(words(told)))")
            return
        }
        for key in left.keys + right.keys.filter({ left[$0] == nil }) {
            let name = path.isEmpty ? key : "\(path).\(key)"
            compare(left[key] ?? .null, right[key] ?? .null, name, &fields)
        }
    }

    private static func words(_ json: JSON) -> String {
        let text = json.text()
        return text.count > 60 ? "\(text.prefix(60))…" : text
    }
}
