import Circulation
import Desk

/// At the desks.
extension SampleLife {
    /// Takes one to three titles. Of what is out some is waited for; else something like it is taken from the shelves.
    mutating func visit(_ reader: Reader, at branch: String, on day: CivilDate, _ session: DeskSession) throws {
        let atHome = try session.loans.active(of: .id(reader.id)).compactMap(\.title)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            for _ in 0..<8 {
                guard let title = title(for: reader.category) else { return }
                if atHome.contains(title) { continue }
                let copies = try session.catalogue.copies(of: .id(title))
                if let here = copies.first(where: { $0.branch == branch && $0.status == .available }) {
                    if readInHouse.contains(title) {
                        _ = try session.atDesk(of: branch) { try session.loans.useInHouse(barcode: here.barcode) }
                        break
                    }
                    guard try borrow(here.barcode, reader.id, at: branch, on: day, session) else { return }
                    break
                }
                if chance(of: 0.12) {
                    try wait(for: title, reader, copies, on: day, session)
                    break
                }
                if chance(of: 0.005) {
                    try ask(for: title, reader, at: branch, session)
                    break
                }
            }
        }
    }

    /// Who asks at the desk for what is not on the shelf gets a copy of another branch, or hears that there is none.
    private mutating func ask(
        for title: Int64, _ reader: Reader, at branch: String, _ session: DeskSession
    ) throws {
        let wanted = CheckoutRequest(patron: .id(reader.id), wanted: .titles([.id(title)]))
        switch try session.atDesk(of: branch, { try session.loans.checkout(wanted) }) {
        case .done(let loans): for loan in loans { try lent(loan, at: branch) }
        case .refused: summary.refused += 1
        }
    }

    /// - Returns: whether it was lent, or is to be read in the library.
    private mutating func borrow(
        _ barcode: String, _ patron: Int64, at branch: String, on day: CivilDate, _ session: DeskSession
    ) throws -> Bool {
        let request = CheckoutRequest(patron: .id(patron), wanted: .barcode(barcode))
        switch try session.atDesk(of: branch, { try session.loans.checkout(request) }) {
        case .done(let loans):
            for loan in loans { try lent(loan, at: branch) }
            return true
        case .refused(let refusal):
            summary.refused += 1
            // Word gets round of what is not lent: from then on it is read in the house.
            if refusal.code == Refusal.Code.notLent, let copy = try session.catalogue.copy(barcode: barcode) {
                readInHouse.insert(copy.title)
            }
            return false
        }
    }

    /// Plans when it comes back: most in time, some late, a few much later; half of those who would be late renew before.
    private mutating func lent(_ loan: Loan, at branch: String) throws {
        summary.loans += 1
        guard let due = loan.due?.date else { return }
        let lent = zone.date(of: loan.renewedAt ?? loan.lentAt)
        let length = max(1, Int(due.dayNumber) - Int(lent.dayNumber))
        switch Int.random(in: 0..<200, using: &random) {
        case ..<150:
            // Nobody reads at a title for half a year.
            let longest = min(length, 45)
            let days = Int64(Int.random(in: (longest + 2) / 3...longest, using: &random))
            try plan(.bringBack(loan: loan.id, branch: branch), at: branch, from: try lent.adding(days: days))
        case ..<175:
            plan(.renew(loan: loan.id), on: try due.adding(days: -1), from: 8, to: 22)
        case ..<193:
            let late = Int64(Int.random(in: 1...9, using: &random))
            try plan(.bringBack(loan: loan.id, branch: branch), at: branch, from: try due.adding(days: late))
        case ..<199:
            let late = Int64(Int.random(in: 10...45, using: &random))
            try plan(.bringBack(loan: loan.id, branch: branch), at: branch, from: try due.adding(days: late))
        default: try plan(.lose(loan: loan.id, branch: branch), at: branch, from: try due.adding(days: 20))
        }
    }

    mutating func renew(_ id: Int64, on day: CivilDate, _ session: DeskSession) throws {
        guard let loan = try session.loans.get(.id(id)), loan.returnedAt == nil, let patron = loan.patron else {
            return
        }
        let branch = loan.branch ?? ""
        switch try session.asPatron(patron, { try session.loans.renew(.id(id)) }) {
        case .done(let renewed):
            guard let due = renewed.due?.date else { return }
            let days = Int64(Int.random(in: 2...12, using: &random))
            try plan(.bringBack(loan: id, branch: branch), at: branch, from: min(due, try day.adding(days: days)))
        case .refused:
            summary.refused += 1
            try plan(.bringBack(loan: id, branch: branch), at: branch, from: try day.adding(days: 1))
        }
    }

    mutating func bringBack(_ id: Int64, at branch: String, on day: CivilDate, _ session: DeskSession) throws {
        guard case .done(let checkin) = try session.atDesk(of: branch, { try session.loans.checkin(.id(id)) }) else {
            return
        }
        summary.returns += 1
        if let patron = checkin.loan?.patron {
            try settle(patron, at: branch, session)
            if let title = checkin.loan?.title, chance(of: 0.12) {
                plan(.rate(patron: patron, title: title), on: try day.adding(days: 1), from: 18, to: 23)
            }
        }
        try follow(checkin, on: day)
    }

    mutating func scan(_ barcode: String, at branch: String, on day: CivilDate, _ session: DeskSession) throws {
        guard let copy = try session.catalogue.copy(barcode: barcode),
            copy.status == .available || copy.status.isSetAside,
            case .done(let checkin) = try session.atDesk(of: branch, { try session.loans.checkin(.barcode(barcode)) })
        else { return }
        try follow(checkin, on: day)
    }

    /// What becomes of a copy that went through the hands of staff: to the shelf of who waits, or on its way there.
    private mutating func follow(_ checkin: Checkin, on day: CivilDate) throws {
        guard let hold = checkin.hold, let copy = checkin.copy, let patron = hold.patron else { return }
        if hold.state == .shelf {
            let days = Int64(Int.random(in: 1...5, using: &random))
            guard chance(of: 0.9) else { return }
            let fetched = SampleAgenda.Act.fetch(patron: patron, barcode: copy.barcode, branch: hold.pickupBranch)
            try plan(fetched, at: hold.pickupBranch, from: try day.adding(days: days))
        } else {
            try plan(
                .scan(barcode: copy.barcode, branch: hold.pickupBranch), at: hold.pickupBranch,
                from: try day.adding(days: 1))
        }
    }

    mutating func fetch(
        _ patron: Int64, _ barcode: String, at branch: String, on day: CivilDate, _ session: DeskSession
    ) throws {
        guard let copy = try session.catalogue.copy(barcode: barcode), copy.status.isSetAside else { return }
        _ = try borrow(barcode, patron, at: branch, on: day, session)
    }

    private mutating func wait(
        for title: Int64, _ reader: Reader, _ copies: [Copy], on day: CivilDate, _ session: DeskSession
    ) throws {
        guard copies.contains(where: { $0.status == .available || $0.status == .onLoan }) else { return }
        let request = HoldRequest(patron: .id(reader.id), wanted: .title(.id(title)), pickupBranch: reader.home)
        guard case .done = try session.asPatron(reader.id, { try session.holds.place(request) }) else { return }
        summary.holds += 1
        // Staff of the branch that has it fetch it from the shelves by the pull list.
        if let elsewhere = copies.first(where: { $0.status == .available }) {
            try plan(
                .scan(barcode: elsewhere.barcode, branch: elsewhere.branch), at: elsewhere.branch,
                from: try day.adding(days: 1))
        }
    }

    mutating func lose(_ loan: Int64, at branch: String, _ session: DeskSession) throws {
        _ = try session.atDesk(of: branch) {
            try session.loans.markLost(.id(loan), reason: "The reader cannot find it")
        }
    }

    /// Most pay what they owe when they bring a book back.
    private mutating func settle(_ patron: Int64, at branch: String, _ session: DeskSession) throws {
        let owed = try session.fees.owed(by: .id(patron))
        guard owed.minorUnits > 0, chance(of: 0.8) else { return }
        _ = try session.atDesk(of: branch) { try session.fees.pay(.id(patron), amount: owed) }
    }
}
