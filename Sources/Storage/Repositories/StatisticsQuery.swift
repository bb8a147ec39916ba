package import Circulation

/// What of circulation is counted.
package struct StatisticsQuery: Hashable, Sendable {
    package var group: LoanGroup
    package var measure: LoanMeasure
    /// The first day; nil: from the beginning.
    package var from: CivilDate?
    /// The last day; nil: to the end.
    package var to: CivilDate?
    /// In whose days to count.
    package var zone: Zone
    /// Only what was lent there.
    package var branch: String?

    package init(
        group: LoanGroup, measure: LoanMeasure = .loans, from: CivilDate? = nil, to: CivilDate? = nil,
        zone: Zone, branch: String? = nil
    ) {
        self.group = group
        self.measure = measure
        self.from = from
        self.to = to
        self.zone = zone
        self.branch = branch
    }
}
