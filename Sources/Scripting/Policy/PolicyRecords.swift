import Circulation
import LuaRuntime

/// The records that a policy's functions are given, with the fields of the policy language.
package enum PolicyRecords {
    static let question = RecordShape<Case>(
        "case", "What a policy is asked with.",
        [
            RecordField("point", .words(DecisionPoint.self), "what is asked") {
                $0.frame.set($1, $2, $3.point.rawValue)
            },
            RecordField("now", .instant, "the moment of the question") { $0.frame.set($1, $2, LuaSmallValue($3.now)) },
            RecordField("calendar", .record("case.calendar"), "the branch's opening days and hours") {
                filler, record, index, _ throws(LuaError) in
                filler.frame.set(record, index, try filler.calendar())
            },
            RecordField("branch", .text, "where it is lent; online, the copy's branch") {
                $0.frame.set($1, $2, $3.branch)
            },
            RecordField("branches", .list(.text), "that branch and, after it, the branches above it") {
                filler, record, index, question throws(LuaError) in
                try filler.frame.set(record, index, question.branches)
            },
            RecordField("actor", .record("case.actor"), "who asks") {
                filler, record, index, question throws(LuaError) in
                filler.frame.set(record, index, try filler.plans.actor.record(of: question.actor, filler))
            },
            RecordField("patron", .record("case.patron"), "for whom; without names and addresses") {
                filler, record, index, question throws(LuaError) in
                filler.frame.set(record, index, try filler.plans.patron.record(of: question.patron, filler))
            },
            RecordField("title", .optional(.record("case.title")), "the title in question") {
                filler, record, index, question throws(LuaError) in
                guard let title = question.title else { return }
                filler.frame.set(record, index, try filler.plans.title.record(of: title, filler))
            },
            RecordField("copy", .optional(.record("case.copy")), "the copy in question") {
                filler, record, index, question throws(LuaError) in
                guard let copy = question.copy else { return }
                filler.frame.set(record, index, try filler.plans.copy.record(of: copy, filler))
            },
            RecordField("loan", .optional(.record("case.loan")), "the loan in question") {
                filler, record, index, question throws(LuaError) in
                if question.loan == nil { return }
                filler.frame.set(record, index, try filler.plans.loan.record(of: question, filler))
            },
            RecordField("request", .optional(.record("case.request")), "the whole of what is asked for in one go") {
                filler, record, index, question throws(LuaError) in
                guard let request = question.request else { return }
                filler.frame.set(record, index, try filler.plans.request.record(of: request, filler))
            },
            RecordField("hold", .optional(.record("case.hold")), "the hold in question") {
                filler, record, index, question throws(LuaError) in
                guard let hold = question.hold else { return }
                filler.frame.set(record, index, try filler.plans.hold.record(of: hold, filler))
            },
            RecordField("listing", .optional(.record("case.listing")), "what is to be published, sold or rented") {
                filler, record, index, question throws(LuaError) in
                guard let listing = question.listing else { return }
                filler.frame.set(record, index, try filler.plans.listing.record(of: listing, filler))
            },
            RecordField(
                "suggestion", .optional(.record("case.suggestion")), "the title that somebody asks the library to get"
            ) { filler, record, index, question throws(LuaError) in
                guard let suggestion = question.suggestion else { return }
                filler.frame.set(record, index, try filler.plans.suggestion.record(of: suggestion, filler))
            },
            RecordField(
                "lines", .optional(.list(.record("case.lines"))), "at `price`: what is to be paid for; nil for a loan"
            ) { filler, record, index, question throws(LuaError) in
                guard let lines = question.lines else { return }
                try filler.setList(record, index, lines, filler.plans.saleLine)
            },
            RecordField(
                "event", .optional(.words(NotifyEvent.self)),
                "at `notify`: what the patron is told of; `fee` is a charge by staff or a script"
            ) {
                $0.set($1, $2, $3.event?.rawValue)
            },
        ])

    static let actor = RecordShape<ActorFacts>(
        "case.actor", "Who asks.",
        [
            RecordField("role", .words(ActorFacts.Role.self), "what they are") {
                $0.frame.set($1, $2, $3.role.rawValue)
            },
            RecordField(
                "channel", .words(ActorFacts.Channel.self),
                "how they ask: at the desk, by themselves, on the web, or a job of the night"
            ) { $0.frame.set($1, $2, $3.channel.rawValue) },
        ])

    static let patron = RecordShape<PatronFacts>(
        "case.patron", "The patron as a policy sees one: no name and no address.",
        [
            RecordField("id", .integer, "") { $0.frame.set($1, $2, $3.id) },
            RecordField("category", .text, "") { $0.frame.set($1, $2, $3.category) },
            RecordField("categories", .list(.text), "that category and, after it, the categories above it") {
                filler, record, index, patron throws(LuaError) in
                try filler.frame.set(record, index, patron.categories)
            },
            RecordField("home_branch", .text, "") { $0.frame.set($1, $2, $3.homeBranch) },
            RecordField("home_branches", .list(.text), "that branch and, after it, the branches above it") {
                filler, record, index, patron throws(LuaError) in
                try filler.frame.set(record, index, patron.homeBranches)
            },
            RecordField("language", .optional(.text), "") { $0.set($1, $2, $3.language) },
            RecordField("age", .optional(.integer), "whole years today; nil if the birth date is unknown") {
                $0.set($1, $2, $3.age)
            },
            RecordField("expires_on", .optional(.date), "the last day of the membership") {
                $0.set($1, $2, $3.expiresOn.map { LuaSmallValue($0) })
            },
            RecordField("fees_owed", .money, "") { $0.frame.set($1, $2, LuaSmallValue($3.feesOwed)) },
            RecordField(
                "overdue", .integer, "open loans past their due time; those claimed to be returned are not counted"
            ) { $0.frame.set($1, $2, $3.overdue) },
            RecordField("lost", .integer, "open loans of copies declared lost") { $0.frame.set($1, $2, $3.lost) },
            RecordField(
                "claims", .integer,
                "loans, open and past, that the patron said to have returned before the library saw the copy"
            ) { $0.frame.set($1, $2, $3.claims) },
            RecordField("blocks", .list(.record("case.patron.blocks")), "the blocks in force") {
                filler, record, index, patron throws(LuaError) in
                try filler.setList(record, index, patron.blocks, filler.plans.block)
            },
            RecordField("suspended_until", .optional(.date), "the last day of the suspension in force") {
                $0.set($1, $2, $3.suspendedUntil.map { LuaSmallValue($0) })
            },
            RecordField("loans", .list(.record("case.patron.loans")), "open loans") {
                filler, record, index, patron throws(LuaError) in
                try filler.setList(record, index, patron.loans, filler.plans.openLoan)
            },
            RecordField("holds", .integer, "holds that wait or are on the shelf") { $0.frame.set($1, $2, $3.holds) },
            RecordField("extra", .any, "fields of the library's own") {
                filler, record, index, patron throws(LuaError) in
                filler.frame.set(record, index, try filler.extra(patron.extra))
            },
        ])

    static let block = RecordShape<BlockFacts>(
        "case.patron.blocks", "A block in force on the patron.",
        [
            RecordField("kind", .text, "a word of the library's own, or `suspension`") {
                $0.frame.set($1, $2, $3.kind)
            },
            RecordField("ends", .optional(.date), "its last day; nil: until it is lifted") {
                $0.set($1, $2, $3.ends.map { LuaSmallValue($0) })
            },
            RecordField("actions", .list(.words(BlockFacts.Action.self)), "what it forbids") {
                filler, record, index, block throws(LuaError) in
                let actions = BlockFacts.Action.allCases.filter(block.actions.contains).map(\.rawValue)
                try filler.frame.set(record, index, actions)
            },
        ])

    static let openLoan = RecordShape<OpenLoanFacts>(
        "case.patron.loans", "An open loan of the patron, or one that the same request was granted.",
        [
            RecordField("title", .integer, "the title's id") { $0.frame.set($1, $2, $3.title) },
            RecordField("item_type", .optional(.text), "the copy's item type") { $0.set($1, $2, $3.itemTypes.first) },
            RecordField("item_types", .list(.text), "that type and, after it, the types above it") {
                filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.itemTypes)
            },
            RecordField("branch", .text, "where it was lent") { $0.frame.set($1, $2, $3.branch) },
            RecordField("branches", .list(.text), "that branch and, after it, the branches above it") {
                filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.branches)
            },
            RecordField("copy_branch", .optional(.text), "the copy's own branch") { $0.set($1, $2, $3.copyBranch) },
            RecordField("copy_branches", .list(.text), "that branch and, after it, the branches above it") {
                filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.copyBranches)
            },
            RecordField("on_site", .boolean, "whether it is read in the library") { $0.frame.set($1, $2, $3.onSite) },
            RecordField("channel", .optional(.words(ActorFacts.Channel.self)), "how it was asked for") {
                $0.set($1, $2, $3.channel?.rawValue)
            },
            RecordField("due_at", .optional(.instant), "the instant from which it is past its due time") {
                $0.set($1, $2, $3.dueAt.map { LuaSmallValue($0) })
            },
        ])
}
