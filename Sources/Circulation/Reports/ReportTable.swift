/// A table of a report: typed columns, and rows that have a value for each.
package struct ReportTable: Hashable, Sendable {
    package var title: String?
    package var columns: [ReportColumn]
    /// Each row has as many values as there are columns.
    package private(set) var rows: [[ReportValue]]
    /// A last row apart from the others, such as sums; a value for each column.
    package private(set) var total: [ReportValue]?

    package init(
        title: String? = nil, columns: [ReportColumn], rows: [[ReportValue]] = [], total: [ReportValue]? = nil
    ) {
        self.title = title
        self.columns = columns
        self.rows = []
        self.rows.reserveCapacity(rows.count)
        for row in rows { append(row) }
        self.total = total.map(filled)
    }

    /// The rows, and the total where there is one.
    package var allRows: [[ReportValue]] { total.map { rows + [$0] } ?? rows }

    /// The table with each value changed.
    ///
    /// - Parameter change: gives the value in place of one of a column.
    package func mapped(_ change: (_ column: Int, ReportValue) -> ReportValue) -> ReportTable {
        func changed(_ row: [ReportValue]) -> [ReportValue] { row.enumerated().map { change($0, $1) } }
        return ReportTable(title: title, columns: columns, rows: rows.map(changed), total: total.map(changed))
    }

    /// The table with some of its columns, by their places.
    package func choosing(_ places: [Int]) -> ReportTable {
        func chosen(_ row: [ReportValue]) -> [ReportValue] { places.map { row[$0] } }
        return ReportTable(
            title: title, columns: places.map { columns[$0] }, rows: rows.map(chosen), total: total.map(chosen))
    }

    /// Adds a row; missing values at its end are empty, values beyond the last column are left out.
    package mutating func append(_ row: [ReportValue]) {
        rows.append(filled(row))
    }

    private func filled(_ row: [ReportValue]) -> [ReportValue] {
        row.count == columns.count ? row : columns.indices.map { row.indices.contains($0) ? row[$0] : .none }
    }
}

/// A column of a report's table.
package struct ReportColumn: Hashable, Sendable {
    /// The key under which programs find it.
    package var name: String
    /// What a reader sees; the name where nothing else is said.
    package var label: String
    package var type: ReportColumnType
    /// What people call the codes that it holds; nil: its values are no codes.
    package var codes: ReportCodes?

    package init(name: String, label: String? = nil, type: ReportColumnType = .text, codes: ReportCodes? = nil) {
        self.name = name
        self.label = label ?? name
        self.type = type
        self.codes = codes
    }
}

/// What people call the codes of a column. Programs get the codes.
package struct ReportCodes: Hashable, Sendable {
    /// Names by codes; a code without one stands as it is.
    package var names: [String: String]
    /// Whether readers sort by the codes, as months and weekdays; otherwise they sort by the names.
    package var areInOrder: Bool

    package init(_ names: [String: String], areInOrder: Bool = false) {
        self.names = names
        self.areInOrder = areInOrder
    }
}

/// What a column holds; it decides how people see the values, never the value itself.
///
/// A `percent` column holds percentages: of a plain number, 12.5 is 12.5%.
package enum ReportColumnType: String, Hashable, Sendable, CaseIterable {
    case text, integer, number, boolean, date, instant, money, period, percent

    /// Figures stand at the right, so that their places meet.
    package var isFigure: Bool {
        switch self {
        case .integer, .number, .money, .percent: true
        case .text, .boolean, .date, .instant, .period: false
        }
    }

    /// The type that fits all given values; `text` for a mixture and for nothing, `number` for whole and broken ones.
    package static func fitting(_ values: some Sequence<ReportValue>) -> ReportColumnType {
        var found: ReportColumnType?
        for value in values {
            guard let type = value.columnType else { continue }
            switch (found, type) {
            case (nil, _): found = type
            case (type?, _): break
            case (.integer?, .number), (.number?, .integer): found = .number
            default: return .text
            }
        }
        return found ?? .text
    }
}

extension ReportValue {
    /// The type of a column of such values, nil for an empty cell.
    package var columnType: ReportColumnType? {
        switch self {
        case .none: nil
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .text, .link: .text
        case .date: .date
        case .instant: .instant
        case .money: .money
        case .period: .period
        case .percent: .percent
        }
    }
}
