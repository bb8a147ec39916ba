import Circulation

extension ReportTable {
    /// How the values of each column are written.
    func formats(zone: Zone?, style: ValueFormat.Style) -> [ValueFormat] {
        columns.indices.map { column in
            ValueFormat(
                columns[column].type, values: allRows.lazy.map { $0[column] }, zone: zone, style: style,
                codes: columns[column].codes)
        }
    }

    /// The table with its values as they stand in fixed-width type, the types of its columns as they were.
    func inWords(zone: Zone?) -> ReportTable {
        let formats = formats(zone: zone, style: .plain)
        return mapped { column, value in value == .none ? value : .text(formats[column].text(value)) }
    }
}

extension ValueFormat {
    /// A value that stands alone.
    static func single(_ value: ReportValue, zone: Zone?, style: Style) -> String {
        ValueFormat(value.columnType ?? .text, values: CollectionOfOne(value), zone: zone, style: style).text(value)
    }
}
