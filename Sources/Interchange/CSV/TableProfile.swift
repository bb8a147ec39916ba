import TextFormats

/// A kind of table that is recognised by its header.
protocol TableProfile: SendableMetatype {
    /// What reports and `--format` call it.
    static var name: String { get }
    /// The columns that it reads.
    static var columns: [String] { get }
    /// The columns whose values are dates.
    static var dates: [String] { get }
    /// The columns whose values are amounts.
    static var amounts: [String] { get }
    /// By the name of a kind of record, the fields that make another kind of table of one in which a column has their name.
    static var vital: [String: Set<String>] { get }
    /// Whether a file with this header is of this kind.
    static func recognises(_ header: CSVHeader) -> Bool
    init()
    /// The records of a row; none if the row is rejected, with the reason among its problems.
    func records(of row: inout RowReader) -> [ImportedRecord]
}

extension TableProfile {
    static var dates: [String] { [] }
    static var amounts: [String] { [] }
    static var vital: [String: Set<String>] { [:] }

    /// Whether a column that it does not read says by its name that it holds what is vital to a row: `Item barcode` of a table of titles
    /// would leave the copies behind, `Due date` make titles of loans.
    static func leavesOut(_ header: CSVHeader) -> Bool {
        guard !vital.isEmpty else { return false }
        let read = Set(columns.map(CSVHeader.normalized))
        let others = header.names.filter { !read.contains(CSVHeader.normalized($0)) }.map(FieldNames.key)
        guard others.contains(where: { !$0.isEmpty }) else { return false }
        return vital.contains { kind, fields in
            let known = FieldNames.fields(of: kind)
            return others.contains { other in
                known[other]?.first.map { fields.contains($0) && !(columns.contains($0) && isThere($0, header)) }
                    ?? false
            }
        }
    }

    /// The header with our own names of columns in the place of the labels of our forms: `item_type` for `Item type`. What a column is called
    /// already stays.
    static func named(_ header: CSVHeader) -> CSVHeader {
        let kinds: [String: [String]] = [
            "titles": ["title"], "copies": ["copy", "title"], "patrons": ["patron"], "loans": ["loan"],
        ]
        let read = Set(columns.map(CSVHeader.normalized))
        guard let kinds = kinds[name], header.names.contains(where: { !read.contains(CSVHeader.normalized($0)) }) else {
            return header
        }
        var given = Set(header.names.map(CSVHeader.normalized))
        let names = header.names.map { heading -> String in
            guard !read.contains(CSVHeader.normalized(heading)) else { return heading }
            let key = FieldNames.key(heading)
            let field = kinds.lazy.compactMap { FieldNames.labelled(of: $0)[key] }.first { read.contains($0) }
            guard let field, given.insert(field).inserted else { return heading }
            return field
        }
        return CSVHeader(CSVRecord(fields: names, line: 1))
    }

    private static func isThere(_ field: String, _ header: CSVHeader) -> Bool {
        header.hasAny(field == "isbn" ? ["isbn", "isbn13"] : [field])
    }
}

extension CSVHeader {
    /// Whether all of these columns are there.
    func has(_ columns: String...) -> Bool {
        columns.allSatisfy { index(of: $0) != nil }
    }

    /// Whether one of these columns is there.
    func hasAny(_ columns: [String]) -> Bool {
        columns.contains { index(of: $0) != nil }
    }
}

/// The kinds of table that are known, the most particular first.
enum TableProfiles {
    static let all: [any TableProfile.Type] = [
        GoodbooksProfile.self, ReedLoansProfile.self, NewcastleItemsProfile.self, CourseListProfile.self,
        LoanTableProfile.self, CopyTableProfile.self, PatronTableProfile.self, TitleTableProfile.self,
    ]

    /// The kind of file that has this header, nil if none is known.
    static func profile(for header: CSVHeader) -> (any TableProfile)? {
        all.first { $0.recognises(header) && !$0.leavesOut(header) }?.init()
    }
}
