import Circulation
import LuaRuntime

extension PolicyRecords {
    static let title = RecordShape<TitleFacts>(
        "case.title",
        [
            RecordField("id") { $0.frame.set($1, $2, $3.id) },
            RecordField("genres") { filler, record, index, title throws(LuaError) in
                try filler.frame.set(record, index, title.genres)
            },
            RecordField("courses") { filler, record, index, title throws(LuaError) in
                try filler.frame.set(record, index, title.courses)
            },
            RecordField("copies") { $0.frame.set($1, $2, $3.copies) },
            RecordField("available") { $0.frame.set($1, $2, $3.available) },
            RecordField("holds_waiting") { $0.frame.set($1, $2, $3.holdsWaiting) },
            RecordField("holds_for_copy") { $0.frame.set($1, $2, $3.holdsForCopy) },
            RecordField("extra") { filler, record, index, title throws(LuaError) in
                filler.frame.set(record, index, try filler.extra(title.extra))
            },
        ])

    static let copy = RecordShape<CopyFacts>(
        "case.copy",
        [
            RecordField("branch") { $0.frame.set($1, $2, $3.branch) },
            RecordField("branches") { filler, record, index, copy throws(LuaError) in
                try filler.frame.set(record, index, copy.branches)
            },
            RecordField("item_type") { $0.set($1, $2, $3.itemTypes.first) },
            RecordField("item_types") { filler, record, index, copy throws(LuaError) in
                try filler.frame.set(record, index, copy.itemTypes)
            },
            RecordField("status") { $0.frame.set($1, $2, $3.status.rawValue) },
            RecordField("replacement_price") { $0.set($1, $2, $3.replacementPrice.map { LuaSmallValue($0) }) },
            RecordField("held_for_other") { $0.frame.set($1, $2, $3.heldForOther) },
        ])

    /// The whole case is the source, since lateness is reckoned at its `now`.
    static let loan = RecordShape<Case>(
        "case.loan",
        [
            RecordField("id") { $0.set($1, $2, $3.loan?.id) },
            RecordField("lent_at") { $0.set($1, $2, $3.loan.map { LuaSmallValue($0.lentAt) }) },
            RecordField("due_at") { $0.set($1, $2, $3.loan.map { LuaSmallValue($0.dueAt) }) },
            RecordField("original_due_at") { $0.set($1, $2, $3.loan.map { LuaSmallValue($0.originalDueAt) }) },
            RecordField("renewals") { $0.set($1, $2, $3.loan?.renewals) },
            RecordField("unseen_renewals") { $0.set($1, $2, $3.loan?.unseenRenewals) },
            RecordField("recalled_at") { $0.set($1, $2, $3.loan?.recalledAt.map { LuaSmallValue($0) }) },
            RecordField("lost_at") { $0.set($1, $2, $3.loan?.lostAt.map { LuaSmallValue($0) }) },
            RecordField("claimed_at") { $0.set($1, $2, $3.loan?.claimedAt.map { LuaSmallValue($0) }) },
            RecordField("on_site") { $0.frame.set($1, $2, $3.loan?.onSite ?? false) },
            RecordField("days_overdue") { $0.frame.set($1, $2, $3.daysOverdue) },
            RecordField("hours_overdue") { $0.frame.set($1, $2, $3.hoursOverdue) },
            RecordField("open_days_overdue") { $0.frame.set($1, $2, $3.openDaysOverdue) },
            RecordField("notices") { filler, record, index, question throws(LuaError) in
                try filler.setList(record, index, question.loan?.notices ?? [], filler.plans.notice)
            },
        ])

    static let notice = RecordShape<NoticeFacts>(
        "case.loan.notices",
        [
            RecordField("stage") { $0.frame.set($1, $2, $3.stage) },
            RecordField("repetition") { $0.frame.set($1, $2, $3.repetition) },
            RecordField("at") { $0.frame.set($1, $2, LuaSmallValue($3.at)) },
        ])

    static let request = RecordShape<RequestFacts>(
        "case.request",
        [
            RecordField("size") { $0.frame.set($1, $2, $3.size) },
            RecordField("titles") { filler, record, index, request throws(LuaError) in
                let list = try filler.frame.list(of: request.titles.count)
                for (place, title) in request.titles.enumerated() { filler.frame.set(list, place, title) }
                filler.frame.set(record, index, list)
            },
            RecordField("index") { $0.frame.set($1, $2, $3.index) },
            RecordField("granted") { filler, record, index, request throws(LuaError) in
                try filler.setList(record, index, request.granted, filler.plans.openLoan)
            },
            RecordField("on_site") { $0.frame.set($1, $2, $3.onSite) },
        ])

    static let hold = RecordShape<HoldFacts>(
        "case.hold",
        [
            RecordField("id") { $0.frame.set($1, $2, $3.id) },
            RecordField("category") { $0.frame.set($1, $2, $3.category) },
            RecordField("pickup_branch") { $0.frame.set($1, $2, $3.pickupBranch) },
            RecordField("placed_at") { $0.frame.set($1, $2, LuaSmallValue($3.placedAt)) },
            RecordField("expires_on") { $0.set($1, $2, $3.expiresOn.map { LuaSmallValue($0) }) },
            RecordField("for_copy") { $0.frame.set($1, $2, $3.isForCopy) },
            RecordField("priority") { $0.frame.set($1, $2, $3.priority) },
            RecordField("position") { $0.frame.set($1, $2, $3.position) },
            RecordField("placed_today") { $0.frame.set($1, $2, $3.placedToday) },
            RecordField("at_pickup") { $0.frame.set($1, $2, $3.atPickup) },
        ])

    static let calendar = LuaRecordType(name: "case.calendar", fields: CalendarMethod.allCases.map(\.rawValue))
    static let fineStep = RecordShape<FineStep>(
        "rule.fine_steps",
        [
            RecordField("from") { $0.frame.set($1, $2, LuaSmallValue($3.from)) },
            RecordField("to") { $0.set($1, $2, $3.to.map { LuaSmallValue($0) }) },
            RecordField("fine") { $0.frame.set($1, $2, LuaSmallValue($3.fine)) },
        ])

    /// The types of all records but `rule`, whose fields differ from policy to policy.
    static let types: [LuaRecordType] = [
        question.type, actor.type, patron.type, block.type, openLoan.type, title.type, copy.type, loan.type,
        notice.type, request.type, hold.type, listing.type, suggestion.type, saleLine.type, calendar, fineStep.type,
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
