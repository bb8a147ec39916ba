import Circulation
import TextFormats

extension FactPlan {
    /// What borrowing costs.
    func readRentalTerms() throws {
        var amount = try given.money("rental_charge")
        for (key, unit) in [("rental_per_day", "days(1)"), ("rental_per_hour", "hours(1)")] {
            guard let rate = try given.money(key) else { continue }
            amount = rate
            policy.everything["rental_per"] = unit
        }
        guard let amount else { return }
        let discount = try given.number("discount_percent") ?? 0
        guard (0...100).contains(discount) else { throw given.unreadable("discount_percent") }
        let share = discount == 0 ? "" : " * percent \"\(100 - discount)\""
        policy.everything["rental"] = LuaText.money(amount) + share
        if let counts = try given.flag("count_closed") { policy.everything["rental_closed_days"] = "\(counts)" }
    }
}
