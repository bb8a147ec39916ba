import Circulation
import Storage

// What another system said of its loans before they came along.
extension ImportService {
    /// Until when all that was to be said of an open loan is said.
    ///
    /// Of a loan of which the other system said nothing, that is the moment when it was lent: a sweep says of it what it says of
    /// every loan.
    func said(of loan: Loan, _ terms: ArrivalTerms) throws -> Instant? {
        switch terms.told {
        case .unknown: terms.noticesSentUntil
        case .nothing: max(terms.noticesSentUntil ?? loan.lentAt, loan.lentAt)
        case .late(let moment):
            max(terms.noticesSentUntil ?? loan.lentAt, try isLate(loan, at: moment) ? moment : loan.lentAt)
        }
    }

    /// Notes of the loans of a title that came along with a patron that the other system told, up to now, that they are late.
    ///
    /// Loans that are not late, were made here, or of which it is noted already stay as they are.
    package func told(_ patron: Int64, ofTitle title: Int64) throws {
        for loan in try session.loans.active(of: .id(patron)) where loan.title == title {
            guard let until = loan.noticesSentUntil, until < session.now, try isLate(loan, at: session.now) else {
                continue
            }
            var told = loan
            told.noticesSentUntil = session.now
            try session.record(.loanTold, told)
        }
    }

    /// Whether a loan has reached the day on which it is due: from its beginning on such systems call it late.
    private func isLate(_ loan: Loan, at moment: Instant) throws -> Bool {
        guard let due = loan.due else { return false }
        return try session.settings.library().zone.startOfDay(due.date) <= moment
    }
}
