import Circulation

/// What a report can count: where it is read, and by what it can be split. All there are stand in ``all``.
package struct FigureMeasure: Sendable {
    package let name: String
    /// What reports and forms call it.
    package let words: String
    /// How it is counted, as a sentence without its full stop.
    package let summary: String
    /// Whether it is an amount in the library's currency, and not a number.
    package let isAmount: Bool
    let source: FigureSource

    init(_ name: String, _ words: String, _ summary: String, isAmount: Bool = false, _ source: FigureSource) {
        self.name = name
        self.words = words
        self.summary = summary
        self.isAmount = isAmount
        self.source = source
    }

    /// Whether it happens at a moment, so that it is counted in a span of days; all else is counted as it stands now.
    package var isOfTime: Bool { source.moment != nil }

    /// By what it can be split, in the order of their declaration.
    package var dimensions: [FigureDimension] {
        FigureDimension.allCases.filter { dimension in
            switch dimension {
            case .hour: source.clockCondition != nil
            case _ where dimension.isOfTime: isOfTime
            default: source.columns[dimension] != nil
            }
        }
    }

    /// To what it can be limited.
    package var filters: [FigureDimension] { FigureDimension.filters.filter { source.columns[$0] != nil } }

    /// The measure of a name; nil if there is none.
    package static func named(_ name: String) -> FigureMeasure? { all.first { $0.name == name } }
}

extension FigureMeasure: Hashable {
    /// Measures are told by their names.
    package static func == (one: FigureMeasure, other: FigureMeasure) -> Bool { one.name == other.name }
    /// By the name, as they are told.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Where figures are read, in the SQL that the databases share.
struct FigureSource: Sendable {
    /// What the counters of circulation count as well, and how the loans are read where they do not know.
    var counted: LoanMeasure?
    let table: String
    /// Whole microseconds; nil: it is counted as it stands now.
    var moment: String?
    /// Rows that count; each mark stands for the present moment.
    var condition: String?
    /// The condition on rows whose hour is known; nil: of none.
    var clockCondition: String?
    /// What is added up.
    var value = "COUNT(*)"
    let columns: [FigureDimension: String]
    /// Tables whose columns are looked up, with the condition by which a row is found.
    var lookups: [String: String] = [:]

    /// Lookups that expressions need, as joins.
    func joins(for expressions: [String]) -> String {
        lookups.sorted { $0.key < $1.key }.filter { table, _ in
            expressions.contains { $0.contains("\(table).") }
        }.map { " LEFT JOIN \($0.key) ON \($0.value)" }.joined()
    }

    static let titleColumns: [FigureDimension: String] = [
        .genre: "titles.genres", .subject: "titles.subjects", .course: "titles.courses", .college: "titles.college",
        .language: "titles.language",
    ]
}

extension [FigureDimension: String] {
    func with(_ others: Self) -> Self { merging(others) { own, _ in own } }
}
