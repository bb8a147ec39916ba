package import Circulation

/// What the values of a Lua state are reckoned with: the library's currency, and the zone and calendar of the branch.
///
/// One context belongs to one state. Its owner sets it before each question; the values themselves carry none of it.
package final class LuaValueContext {
    /// What `money "0.20"` means.
    package var currency: Currency
    /// Where an instant's date and hour are read.
    package var zone: Zone
    /// What open days are counted by.
    package var calendar: OpeningCalendar

    package init(currency: Currency = .eur, zone: Zone = .utc, calendar: OpeningCalendar = .alwaysOpen) {
        self.currency = currency
        self.zone = zone
        self.calendar = calendar
    }
}
