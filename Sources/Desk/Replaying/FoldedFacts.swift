import Circulation
import Storage

/// What the events so far made of patrons, titles, copies and loans, kept between questions: most of what is asked was
/// asked before, and an event says what it changes. What is not kept, or no longer, is read from the folded tables.
///
/// It answers as the tables would, ``FactRepository`` first of all; every change of the tables is passed to it.
final class FoldedFacts {
    final class KnownPatron {
        /// Without what depends on the moment of the question.
        var facts: PatronFacts
        /// Those that are not lifted, by id.
        var blocks: [BlockFacts]
        /// Of its open loans, by id; none of their copies is lost.
        var loans: [Int64]

        init(facts: PatronFacts, blocks: [BlockFacts], loans: [Int64]) {
            self.facts = facts
            self.blocks = blocks
            self.loans = loans
        }
    }

    let transaction: Transaction
    var patrons: [Int64: KnownPatron] = [:]
    /// Titles without waiting holds; all their copies are among the known ones.
    var titles: [Int64: TitleFacts] = [:]
    var copies: [Int64: Copy] = [:]
    var loans: [Int64: Loan] = [:]
    /// Known loans about which no notice was recorded since they were made.
    var silent: Set<Int64> = []
    private let most: Int

    /// - Parameter most: how many records are kept of a kind, so that memory does not grow with the library.
    init(_ transaction: Transaction, most: Int = 20_000) {
        self.transaction = transaction
        self.most = most
    }

    func forgetAll() {
        patrons.removeAll(keepingCapacity: true)
        forgetTitles()
        forgetLoans()
    }

    func forgetTitles() {
        titles.removeAll(keepingCapacity: true)
        copies.removeAll(keepingCapacity: true)
    }

    func forgetLoans() {
        loans.removeAll(keepingCapacity: true)
        silent.removeAll(keepingCapacity: true)
    }

    /// Lets go of what is too much.
    func trim() {
        if patrons.count > most { patrons.removeAll(keepingCapacity: true) }
        if titles.count > most || copies.count > 4 * most { forgetTitles() }
        if loans.count > most { forgetLoans() }
    }
}

// MARK: - Reading

extension FoldedFacts {
    func loan(_ id: Int64) throws -> Loan? {
        if let loan = loans[id] { return loan }
        let loan = try transaction.loans.get(id)
        if let loan, loan.returnedAt == nil { loans[id] = loan }
        return loan
    }

    func copy(_ id: Int64) throws -> Copy? {
        if let copy = copies[id] { return copy }
        let copy = try transaction.copies.get(id)
        copies[id] = copy
        return copy
    }

    func notices(loan: Int64, dueAt: Instant) throws -> [NoticeFacts] {
        silent.contains(loan) ? [] : try transaction.notices.facts(loan: loan, dueAt: dueAt)
    }

    func title(_ id: Int64, askedBy patron: Int64, copy: Int64?, today: CivilDate) throws -> TitleFacts? {
        if let known = titles[id] { return known }
        guard let facts = try transaction.facts.title(id, askedBy: patron, copy: copy, today: today) else { return nil }
        if try transaction.holds.waiting(title: id).isEmpty {
            for copy in try transaction.copies.of(title: id) { copies[copy.id] = copy }
            titles[id] = facts
        }
        return facts
    }

    func patron(_ id: Int64, now: Instant, today: CivilDate) throws -> PatronFacts? {
        if let known = patrons[id] { return facts(of: known, now: now, today: today) }
        guard let facts = try transaction.facts.patron(id, now: now, today: today) else { return nil }
        let blocks = try transaction.blocks.inForce(patron: id, today: .earliest).map {
            BlockFacts(kind: $0.kind, ends: $0.ends, actions: $0.actions)
        }
        let loans = try transaction.loans.open(patron: id).map(\.id)
        let known = KnownPatron(facts: facts, blocks: blocks, loans: loans)
        if facts.lost == 0, self.facts(of: known, now: now, today: today) == facts { patrons[id] = known }
        return facts
    }

    private func facts(of known: KnownPatron, now: Instant, today: CivilDate) -> PatronFacts {
        var facts = known.facts
        facts.blocks = []
        facts.suspendedUntil = nil
        for block in known.blocks
        where block.ends.map({ today <= $0 }) ?? true { facts.add(block) }
        facts.overdue = Int64(facts.loans.count { !$0.isClaimed && ($0.dueAt.map { $0 <= now } ?? false) })
        return facts
    }
}
