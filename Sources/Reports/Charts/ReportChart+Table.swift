import Circulation

extension ReportChart {
    /// The figures of the chart as a table, for forms that draw nothing.
    var table: ReportTable {
        let columns =
            [ReportColumn(name: labelTitle ?? "label")]
            + series.enumerated().map { index, series in
                let name = series.name.isEmpty ? valueTitle ?? "value \(index + 1)" : series.name
                let label = unit.map { $0 == name ? name : "\(name) (\($0))" }
                return ReportColumn(name: name, label: label, type: .number)
            }
        let rows = labels.indices.map { index -> [ReportValue] in
            [.text(labels[index])]
                + series.map { series in
                    let value = series.values.indices.contains(index) ? series.values[index] : nil
                    return value.map(ReportValue.plain) ?? .none
                }
        }
        return ReportTable(title: title, columns: columns, rows: rows)
    }
}
