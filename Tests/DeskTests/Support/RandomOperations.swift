import Circulation
import Desk
import TestSupport

/// What happens in a library, by chance.
extension Library {
    /// Does something that staff, patrons or the clock do; it may be refused.
    func perform(_ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...4, using: &random))
        let other = TitleKey.id(Int64.random(in: 1...3, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...30, using: &random))
        let choice = Int.random(in: 0..<22, using: &random)
        let days = Int64.random(in: 0...6, using: &random)
        let cents = Money(minorUnits: Int64.random(in: 1...300, using: &random), currency: .eur)
        if choice > 19 { try pass(days: days) }
        try desk.write { session in
            switch choice {
            case 0...2: _ = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title])))
            case 3, 4:
                _ = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title, other])))
            case 5:
                _ = try session.loans.checkout(
                    CheckoutRequest(patron: patron, wanted: .barcode("00000001000\(days % 3)")))
            case 6...8: _ = try session.loans.checkin(loan)
            case 9: _ = try session.loans.checkin(loan, at: session.now.adding(hours: -24 * days))
            case 10, 11: _ = try session.loans.renew(loan)
            case 12:
                _ = try session.holds.place(
                    HoldRequest(patron: patron, wanted: .title(title), pickupBranch: days < 3 ? "main" : "north"))
            case 13: _ = try session.catalogue.addCopies(of: title, count: 1)
            case 14: _ = try session.patrons.add(Library.patron("extra\(days)"))
            case 15: _ = try session.fees.pay(patron, amount: cents)
            case 16: _ = try session.loans.markLost(loan)
            case 17: _ = try session.loans.markFound(loan)
            case 18: _ = try session.loans.claimReturned(loan, at: session.now.adding(hours: -24 * days))
            case 19: _ = try session.patrons.unblock(patron)
            default: _ = try session.notices.sweep()
            }
        }
    }

    /// Changes what facts are made of, beside lending.
    func alter(_ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...4, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...30, using: &random))
        let choice = Int.random(in: 0..<5, using: &random)
        let days = Int64.random(in: 0...6, using: &random)
        try desk.write { session in
            switch choice {
            case 0:
                let date = try Zone.utc.date(of: session.now).adding(days: days)
                _ = try session.loans.setDue(loan, date: date, reason: "asked for")
            case 1: _ = try session.catalogue.update(title) { $0.genres = days < 3 ? ["novel"] : [] }
            case 2: _ = try session.catalogue.updateCopy(barcode: "00000001000\(days % 3)") { $0.branch = "north" }
            case 3:
                _ = try session.patrons.block(patron, kind: "manual", ends: days < 3 ? .latest : nil)
                let linked = PatronKey.id(days + 1)
                let kind: PatronLink.Kind = days < 3 ? .guardian : .household
                if try session.patrons.link(patron, to: linked, as: kind).value == nil {
                    _ = try session.patrons.unlink(patron, from: linked, as: kind)
                }
            default:
                _ = try session.fees.charge(
                    patron, amount: Money(minorUnits: days + 1, currency: .eur), label: "Copies")
            }
        }
    }
}
