package import Circulation
import TextFormats

/// What the fields of a template stand for.
package struct TemplateContext: Hashable, Sendable {
    /// All fields that a template may name.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case patronName = "patron.name"
        case patronSurname = "patron.surname"
        case patronUsername = "patron.username"
        case title = "title.title"
        case titleAuthors = "title.authors"
        case titleISBN = "title.isbn"
        case loanDue = "loan.due"
        case loanDueAt = "loan.due_at"
        case loanLentAt = "loan.lent_at"
        case loanRenewals = "loan.renewals"
        case loanDaysOverdue = "loan.days_overdue"
        case copyBarcode = "copy.barcode"
        case copyItemType = "copy.item_type"
        case copyBranch = "copy.branch"
        case holdPickupBranch = "hold.pickup_branch"
        case holdUntil = "hold.until"
        case holdFetchBy = "hold.fetch_by"
        case saleTitle = "sale.title"
        case saleLines = "sale.lines"
        case saleTotal = "sale.total"
        case saleEnds = "sale.ends"
        case saleUntil = "sale.until"
        case saleDecision = "sale.decision"
        case saleMessage = "sale.message"
        case branch = "branch"
        case branchName = "branch.name"
        case branchCode = "branch.code"
        case library = "library"
        case libraryName = "library.name"
        case reasonMessage = "reason.message"
        case reasonCount = "reason.count"
        case reasonLimit = "reason.limit"
        case reasonUntil = "reason.until"
        case count
        case list
    }

    /// Where a template stands.
    package enum Use: Hashable, Sendable, CaseIterable {
        /// `subject` and `body` of a notice.
        case notice
        /// `messages`.
        case message
        /// `subject` and `body` of `many`: several notices in one.
        case digest
    }

    package var patron: Patron?
    package var title: Title?
    package var copy: Copy?
    package var loan: Loan?
    package var hold: Hold?
    /// Where the hold is picked up.
    package var pickupBranch: Branch?
    /// What was bought, rented, offered or suggested.
    package var sale: SaleWords?
    package var branch: Branch?
    package var library: LibrarySettings
    package var now: Instant
    /// What speaks against a request, in the desk's own words.
    package var reason: Refusal.Reason?
    /// The lines of several notices in one.
    package var digest: [String]?

    /// The field's text, nil where there is nothing to say.
    package subscript(field: Field) -> String? {
        switch field {
        case .patronName: patron?.name
        case .patronSurname: patron?.surname
        case .patronUsername: patron?.username
        case .title: title?.title
        case .titleAuthors: title?.authors.joined(separator: ", ")
        case .titleISBN: title?.isbn?.digits13
        case .loanDue: loan?.due.map { $0.isExact ? local($0.instant) : $0.date.description }
        case .loanDueAt: (loan?.due?.instant).map(local)
        case .loanLentAt: (loan?.lentAt).map(local)
        case .loanRenewals: loan.map { String($0.renewals) }
        case .loanDaysOverdue: (loan?.due?.date).map { String(max(0, zone.date(of: now).days(since: $0))) }
        case .copyBarcode: copy?.barcode
        case .copyItemType: copy?.itemType
        case .copyBranch: copy?.branch
        case .holdPickupBranch: pickupBranch.map(\.words) ?? hold?.pickupBranch
        case .holdUntil: hold?.shelfUntil.map(shelfDate)
        case .holdFetchBy: hold?.shelfUntil.map { "Please pick it up by \(shelfDate($0))." }
        case .saleTitle: sale?.title
        case .saleLines: sale?.lines.map(\.words).joined(separator: "\n")
        case .saleTotal: sale?.total?.description
        case .saleEnds: sale?.ends?.description
        case .saleUntil: sale?.ends.map { "It is due back on \($0)." }
        case .saleDecision: sale?.decision
        case .saleMessage: sale?.message
        case .branch, .branchName: branch.map(\.words)
        case .branchCode: branch?.code
        case .library, .libraryName: library.name
        case .reasonMessage: reason?.message
        case .reasonCount: figure("count")
        case .reasonLimit: figure("limit")
        case .count: digest.map { String($0.count) }
        case .list: digest.map { $0.joined(separator: "\n") }
        case .reasonUntil: figure("until") ?? figure("expired_on") ?? figure("soonest") ?? figure("due")
        }
    }

    private func figure(_ name: String) -> String? {
        switch reason?.figures[name] {
        case .integer(let number): String(number)
        case .string(let text): text
        default: nil
        }
    }

    private var zone: Zone { branch?.zone ?? library.zone }

    /// The day until which a copy stays on the shelf, or the time where that is not a whole day.
    private func shelfDate(_ end: Instant) -> String {
        let zone = pickupBranch?.zone ?? library.zone
        let (date, time) = zone.local(of: end)
        return time.secondsSinceMidnight == 86_399 ? date.description : "\(date) \(time)"
    }

    /// `2026-12-24 18:00`, as the clocks of the branch show it.
    private func local(_ instant: Instant) -> String {
        let (date, time) = zone.local(of: instant)
        return "\(date) \(time)"
    }
}

extension TemplateContext.Field {
    /// Where the field has something to say.
    package var uses: Set<TemplateContext.Use> {
        switch self {
        case .reasonMessage, .reasonCount, .reasonLimit, .reasonUntil: [.message]
        case .count, .list: [.digest]
        case .patronName, .patronSurname, .patronUsername, .branch, .branchName, .branchCode, .library, .libraryName:
            [.notice, .message, .digest]
        default: [.notice, .message]
        }
    }

    /// The fields that templates of one use may name.
    package static func all(for use: TemplateContext.Use) -> [TemplateContext.Field] {
        allCases.filter { $0.uses.contains(use) }
    }
}

extension Branch {
    /// What people call it.
    fileprivate var words: String { name.isEmpty ? code : name }
}
