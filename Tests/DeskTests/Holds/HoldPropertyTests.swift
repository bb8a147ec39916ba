import Circulation
import Desk
import TestSupport
import Testing

@Suite("Random operations on holds")
struct HoldPropertyTests {
    @Test(
        "whatever is done with holds in whatever order, each copy and each hold is in one place",
        arguments: [1, 2, 3, 4] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Self.library()
        var done = 0
        for step in 0..<120 {
            if try perform(library, &random) { done += 1 }
            try expectInvariants(library, "seed \(seed), step \(step)")
        }
        try library.expectSound()
        // A test in which everything is refused would prove nothing.
        let kinds = Set(try library.desk.read { try $0.events.list(EventQuery()) }.map(\.kind))
        #expect(done > 40)
        #expect(
            kinds.isSuperset(of: ["hold.placed", "hold.shelved", "hold.filled", "hold.cancelled", "loan.recalled"]))
    }

    @Test(
        "the policy that decided leads to the same past when it happens once more",
        arguments: Array(1...60) as [UInt64])
    func happensAgain(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Self.library()
        for _ in 0..<120 { _ = try perform(library, &random) }
        let (witness, summary) = try library.replay(Self.policy, ReplayPlan(mode: .candidate))
        #expect(witness.contradictions == [], "seed \(seed)")
        #expect(witness.differences == [], "seed \(seed)")
        #expect(witness.moved == [] && summary.void == 0 && summary.requests > 20, "seed \(seed)")
    }

    @Test("a sample asks as many requests as it says, of whatever was refused", arguments: [1, 2, 3, 4] as [UInt64])
    func sample(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Self.library()
        for _ in 0..<120 { _ = try perform(library, &random) }
        let refused = try library.refusals()
        #expect(refused.contains { $0.isDecided } && refused.contains { !$0.isDecided && $0.isOfLending })
        #expect(refused.contains { !$0.isOfLending })
        let (_, all) = try library.replay(Self.policy)
        for wanted in [1, all.requests / 2, all.requests - 1, all.requests] {
            let (_, summary) = try library.replay(Self.policy, ReplayPlan(sample: wanted, seed: seed))
            #expect(summary.requests == wanted, "seed \(seed)")
        }
    }

    private static let policy = PolicySpec(
        tables: Library.tables(limit: 4, fields: ["hold_shelf": .period(.days(3)), "holds": .integer(4)])
    ) { question, decision in
        var decision = decision
        if question.point == .hold, question.patron.id % 3 == 0 { decision.priority = 1 }
        if question.point == .recall, let date = try? question.today.adding(days: 2) {
            let due = DueTime(instant: question.zone.startOfDay(date), date: date, isExact: false)
            if let loan = question.loan, due.instant < loan.dueAt { decision.due = due }
        }
        return decision
    }

    private static func library() throws -> Library {
        let library = try Library(policy: policy)
        for name in ["dan", "eve", "fay"] {
            _ = try library.desk.write { try $0.patrons.add(Library.patron(name)).get() }
        }
        return library
    }

    /// - Returns: whether it was done rather than refused.
    private func perform(_ library: Library, _ random: inout SplitMix) throws -> Bool {
        let patron = PatronKey.id(Int64.random(in: 1...6, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...3, using: &random))
        let queue = try library.desk.read { try $0.holds.queue(of: title) }
        let hold = queue.randomElement(using: &random)?.hold.id ?? 1
        let choice = Int.random(in: 0..<20, using: &random)
        let days = Int64.random(in: 0...4, using: &random)
        let branch = Bool.random(using: &random) ? "main" : "north"
        let copies = try library.desk.read { try $0.catalogue.copies(of: title) }
        let barcode = copies.randomElement(using: &random)?.barcode ?? ""
        let actor = Actor(name: "desk", role: .staff, channel: .desk, branch: branch)
        if choice == 19 {
            try library.pass(days: days)
            return try library.desk.sweep().holdsExpired > 0
        }
        return try library.desk.acting(as: actor).write { session in
            switch choice {
            case 0...4:
                return try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title]))).value
                    != nil
            case 5:
                return try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .barcode(barcode))).value
                    != nil
            case 6...9: return try session.loans.checkin(.barcode(barcode)).value != nil
            case 10...12:
                let expires = try session.now.adding(hours: 24 * days)
                return try session.holds.place(
                    HoldRequest(
                        patron: patron, wanted: .title(title), pickupBranch: branch,
                        expiresOn: days == 0 ? nil : Zone.utc.date(of: expires))
                ).value != nil
            case 13:
                return try session.holds.place(HoldRequest(patron: patron, wanted: .copy(barcode))).value != nil
            case 14: return try session.holds.cancel(hold).value != nil
            case 15: return try session.holds.move(hold, to: days + 1).value != nil
            case 16: return try session.holds.suspend(hold, until: Zone.utc.date(of: session.now)).value != nil
            case 17: return try session.holds.setPickup(hold, branch: branch).value != nil
            default:
                if copies.count > 2 { return try session.catalogue.withdrawCopy(barcode: barcode).value != nil }
                return try session.catalogue.addCopies(of: title, count: 1).value != nil
            }
        }
    }

    private func expectInvariants(_ library: Library, _ place: Comment) throws {
        try library.desk.read { session in
            for title in Int64(1)...3 {
                let copies = try session.catalogue.copies(of: .id(title))
                let holds = try session.holds.queue(of: .id(title))
                for copy in copies {
                    let set = holds.map(\.hold).filter { $0.isSetAside && $0.heldCopy == copy.id }
                    let isSetAside = copy.status == .onHoldShelf || copy.status == .inTransit
                    #expect(set.count == (isSetAside ? 1 : 0), place)
                    #expect(set.allSatisfy { ($0.state == .shelf) == (copy.status == .onHoldShelf) }, place)
                    #expect(set.allSatisfy { $0.copy == nil || $0.copy == copy.id }, place)
                    let isLent = try session.loans.get(.barcode(copy.barcode)) != nil
                    #expect(isLent == (copy.status == .onLoan), place)
                }
                let waiting = holds.map(\.hold).filter { $0.state == .waiting }
                #expect(zip(waiting, waiting.dropFirst()).allSatisfy { $0.precedes($1) }, place)
                #expect(holds.compactMap(\.position) == waiting.indices.map { Int64($0) + 1 }, place)
                #expect(Set(waiting.map { [$0.patron ?? 0, $0.copy ?? 0] }).count == waiting.count, place)
                let counts = try session.catalogue.counts(of: title)
                let elsewhere = copies.count { $0.status != .available && $0.status != .withdrawn }
                #expect(counts.available == counts.copies - Int64(elsewhere), place)
            }
            var loans: Set<Int64> = []
            try session.events.each(EventQuery(kind: "hold.filled")) { event in
                if let change = try event.body().content(HoldChange.self), let loan = change.hold.loan {
                    #expect(loans.insert(loan).inserted, place)
                }
                return true
            }
        }
    }
}
