/// The first record of a CSV file as names of columns.
///
/// Names are compared without regard to case and surrounding spaces, as people write them.
package struct CSVHeader: Hashable, Sendable {
    package let names: [String]
    private let indices: [String: Int]

    /// - Parameter record: of two columns of the same name the first is meant by it.
    package init(_ record: CSVRecord) {
        names = record.fields
        indices = Dictionary(
            names.enumerated().map { (CSVHeader.normalized($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The position of the column `name`, or nil.
    package func index(of name: String) -> Int? {
        indices[CSVHeader.normalized(name)]
    }

    /// The field of `record` in the column `name`; nil if the column does not exist or the record is too short.
    package func field(_ name: String, of record: CSVRecord) -> String? {
        index(of: name).flatMap { record[$0] }
    }

    /// Names that stand more than once, in the order of their second appearance.
    package var repeatedNames: [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert(CSVHeader.normalized($0)).inserted }
    }

    /// A name as names of columns are compared: without the blanks around it, in small letters.
    package static func normalized(_ name: String) -> String {
        let trimmed = name.drop { $0.isWhitespace }
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return trimmed[...last].lowercased()
    }
}
