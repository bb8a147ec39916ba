import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let patronsBlocks = APIFunction(
        "blocks", "Lists the blocks on a patron that are in force.",
        [
            .required("patron", .reference(.patron)),
            .optional("date", .date, "in force on this day", standard: "today()"),
        ] + APIParameter.part(1_000),
        returns: .value(.list(.record("block"))),
        route: .init(.get, "/patrons/{patron}/blocks", .holder, own: ["patron"]),
        examples: APIExample(#"#patrons.blocks("ada")"#, "0")
    ) { call in
        let key = try call.patronKey("patron")
        let date: CivilDate = call.arguments["date"] ?? call.script.today
        return try call.read { [APIRecord.block.list(try $0.patrons.blocks(of: key, at: date, call.part(1_000)))] }
    }

    static let patronsBlock = APIFunction(
        "block", "Puts a block on a patron.",
        details:
            "Several blocks stand side by side, each is lifted or ends by itself. What each action stops is told in "
            + "`docs/blocks.md`. A block of the kind `suspension` forbids `borrow`, `renew` and `hold` unless `actions` says "
            + "otherwise, and a policy sees its end as `suspended_until`.",
        .named(
            "block", .required("patron", .reference(.patron)),
            .required("kind", .text(maximum: 100), "a word of the library's own, or `suspension`"),
            .optional("reason", .text(maximum: 1000), "for staff, who are told it in refusals"),
            .optional(
                "actions", .list(.choice(BlockFacts.Action.allCases.map(\.rawValue))),
                "what it forbids; all of it if left out"),
            .optional("ends", .date, "its last day; left out: until it is lifted"),
            .optional("length", .period, "how long, in place of `ends`: days(14), open_days(5)"),
            .optional(
                "mode", .choice(BlockMode.allCases.map(\.rawValue)),
                "beside another of its kind: `add` begins where that one ends, `longest` ends no earlier")),
        returns: .written(.record("block")), refusals: ["unknown_patron", "past"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/blocks", .staff, creates: true),
        examples: APIExample(
            #"patrons.block{ patron = "ada", kind = "manual", reason = "Lost card" }.kind"#, #""manual""#),
        APIExample(
            #"patrons.block{ patron = "ada", kind = "suspension", length = days(7) } "#
                + #"return patrons.block{ patron = "ada", kind = "suspension", length = days(3), mode = "add" }.ends"#,
            "2027-01-03"),
        APIExample(
            #"patrons.block{ patron = "bob", kind = "card", actions = { "self" } } "#
                + #"return loans.checkout{ patron = "bob", barcode = "1001" }.patron"#, "2")
    ) { call in
        let key = try call.patronKey("patron")
        let words: [String]? = call.arguments["actions"]
        let order = BlockRequest(
            kind: try call.arguments.need("kind"), reason: call.arguments["reason"] ?? "",
            actions: words.map { Set($0.compactMap(BlockFacts.Action.init(word:))) }, ends: call.arguments["ends"],
            length: call.arguments["length"], mode: call.word("mode"))
        return try call.write { call.answer(try $0.patrons.block(key, order), APIRecord.block.table) }
    }

    static let patronsUnblock = APIFunction(
        "unblock", "Lifts a patron's blocks and gives those that were lifted.",
        .named(
            "block", .required("patron", .reference(.patron)),
            .optional("kind", .text(maximum: 100), "only blocks of this kind"),
            .optional("block", .reference(.block), "only this one")),
        returns: .written(.list(.record("block"))), refusals: ["unknown_patron", "unknown_block"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/unblock", .staff),
        examples: APIExample(#"#patrons.unblock{ patron = "ada" }"#, "0"),
        APIExample(
            #"local card = patrons.block{ patron = "ada", kind = "card" } "#
                + #"patrons.block{ patron = "ada", kind = "conduct" } "#
                + #"patrons.unblock{ patron = "ada", block = card } return patrons.blocks("ada")[1].kind"#,
            #""conduct""#)
    ) { call in
        let key = try call.patronKey("patron")
        let block = call.arguments.has("block") ? try call.id("block") : nil
        return try call.write {
            call.answer(
                try $0.patrons.unblock(key, kind: call.arguments["kind"], block: block), APIRecord.block.list)
        }
    }
}
