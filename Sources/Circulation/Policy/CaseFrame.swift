/// What the parts of a case are read against.
struct CaseFrame {
    var point = DecisionPoint.checkout
    var zone = Zone.utc
    var currency = Currency.eur
    var branch = "main"
    var calendar = OpeningCalendar.alwaysOpen
    /// 2026-01-15 at noon in UTC.
    var now = Instant(seconds: 1_768_478_400)

    /// Whether a title is asked for at the point.
    var lends: Bool { point == .checkout || point == .due }
}
