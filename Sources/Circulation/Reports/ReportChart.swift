/// A chart of a report, as data: labels along one axis and one or more series of figures.
package struct ReportChart: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case bar, line, area, pie }

    /// A row of figures, one for each label; nil where there is none.
    package struct Series: Hashable, Sendable {
        package var name: String
        package var values: [Double?]

        package init(name: String, values: [Double?]) {
            self.name = name
            self.values = values
        }
    }

    package var kind: Kind
    package var title: String?
    package var labels: [String]
    package var series: [Series]
    /// What the labels are, and what is counted.
    package var labelTitle: String?
    package var valueTitle: String?
    /// What a figure is a number of, such as `EUR` or `%`; nil where the titles say it.
    package var unit: String?
    /// Bars and areas of several series stand on one another instead of side by side.
    package var isStacked: Bool

    package init(
        kind: Kind, title: String? = nil, labels: [String], series: [Series], labelTitle: String? = nil,
        valueTitle: String? = nil, unit: String? = nil, isStacked: Bool = false
    ) {
        self.kind = kind
        self.title = title
        self.labels = labels
        self.series = series
        self.labelTitle = labelTitle
        self.valueTitle = valueTitle
        self.unit = unit
        self.isStacked = isStacked
    }
}
