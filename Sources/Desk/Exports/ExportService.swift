package import Circulation
import Storage

/// What leaves the house, record by record, each kind by id.
package struct ExportService {
    package let session: DeskSession

    private var transaction: Transaction { session.transaction }

    /// All blocks of a patron, past and lifted ones too, the oldest first.
    package func blocks(of patron: Int64) throws -> [PatronBlock] { try transaction.blocks.of(patron: patron) }

    /// All links between patrons.
    package func patronLinks(_ body: (PatronLink) throws -> Bool) throws { try transaction.patronLinks.forEach(body) }

    /// All ratings of titles.
    package func ratings(_ body: (Rating) throws -> Bool) throws { try transaction.ratings.forEach(body) }

    /// All lists of titles.
    package func titleLists(_ body: (TitleList) throws -> Bool) throws { try transaction.titleLists.forEach(body) }

    /// All lines of all accounts; a line whose patron was removed names patron 0.
    package func ledger(_ body: (LedgerEntry) throws -> Bool) throws { try transaction.ledger.forEach(body) }

    /// All messages, in whatever state.
    package func notices(_ body: (Notice) throws -> Bool) throws {
        try transaction.notices.forEach(NoticeQuery(), body)
    }

    /// All uses in the house.
    package func inHouseUses(_ body: (InHouseUse) throws -> Bool) throws { try transaction.inHouseUses.forEach(body) }

    /// All activations in the order in which they were decided.
    package func activations() throws -> [PolicyActivation] { try transaction.policies.history() }

    /// When a loan was renewed, the first renewal first; fewer than it counts where the others are unknown.
    package func renewals(of loan: Int64) throws -> [Instant] { try transaction.events.renewals(of: loan) }

    package func loan(_ id: Int64) throws -> Loan? { try transaction.loans.get(id) }
}

extension DeskSession {
    package var exports: ExportService { ExportService(session: self) }
}
