import Circulation
import LuaRuntime

/// The records that a policy's functions are given, with the fields of the policy language.
package enum PolicyRecords {
    static let question = RecordShape<Case>(
        "case",
        [
            RecordField("point") { $0.frame.set($1, $2, $3.point.rawValue) },
            RecordField("now") { $0.frame.set($1, $2, LuaSmallValue($3.now)) },
            RecordField("calendar") { filler, record, index, _ throws(LuaError) in
                filler.frame.set(record, index, try filler.calendar())
            },
            RecordField("branch") { $0.frame.set($1, $2, $3.branch) },
            RecordField("branches") { filler, record, index, question throws(LuaError) in
                try filler.frame.set(record, index, question.branches)
            },
            RecordField("actor") { filler, record, index, question throws(LuaError) in
                filler.frame.set(record, index, try filler.plans.actor.record(of: question.actor, filler))
            },
            RecordField("patron") { filler, record, index, question throws(LuaError) in
                filler.frame.set(record, index, try filler.plans.patron.record(of: question.patron, filler))
            },
            RecordField("title") { filler, record, index, question throws(LuaError) in
                guard let title = question.title else { return }
                filler.frame.set(record, index, try filler.plans.title.record(of: title, filler))
            },
            RecordField("copy") { filler, record, index, question throws(LuaError) in
                guard let copy = question.copy else { return }
                filler.frame.set(record, index, try filler.plans.copy.record(of: copy, filler))
            },
            RecordField("loan") { filler, record, index, question throws(LuaError) in
                if question.loan == nil { return }
                filler.frame.set(record, index, try filler.plans.loan.record(of: question, filler))
            },
            RecordField("request") { filler, record, index, question throws(LuaError) in
                guard let request = question.request else { return }
                filler.frame.set(record, index, try filler.plans.request.record(of: request, filler))
            },
            RecordField("hold") { filler, record, index, question throws(LuaError) in
                guard let hold = question.hold else { return }
                filler.frame.set(record, index, try filler.plans.hold.record(of: hold, filler))
            },
            RecordField("listing") { filler, record, index, question throws(LuaError) in
                guard let listing = question.listing else { return }
                filler.frame.set(record, index, try filler.plans.listing.record(of: listing, filler))
            },
            RecordField("suggestion") { filler, record, index, question throws(LuaError) in
                guard let suggestion = question.suggestion else { return }
                filler.frame.set(record, index, try filler.plans.suggestion.record(of: suggestion, filler))
            },
            RecordField("lines") { filler, record, index, question throws(LuaError) in
                guard let lines = question.lines else { return }
                try filler.setList(record, index, lines, filler.plans.saleLine)
            },
            RecordField("event") { $0.set($1, $2, $3.event?.rawValue) },
        ])

    static let actor = RecordShape<ActorFacts>(
        "case.actor",
        [
            RecordField("role") { $0.frame.set($1, $2, $3.role.rawValue) },
            RecordField("channel") { $0.frame.set($1, $2, $3.channel.rawValue) },
        ])

    static let patron = RecordShape<PatronFacts>(
        "case.patron",
        [
            RecordField("id") { $0.frame.set($1, $2, $3.id) },
            RecordField("category") { $0.frame.set($1, $2, $3.category) },
            RecordField("categories") { filler, record, index, patron throws(LuaError) in
                try filler.frame.set(record, index, patron.categories)
            },
            RecordField("home_branch") { $0.frame.set($1, $2, $3.homeBranch) },
            RecordField("home_branches") { filler, record, index, patron throws(LuaError) in
                try filler.frame.set(record, index, patron.homeBranches)
            },
            RecordField("language") { $0.set($1, $2, $3.language) },
            RecordField("age") { $0.set($1, $2, $3.age) },
            RecordField("expires_on") { $0.set($1, $2, $3.expiresOn.map { LuaSmallValue($0) }) },
            RecordField("fees_owed") { $0.frame.set($1, $2, LuaSmallValue($3.feesOwed)) },
            RecordField("overdue") { $0.frame.set($1, $2, $3.overdue) },
            RecordField("lost") { $0.frame.set($1, $2, $3.lost) },
            RecordField("claims") { $0.frame.set($1, $2, $3.claims) },
            RecordField("blocks") { filler, record, index, patron throws(LuaError) in
                try filler.setList(record, index, patron.blocks, filler.plans.block)
            },
            RecordField("suspended_until") { $0.set($1, $2, $3.suspendedUntil.map { LuaSmallValue($0) }) },
            RecordField("loans") { filler, record, index, patron throws(LuaError) in
                try filler.setList(record, index, patron.loans, filler.plans.openLoan)
            },
            RecordField("holds") { $0.frame.set($1, $2, $3.holds) },
            RecordField("extra") { filler, record, index, patron throws(LuaError) in
                filler.frame.set(record, index, try filler.extra(patron.extra))
            },
        ])

    static let block = RecordShape<BlockFacts>(
        "case.patron.blocks",
        [
            RecordField("kind") { $0.frame.set($1, $2, $3.kind) },
            RecordField("ends") { $0.set($1, $2, $3.ends.map { LuaSmallValue($0) }) },
            RecordField("actions") { filler, record, index, block throws(LuaError) in
                let actions = BlockFacts.Action.allCases.filter(block.actions.contains).map(\.rawValue)
                try filler.frame.set(record, index, actions)
            },
        ])

    static let openLoan = RecordShape<OpenLoanFacts>(
        "case.patron.loans",
        [
            RecordField("title") { $0.frame.set($1, $2, $3.title) },
            RecordField("item_type") { $0.set($1, $2, $3.itemTypes.first) },
            RecordField("item_types") { filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.itemTypes)
            },
            RecordField("branch") { $0.frame.set($1, $2, $3.branch) },
            RecordField("branches") { filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.branches)
            },
            RecordField("copy_branch") { $0.set($1, $2, $3.copyBranch) },
            RecordField("copy_branches") { filler, record, index, loan throws(LuaError) in
                try filler.frame.set(record, index, loan.copyBranches)
            },
            RecordField("on_site") { $0.frame.set($1, $2, $3.onSite) },
            RecordField("channel") { $0.set($1, $2, $3.channel?.rawValue) },
            RecordField("due_at") { $0.set($1, $2, $3.dueAt.map { LuaSmallValue($0) }) },
        ])
}
