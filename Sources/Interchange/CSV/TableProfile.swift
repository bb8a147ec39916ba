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
    /// Whether a file with this header is of this kind.
    static func recognises(_ header: CSVHeader) -> Bool
    init()
    /// The records of a row; none if the row is rejected, with the reason among its problems.
    func records(of row: inout RowReader) -> [ImportedRecord]
}

extension TableProfile {
    static var dates: [String] { [] }
    static var amounts: [String] { [] }
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
        all.first { $0.recognises(header) }?.init()
    }
}
