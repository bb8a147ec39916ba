import Circulation
import LuaRuntime

extension PolicyRecords {
    static let title = RecordShape<TitleFacts>(
        "case.title", "The title in question.",
        [
            RecordField("id", .integer, "") { $0.frame.set($1, $2, $3.id) },
            RecordField("genres", .list(.text), "") { filler, record, index, title throws(LuaError) in
                try filler.frame.set(record, index, title.genres)
            },
            RecordField("courses", .list(.text), "codes of courses that use it") {
                filler, record, index, title throws(LuaError) in
                try filler.frame.set(record, index, title.courses)
            },
            RecordField("copies", .integer, "copies that are neither lost nor withdrawn") {
                $0.frame.set($1, $2, $3.copies)
            },
            RecordField("available", .integer, "copies that can be lent now") { $0.frame.set($1, $2, $3.available) },
            RecordField("holds_waiting", .integer, "holds that wait for it") { $0.frame.set($1, $2, $3.holdsWaiting) },
            RecordField("holds_for_copy", .integer, "how many of those wait for the copy of the loan in question alone")
            { $0.frame.set($1, $2, $3.holdsForCopy) },
            RecordField("extra", .any, "fields of the library's own") { filler, record, index, title throws(LuaError) in
                filler.frame.set(record, index, try filler.extra(title.extra))
            },
        ])

    static let copy = RecordShape<CopyFacts>(
        "case.copy", "The copy in question.",
        [
            RecordField("branch", .text, "") { $0.frame.set($1, $2, $3.branch) },
            RecordField("branches", .list(.text), "that branch and, after it, the branches above it") {
                filler, record, index, copy throws(LuaError) in
                try filler.frame.set(record, index, copy.branches)
            },
            RecordField("item_type", .optional(.text), "") { $0.set($1, $2, $3.itemTypes.first) },
            RecordField("item_types", .list(.text), "that type and, after it, the types above it") {
                filler, record, index, copy throws(LuaError) in
                try filler.frame.set(record, index, copy.itemTypes)
            },
            RecordField("status", .words(CopyStatus.self), "where it is") { $0.frame.set($1, $2, $3.status.rawValue) },
            RecordField("replacement_price", .optional(.money), "") {
                $0.set($1, $2, $3.replacementPrice.map { LuaSmallValue($0) })
            },
            RecordField("held_for_other", .boolean, "whether another patron's hold keeps it back") {
                $0.frame.set($1, $2, $3.heldForOther)
            },
        ])

    /// The whole case is the source, since lateness is reckoned at its `now`.
    static let loan = RecordShape<Case>(
        "case.loan", "The loan in question.",
        [
            RecordField("id", .integer, "") { $0.set($1, $2, $3.loan?.id) },
            RecordField("lent_at", .instant, "") { $0.set($1, $2, $3.loan.map { LuaSmallValue($0.lentAt) }) },
            RecordField("due_at", .instant, "") { $0.set($1, $2, $3.loan.map { LuaSmallValue($0.dueAt) }) },
            RecordField("original_due_at", .instant, "before renewals and changes") {
                $0.set($1, $2, $3.loan.map { LuaSmallValue($0.originalDueAt) })
            },
            RecordField("renewals", .integer, "") { $0.set($1, $2, $3.loan?.renewals) },
            RecordField("unseen_renewals", .integer, "renewals since the copy was last seen") {
                $0.set($1, $2, $3.loan?.unseenRenewals)
            },
            RecordField("recalled_at", .optional(.instant), "") {
                $0.set($1, $2, $3.loan?.recalledAt.map { LuaSmallValue($0) })
            },
            RecordField("lost_at", .optional(.instant), "when its copy was declared lost") {
                $0.set($1, $2, $3.loan?.lostAt.map { LuaSmallValue($0) })
            },
            RecordField("claimed_at", .optional(.instant), "when the patron said that the copy was returned") {
                $0.set($1, $2, $3.loan?.claimedAt.map { LuaSmallValue($0) })
            },
            RecordField("on_site", .boolean, "whether it is read in the library") {
                $0.frame.set($1, $2, $3.loan?.onSite ?? false)
            },
            RecordField("days_overdue", .integer, "0 on the day it is due and before it") {
                $0.frame.set($1, $2, $3.daysOverdue)
            },
            RecordField("hours_overdue", .integer, "") { $0.frame.set($1, $2, $3.hoursOverdue) },
            RecordField("open_days_overdue", .integer, "those on which the branch was open") {
                $0.frame.set($1, $2, $3.openDaysOverdue)
            },
            RecordField("notices", .list(.record("case.loan.notices")), "what was sent already for this due time") {
                filler, record, index, question throws(LuaError) in
                try filler.setList(record, index, question.loan?.notices ?? [], filler.plans.notice)
            },
        ])

    static let notice = RecordShape<NoticeFacts>(
        "case.loan.notices", "A notice that was recorded already.",
        [
            RecordField("stage", .text, "") { $0.frame.set($1, $2, $3.stage) },
            RecordField("repetition", .integer, "0 for the first of the stage") { $0.frame.set($1, $2, $3.repetition) },
            RecordField("at", .instant, "") { $0.frame.set($1, $2, LuaSmallValue($3.at)) },
        ])

    static let request = RecordShape<RequestFacts>(
        "case.request", "All that is asked for in one go.",
        [
            RecordField("size", .integer, "how many titles are asked for") { $0.frame.set($1, $2, $3.size) },
            RecordField("titles", .list(.integer), "their ids in the order asked; an unknown one is 0") {
                filler, record, index, request throws(LuaError) in
                let list = try filler.frame.list(of: request.titles.count)
                for (place, title) in request.titles.enumerated() { filler.frame.set(list, place, title) }
                filler.frame.set(record, index, list)
            },
            RecordField("index", .integer, "which of them is asked about, from 1; 0 at the point `request`") {
                $0.frame.set($1, $2, $3.index)
            },
            RecordField("granted", .list(.record("case.patron.loans")), "what this request was granted already") {
                filler, record, index, request throws(LuaError) in
                try filler.setList(record, index, request.granted, filler.plans.openLoan)
            },
            RecordField("on_site", .boolean, "whether it is asked for use in the library") {
                $0.frame.set($1, $2, $3.onSite)
            },
        ])

    static let hold = RecordShape<HoldFacts>(
        "case.hold", "The hold in question.",
        [
            RecordField("id", .integer, "0 while it is only asked for") { $0.frame.set($1, $2, $3.id) },
            RecordField("category", .text, "the category of the patron who wants it") {
                $0.frame.set($1, $2, $3.category)
            },
            RecordField("pickup_branch", .text, "") { $0.frame.set($1, $2, $3.pickupBranch) },
            RecordField("placed_at", .instant, "") { $0.frame.set($1, $2, LuaSmallValue($3.placedAt)) },
            RecordField("expires_on", .optional(.date), "the last day on which it is wanted") {
                $0.set($1, $2, $3.expiresOn.map { LuaSmallValue($0) })
            },
            RecordField("for_copy", .boolean, "whether one copy alone will do") { $0.frame.set($1, $2, $3.isForCopy) },
            RecordField("priority", .integer, "a greater one goes first; 0 is ordinary") {
                $0.frame.set($1, $2, $3.priority)
            },
            RecordField("position", .integer, "its place in the queue, 1 being the first") {
                $0.frame.set($1, $2, $3.position)
            },
            RecordField("placed_today", .integer, "how many holds the patron has placed today before this one") {
                $0.frame.set($1, $2, $3.placedToday)
            },
            RecordField(
                "at_pickup", .integer, "how many open holds of the patron are to be picked up at the same branch"
            ) { $0.frame.set($1, $2, $3.atPickup) },
        ])

    static let calendar = LuaRecordType(name: "case.calendar", fields: CalendarMethod.allCases.map(\.rawValue))
    static let fineStep = RecordShape<FineStep>(
        "rule.fine_steps", "One step of a fine that changes with lateness.",
        [
            RecordField("from", .period, "the lateness it begins with") {
                $0.frame.set($1, $2, LuaSmallValue($3.from))
            },
            RecordField("to", .optional(.period), "the lateness it ends with; nil: without end") {
                $0.set($1, $2, $3.to.map { LuaSmallValue($0) })
            },
            RecordField("fine", .money, "for each `per`") { $0.frame.set($1, $2, LuaSmallValue($3.fine)) },
        ])

    /// The types of all records but `rule`, whose fields differ from policy to policy.
    static let types: [LuaRecordType] = [
        question.type, actor.type, patron.type, block.type, openLoan.type, title.type, copy.type, loan.type,
        notice.type, request.type, hold.type, listing.type, suggestion.type, saleLine.type, calendar, fineStep.type,
    ]

    /// The same with types and meanings, for documentation; `case.calendar` has methods instead of fields.
    package static let references: [APIRecordType] = [
        question.reference, actor.reference, patron.reference, block.reference, openLoan.reference, title.reference,
        copy.reference, loan.reference, notice.reference, request.reference, hold.reference, listing.reference,
        suggestion.reference, saleLine.reference, fineStep.reference,
    ]

    /// All chains that a function may read from `case`, such as `patron.loans[].branch`.
    package static let casePaths: [String] = {
        func under(_ prefix: String, _ type: LuaRecordType) -> [String] { type.fields.map { "\(prefix).\($0)" } }
        return question.type.fields + under("actor", actor.type) + under("patron", patron.type)
            + under("patron.blocks[]", block.type) + under("patron.loans[]", openLoan.type)
            + under("title", title.type) + under("copy", copy.type) + under("loan", loan.type)
            + under("loan.notices[]", notice.type) + under("request", request.type)
            + under("request.granted[]", openLoan.type) + under("hold", hold.type)
            + under("listing", listing.type) + under("suggestion", suggestion.type)
            + under("lines[]", saleLine.type) + under("calendar", calendar)
    }()
}
