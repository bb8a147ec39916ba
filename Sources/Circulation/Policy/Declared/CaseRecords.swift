/// The records that a case consists of.
package enum CaseRecords {
    package static let question = question(patron, title, copy)

    static func question(
        _ patron: CaseRecord<PatronFacts>, _ title: CaseRecord<TitleFacts>, _ copy: CaseRecord<CopyFacts>
    ) -> CaseRecord<Case> {
        CaseRecord("case", "What a policy is asked with.", fields(patron, title, copy))
    }

    private static func fields(
        _ patron: CaseRecord<PatronFacts>, _ title: CaseRecord<TitleFacts>, _ copy: CaseRecord<CopyFacts>
    ) -> [CaseField<Case>] {
        [
            .init("point", "what is asked", .point) { $0.point },
            .init("now", "the moment of the question") { $0.now },
            .init("time_zone", isForPolicies: false) { $0.zone.identifier },
            .calendar("calendar", "the branch's opening days and hours"),
            .init("branch", "where it is lent; online, the copy's branch", .branch, writing: .chain { $0.branches }) {
                $0.branch
            },
            .init("branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.branches
            },
            .init("currency", isForPolicies: false) { $0.currency.code },
            .part("actor", "who asks", actor) { $0.actor },
            .part("patron", "for whom; without names and addresses", patron) { $0.patron },
            .record("title", "the title in question", title, writing: .orNull) { $0.title },
            .record("copy", "the copy in question", copy, writing: .orNull) { $0.copy },
            .record("loan", "the loan in question", loan, writing: .orNull) { question in
                question.loan.map { LoanInCase(loan: $0, question: question) }
            },
            .record("request", "the whole of what is asked for in one go", request, writing: .orNull) { $0.request },
            // The log of decisions has a line for every checkout, few of which are about a hold.
            .record("hold", "the hold in question", hold) { $0.hold },
            .record("listing", "what is to be published, sold or rented", listing, writing: .orNull) { $0.listing },
            .record("suggestion", "the title that a patron asks the library to get", suggestion) { $0.suggestion },
            .list("lines", "at `price`: what is to be paid for; nil for a loan", saleLine, mayBeAbsent: true) {
                $0.lines
            },
            .init(
                "event", "at `notify`: what the patron is told of; `fee` is a charge by staff or a script", .event
            ) { $0.event },
        ]
    }

    package static let actor = CaseRecord<ActorFacts>(
        "case.actor", "Who asks.",
        [
            .init("role", \.role, "what they are", .role) { $0.role },
            .init(
                "channel", \.channel, "how they ask: at the desk, by themselves, on the web, or a job of the night",
                .channel
            ) { $0.channel },
        ])

    package static let patron = CaseRecord<PatronFacts>(
        "case.patron", "The patron as a policy sees one: no name and no address.",
        [
            .init("id", \.id, isSigned: true) { $0.id },
            .init("category", "", .category, writing: .chain { $0.categories }) { $0.category },
            .init(
                "categories", "that category and, after it, the categories above it", .category, writing: .never
            ) { $0.categories },
            .init("home_branch", "", .branch, writing: .chain { $0.homeBranches }) { $0.homeBranch },
            .init("home_branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.homeBranches
            },
            .init("language", \.language) { $0.language },
            .init("age", \.age, "whole years today; nil if the birth date is unknown") { $0.age },
            .init("expires_on", \.expiresOn, "the last day of the membership") { $0.expiresOn },
            .init("birth_date", \.birthDate, "at `expiry` only") { $0.birthDate },
            .init("fees_owed", \.feesOwed) { $0.feesOwed },
            .init("overdue", \.overdue, "open loans past their due time; those claimed to be returned are not counted")
            { $0.overdue },
            .init("lost", \.lost, "open loans of copies declared lost") { $0.lost },
            .init(
                "claims", \.claims,
                "loans, open and past, that the patron said to have returned before the library saw the copy",
                writing: .ifTelling
            ) { $0.claims },
            .list("blocks", "the blocks in force", block) { $0.blocks },
            .init("suspended_until", \.suspendedUntil, "the last day of the suspension in force") { $0.suspendedUntil },
            .list("loans", "open loans", openLoan) { $0.loans },
            .init("holds", \.holds, "holds that wait or are on the shelf") { $0.holds },
            .init("extra", \.extra, "fields of the library's own", writing: .ifTelling) { $0.extra },
        ] + gatheredOfPatron + linkedOfPatron)

    package static let block = CaseRecord<BlockFacts>(
        "case.patron.blocks", "A block in force on the patron.",
        [
            .init("kind", \.kind, "a word of the library's own, or `suspension`") { $0.kind },
            .init("ends", \.ends, "its last day; nil: until it is lifted") { $0.ends },
            .init("actions", \.actions, "what it forbids", .action) { $0.actions },
        ])

    package static let openLoan = CaseRecord<OpenLoanFacts>(
        "case.patron.loans", "An open loan of the patron, or one that the same request was granted.",
        [
            .init("title", \.title, "the title's id", isSigned: true) { $0.title },
            .init("item_type", "the copy's item type", .itemType, writing: .chain { $0.itemTypes }) {
                $0.itemTypes.first
            },
            .init("item_types", "that type and, after it, the types above it", .itemType, writing: .never) {
                $0.itemTypes
            },
            .init("branch", "where it was lent", .branch, writing: .chain { $0.branches }) { $0.branch },
            .init("branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.branches
            },
            .init(
                "copy_branch", "the copy's own branch", .branch, writing: .chainIfAny { $0.copyBranches }
            ) { $0.copyBranch },
            .init("copy_branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.copyBranches
            },
            .init("location", \.location, "where the copy stands in its branch", .location) { $0.location },
            .init("on_site", \.onSite, "whether it is read in the library", writing: .ifTelling) { $0.onSite },
            .init("channel", \.channel, "how it was asked for", .channel) { $0.channel },
            .init("due_at", \.dueAt, "the instant from which it is past its due time") { $0.dueAt },
            .init(
                "claimed", \.isClaimed, "whether the patron says to have returned it", writing: .ifTelling
            ) { $0.isClaimed },
        ])

    package static let title = CaseRecord<TitleFacts>(
        "case.title", "The title in question.",
        [
            .init("id", \.id, isSigned: true) { $0.id },
            .init("genres", \.genres, writing: .ifTelling) { $0.genres },
            .init("courses", \.courses, "codes of courses that use it", writing: .ifTelling) { $0.courses },
            .init("copies", \.copies, "copies that are neither lost nor withdrawn") { $0.copies },
            .init("available", \.available, "copies that can be lent now") { $0.available },
            .init("holds_waiting", \.holdsWaiting, "holds that wait for it") { $0.holdsWaiting },
            .init(
                "holds_for_copy", \.holdsForCopy, "how many of those wait for the copy of the loan in question alone",
                writing: .ifTelling
            ) { $0.holdsForCopy },
            .init("extra", \.extra, "fields of the library's own", writing: .ifTelling) { $0.extra },
        ] + gatheredOfTitle)

    package static let copy = CaseRecord<CopyFacts>(
        "case.copy", "The copy in question.",
        [
            .init("branch", "", .branch, writing: .chain { $0.branches }) { $0.branch },
            .init("branches", "that branch and, after it, the branches above it", .branch, writing: .never) {
                $0.branches
            },
            .init("item_type", "", .itemType, writing: .chain { $0.itemTypes }) { $0.itemTypes.first },
            .init("item_types", "that type and, after it, the types above it", .itemType, writing: .never) {
                $0.itemTypes
            },
            .init("status", \.status, "where it is", .status) { $0.status },
            .init("replacement_price", \.replacementPrice) { $0.replacementPrice },
            .init("location", \.location, "where it stands in its branch, in a word of the library's own", .location) {
                $0.location
            },
            .init("acquired_on", \.acquiredOn, "the day on which the library got it") { $0.acquiredOn },
            .init("held_for_other", \.heldForOther, "whether another patron's hold keeps it back", writing: .ifTelling)
            { $0.heldForOther },
            .init("extra", \.extra, "fields of the library's own", writing: .ifTelling) { $0.extra },
        ])
}
