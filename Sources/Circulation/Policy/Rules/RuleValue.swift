package import TextFormats

/// The value of one field of a rule row.
package enum RuleValue: Hashable, Sendable {
    /// Sets the field to nothing and stops the search.
    case none
    case unlimited
    case boolean(Bool)
    case integer(Int64)
    case text(String)
    case period(Period)
    case money(Money)
    case date(CivilDate)
    case fineSteps([FineStep])
    /// A free field of the library's own.
    case free(JSON)
}

/// One step of a stepped fine: what each day between two lengths of lateness costs.
package struct FineStep: Hashable, Sendable {
    package var from: Period
    /// nil: without end.
    package var to: Period?
    package var fine: Money

    package init(from: Period, to: Period?, fine: Money) {
        self.from = from
        self.to = to
        self.fine = fine
    }
}
