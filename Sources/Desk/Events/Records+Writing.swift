import Circulation
import Storage
import TextFormats

// What each record looks like in a payload. What is personal is not written.

extension JSONWriter {
    mutating func members(of library: LibrarySettings) {
        member("name", library.name)
        member("zone", library.zone.identifier)
        member("currency", library.currency.code)
    }

    mutating func members(of branch: Branch) {
        member("code", branch.code)
        member("name", branch.name)
        member("parent", branch.parent)
        member("zone", branch.zone?.identifier)
        key("calendar")
        value(branch.calendar.json)
    }

    mutating func members(of category: Category) {
        member("code", category.code)
        member("name", category.name)
        member("parent", category.parent)
    }

    mutating func members(of itemType: ItemType) {
        member("code", itemType.code)
        member("name", itemType.name)
        member("parent", itemType.parent)
    }

    mutating func members(of title: Title) {
        member("id", title.id)
        member("isbn", title.isbn?.digits13)
        member("title", title.title)
        member("authors", title.authors)
        member("publisher", title.publisher)
        member("year", title.year)
        member("language", title.language)
        member("genres", title.genres)
        member("subjects", title.subjects)
        if !title.courses.isEmpty {
            list("courses", title.courses) { writer, course in
                writer.member("code", course.code)
                writer.member("name", course.name)
            }
        }
        member("college", title.college)
        member("edition", title.edition)
        member("description", title.description)
        member("cover_url", title.coverURL)
        member("preview_url", title.previewURL)
        member("stars", title.stars)
        mark("recommended", title.recommended)
        member("extra", title.extra)
    }

    mutating func members(of copy: Copy) {
        member("id", copy.id)
        member("barcode", copy.barcode)
        member("title", copy.title)
        member("branch", copy.branch)
        member("item_type", copy.itemType)
        member("status", copy.status.rawValue)
        member("replacement_price", copy.replacementPrice)
    }

    /// Without name, surname, username, e-mail, phone, birth date and `extra`.
    mutating func members(of patron: Patron) {
        member("id", patron.id)
        member("category", patron.category)
        member("home_branch", patron.homeBranch)
        member("language", patron.language)
        member("expires_on", patron.expiresOn)
        member("role", patron.role.rawValue)
    }

    /// Without its reason, which is staff's own words about a person.
    mutating func members(of block: PatronBlock) {
        member("id", block.id)
        member("patron", block.patron)
        member("kind", block.kind)
        member("actions", BlockFacts.Action.allCases.filter(block.actions.contains).map(\.rawValue))
        member("created_at", block.createdAt)
        member("ends", block.ends)
        member("lifted_at", block.liftedAt)
    }

    mutating func members(of loan: Loan) {
        member("id", loan.id)
        member("copy", loan.copy)
        member("title", loan.title)
        member("patron", loan.patron)
        member("category", loan.category)
        member("home_branch", loan.homeBranch)
        member("item_type", loan.itemType)
        member("branch", loan.branch)
        member("lent_at", loan.lentAt)
        due(loan.due)
        if loan.originalDueAt != loan.due?.instant { member("original_due_at", loan.originalDueAt) }
        member("returned_at", loan.returnedAt)
        if loan.renewals != 0 { member("renewals", loan.renewals) }
        if loan.unseenRenewals != 0 { member("unseen_renewals", loan.unseenRenewals) }
        member("renewed_at", loan.renewedAt)
        member("recalled_at", loan.recalledAt)
        member("lost_at", loan.lostAt)
        member("claimed_at", loan.claimedAt)
        mark("on_site", loan.onSite)
        member("channel", loan.channel?.rawValue)
        member("policy", loan.policy)
        member("import_key", loan.importKey)
    }

    /// Without subject and body, which name the patron.
    mutating func members(of notice: Notice) {
        member("id", notice.id)
        member("kind", notice.kind)
        member("subject_key", notice.subjectKey)
        member("patron", notice.patron)
        member("loan", notice.loan)
        member("due_at", notice.dueAt)
        member("stage", notice.stage)
        if notice.repetition != 0 { member("repetition", notice.repetition) }
        member("channel", notice.channel)
        member("state", notice.state.rawValue)
        member("created_at", notice.createdAt)
        member("sent_at", notice.sentAt)
        member("read_at", notice.readAt)
        if notice.tries != 0 { member("tries", notice.tries) }
        member("carried_by", notice.carriedBy)
        member("failure", notice.failure)
    }

    mutating func members(of entry: LedgerEntry) {
        member("id", entry.id)
        member("key", entry.key)
        member("patron", entry.patron)
        member("loan", entry.loan)
        member("kind", entry.kind.rawValue)
        member("amount", entry.amount)
        member("label", entry.label)
        member("at", entry.at)
    }

    mutating func members(of activation: PolicyActivation) {
        member("id", activation.id)
        member("policy", activation.policy)
        member("name", activation.name)
        member("effective_from", activation.effectiveFrom)
        member("activated_at", activation.activatedAt)
        member("actor", activation.actor)
        member("note", activation.note)
        if activation.isRetroactive { member("retroactive", true) }
        member("withdrawn_at", activation.withdrawnAt)
    }
}
