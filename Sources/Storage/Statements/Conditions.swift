import Circulation

/// The conditions of a statement that is put together for one question, with the values of their parameters.
struct Conditions {
    private var texts: [String] = []
    private(set) var values: [StoredValue] = []

    mutating func add(_ text: String) { texts.append(text) }

    /// A condition on a value, for which each mark stands; without one there is none.
    mutating func add(_ text: String, _ value: StoredValue?) {
        guard let value else { return }
        texts.append(text)
        values += Array(repeating: value, count: max(1, text.utf8.count { $0 == UInt8(ascii: "?") }))
    }

    /// A column holds one of these; of none it holds none.
    mutating func add(_ column: String, in list: [StoredValue]) {
        let marks = list.map { _ in "?" }.joined(separator: ", ")
        texts.append(list.isEmpty ? "1 = 0" : "\(column) IN (\(marks))")
        values += list
    }

    var isEmpty: Bool { texts.isEmpty }

    /// ` WHERE` with all of them; nothing where there are none.
    var clause: String { texts.isEmpty ? "" : " WHERE " + texts.joined(separator: " AND ") }
}
