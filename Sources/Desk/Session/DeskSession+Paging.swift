package import Circulation
import Storage

// Readings that are taken up again after the last id: what an iteration stands on that outlives a transaction.

extension CatalogueService {
    /// The next titles by id.
    package func page(after id: Int64, limit: Int) throws -> [Title] {
        try session.transaction.titles.page(after: id, limit: Int64(limit))
    }
}

extension PatronService {
    /// The next patrons by id.
    package func page(after id: Int64, limit: Int) throws -> [Patron] {
        try session.transaction.patrons.page(after: id, limit: Int64(limit))
    }
}

extension HoldService {
    /// The next holds by id, closed ones too.
    package func page(after id: Int64, limit: Int) throws -> [Hold] {
        try session.transaction.holds.page(after: id, limit: Int64(limit))
    }
}

extension LoanService {
    /// The next loans by id, by state, patron, title, copy and span; `dueBefore` and `imported` do not count here.
    package func page(_ query: LoanQuery, after id: Int64, limit: Int) throws -> [Loan] {
        try session.transaction.loans.page(query, after: id, limit: Int64(limit))
    }
}
