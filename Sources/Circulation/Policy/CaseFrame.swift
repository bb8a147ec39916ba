/// What the parts of a case are read against, the same for all of them.
final class CaseFrame {
    /// The records as the library has them.
    let records: LibraryCase
    var point = DecisionPoint.checkout
    var zone = Zone.utc
    var currency = Currency.eur
    var branches = ["main"]
    var calendar = OpeningCalendar.alwaysOpen
    var event = NotifyEvent.holdReady
    var now = Instant.ofPlainCase

    init(_ records: LibraryCase) { self.records = records }

    /// Whether a title is asked for at the point.
    var lends: Bool { point == .checkout || point == .due }

    /// Whether a title and a copy of it are looked at.
    var hasTitle: Bool { lends || point.isAboutLoan || point == .hold || point == .notify }

    var hasCopy: Bool { hasTitle && !(point == .notify && event.isAboutMarket) }

    var hasLoan: Bool { point.isAboutLoan || point == .notify && event.isAboutLoan }

    var hasHold: Bool { point == .hold || point == .recall || point == .notify && event.isAboutHold }
}

extension Instant {
    /// 2026-01-15 at noon in UTC: when it is in a case that does not say so.
    package static let ofPlainCase = Instant(seconds: 1_768_478_400)
}
