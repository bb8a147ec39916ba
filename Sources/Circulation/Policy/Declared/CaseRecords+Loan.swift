/// The loan of a case, whose lateness is reckoned at the case's `now` and in its calendar.
package struct LoanInCase: Sendable {
    var loan: LoanFacts
    let question: Case
}

extension CaseRecords {
    package static let loan = CaseRecord<LoanInCase>(
        "case.loan", "The loan in question.",
        [
            .init("id", \.loan.id, isSigned: true) { $0.loan.id },
            .init("lent_at", \.loan.lentAt) { $0.loan.lentAt },
            .init("due_at") { $0.loan.dueAt },
            .init("original_due_at", \.loan.originalDueAt, "before renewals and changes") { $0.loan.originalDueAt },
            .init("renewals", \.loan.renewals) { $0.loan.renewals },
            .init("unseen_renewals", \.loan.unseenRenewals, "renewals since the copy was last seen") {
                $0.loan.unseenRenewals
            },
            .init("recalled_at", \.loan.recalledAt) { $0.loan.recalledAt },
            .init("lost_at", \.loan.lostAt, "when its copy was declared lost") { $0.loan.lostAt },
            .init("claimed_at", \.loan.claimedAt, "when the patron said that the copy was returned") {
                $0.loan.claimedAt
            },
            .init("on_site", \.loan.onSite, "whether it is read in the library", writing: .ifTelling) {
                $0.loan.onSite
            },
            .init("days_overdue", "0 on the day it is due and before it", .lateness, writing: .never) {
                $0.question.daysOverdue
            },
            .init("hours_overdue", "", .lateness, writing: .never) { $0.question.hoursOverdue },
            .init("open_days_overdue", "those on which the branch was open", .lateness, writing: .never) {
                $0.question.openDaysOverdue
            },
            .init(
                "notices_sent_until", \.loan.noticesSentUntil,
                "of a loan from another system: what was to be said before is said already"
            ) { $0.loan.noticesSentUntil },
            .list("notices", "what was sent already for this due time", notice, writing: .ifTelling) {
                $0.loan.notices
            },
        ])

    package static let notice = CaseRecord<NoticeFacts>(
        "case.loan.notices", "A notice that was recorded already.",
        [
            .init("stage", \.stage) { $0.stage },
            .init("repetition", \.repetition, "0 for the first of the stage") { $0.repetition },
            .init("at", \.at) { $0.at },
        ])

    package static let request = CaseRecord<RequestFacts>(
        "case.request", "All that is asked for in one go.",
        [
            .init("size", \.size, "how many titles are asked for") { $0.size },
            .init("titles", \.titles, "their ids in the order asked; an unknown one is 0") { $0.titles },
            .init("index", \.index, "which of them is asked about, from 1; 0 at the point `request`") { $0.index },
            .list("granted", "what this request was granted already", openLoan, writing: .ifTelling) { $0.granted },
            .init("on_site", \.onSite, "whether it is asked for use in the library", writing: .ifTelling) { $0.onSite },
            .init(
                "wanted_until", \.wantedUntil, "the last day of a loan that is asked for to be shorter",
                writing: .ifTelling
            ) { $0.wantedUntil },
        ])

    package static let hold = CaseRecord<HoldFacts>(
        "case.hold", "The hold in question.",
        [
            .init("id", \.id, "0 while it is only asked for", isSigned: true) { $0.id },
            .init("category", \.category, "the category of the patron who wants it", .category) { $0.category },
            .init("pickup_branch", \.pickupBranch, "", .branch) { $0.pickupBranch },
            .init("placed_at", \.placedAt) { $0.placedAt },
            .init("expires_on", \.expiresOn, "the last day on which it is wanted") { $0.expiresOn },
            .init("for_copy", \.isForCopy, "whether one copy alone will do", writing: .ifTelling) { $0.isForCopy },
            .init("priority", \.priority, "a greater one goes first; 0 is ordinary", isSigned: true) { $0.priority },
            .init("position", \.position, "its place in the queue, 1 being the first") { $0.position },
            .init("placed_today", \.placedToday, "how many holds the patron has placed today before this one") {
                $0.placedToday
            },
            .init(
                "at_pickup", \.atPickup, "how many open holds of the patron are to be picked up at the same branch",
                writing: .ifTelling
            ) { $0.atPickup },
            .init(
                "of_item_type", \.ofItemType,
                "how many other open holds of the patron are on the copy's item type; 0 where no copy is known",
                writing: .when { $0.itemTypeCounts != nil }
            ) { $0.ofItemType },
            .init(
                "of_item_types", \.ofItemTypes,
                "the same for that type and, after it, the types above it, as in `case.copy.item_types`",
                writing: .when { $0.ofItemTypes.count > 1 }
            ) { $0.ofItemTypes },
        ])
}
