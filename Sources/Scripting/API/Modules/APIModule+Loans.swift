import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let loans = APIModule(
        "loans", "Lending, renewing, taking back.",
        [
            .loansGet, .loansLatest, .loansActive, .loansOverdue, .loansEach, .loansHistory, .loansMayCheckout,
            .loansExplain,
            .loansCheckout, .loansCheckin, .loansRenew, .loansSetDue, .loansMarkLost, .loansMarkFound,
            .loansClaimReturned, .loansUseInHouse,
        ])
}

// MARK: - Reading

extension APIFunction {
    fileprivate static let loansGet = APIFunction(
        "get", "Finds one loan by its id.",
        [.required("loan", .reference(.loan))],
        returns: .found(.record("loan")), route: .init(.get, "/loans/{loan}", .holder, owned: "loan"),
        examples: APIExample("loans.get(1).renewals", "0"), APIExample("loans.get(999999)", "nil")
    ) { call in
        let id = try call.id("loan")
        return try call.read { call.found(try $0.loans.get(.id(id)), .loan) }
    }

    fileprivate static let loansLatest = APIFunction(
        "latest", "Finds the loan of a title that was made last, open or past.",
        details: "Who borrowed is said to that patron, and to those who may see patrons.",
        [.required("title", .reference(.title), "")],
        returns: .found(.record("latest_loan")),
        route: .init(.get, "/titles/{title}/latest-loan", .holder, group: "catalogue"),
        examples: [
            APIExample(#"loans.latest("9780441013593").name"#, #""Ada Lovelace""#),
            APIExample(#"loans.latest("9780141439518")"#, "nil"),
        ]
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { session in
            guard let title = try session.catalogue.get(key), let loan = try session.loans.latest(of: title.id) else {
                return [.nil]
            }
            let caller = call.script.caller
            let isShown = caller.map { $0.seesPatrons || $0.patron?.id == loan.patron } ?? true
            let patron = try isShown ? loan.patron.flatMap { try session.patrons.get(.id($0)) } : nil
            return [APIRecord.latestLoan.table(LatestLoan(lentAt: loan.lentAt, patron: patron))]
        }
    }

    fileprivate static let loansActive = APIFunction(
        "active", "Lists a patron's open loans.",
        .named("query", [.required("patron", .reference(.patron))] + APIParameter.part(1_000)),
        returns: .value(.list(.record("loan"))),
        route: .init(.get, "/patrons/{patron}/loans", .holder, own: ["patron"]),
        examples: APIExample(#"#loans.active{ patron = "ada" }"#, "2"), APIExample(#"#loans.active("ada")"#, "2")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [APIRecord.loan.list(try $0.loans.active(of: key, call.part(1_000)))] }
    }

    fileprivate static let loansOverdue = APIFunction(
        "overdue", "Lists the open loans past their due time, the longest overdue first.",
        .named(
            "query",
            [.optional("as_of", .instant, "past their due time at this moment", standard: "now()")]
                + APIParameter.part(1_000, of: 1...1_000_000)),
        returns: .value(.list(.record("loan"))), route: .init(.get, "/overdue", .staff),
        examples: APIExample("#loans.overdue{}", "1"),
        APIExample(#"#loans.overdue{ as_of = date "2027-06-01" }"#, "3")
    ) { call in
        let moment = call.start("as_of")
        return try call.read { [APIRecord.loan.list(try $0.loans.overdue(asOf: moment, call.part(1_000)))] }
    }

    fileprivate static let loansEach = APIFunction(
        "each", "Goes through loans by id, without keeping them all in memory; the loop may write.",
        .named(
            "query",
            .optional(
                "state", .choice(LoanQuery.State.allCases.map(\.rawValue)),
                "open ones, returned ones, all, or of the open ones those that are lost or claimed to be returned",
                standard: "\"all\""),
            .optional("patron", .reference(.patron), "only of this patron"),
            .optional("title", .reference(.title), "only of this title"),
            .optional("from", .instant, "lent at or after this moment"),
            .optional("to", .instant, "lent before this moment; a date counts whole"),
            .optional("due_before", .instant, "due before this moment"),
            .optional("imported", .boolean, "whether imported history counts as well", standard: "true")),
        returns: .each(.record("loan")),
        examples: APIExample(#"local n = 0 for loan in loans.each{ state = "open" } do n = n + 1 end return n"#, "3")
    ) { call in
        let query = try call.script.read { try call.loanQuery(in: $0) }
        return try call.each { session, after, page in
            try page.fill(after: after, id: \.id) {
                try session.loans.page(query, after: $0, limit: $1)
            } passes: {
                query.admits($0)
            } row: {
                APIRecord.loan.table($0)
            }
        }
    }

    fileprivate static let loansHistory = APIFunction(
        "history", "Lists a patron's loans, the latest first.",
        .named("query", [.required("patron", .reference(.patron))] + APIParameter.part(100)),
        returns: .value(.list(.record("loan"))),
        route: .init(.get, "/patrons/{patron}/history", .holder, own: ["patron"]),
        examples: APIExample(#"#loans.history{ patron = "ada" }"#, "2")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [APIRecord.loan.list(try $0.loans.history(of: key, call.part(100)))] }
    }

    fileprivate static let loansMayCheckout = APIFunction(
        "may_checkout", "Decides like `checkout` and writes nothing: no loan, no event.",
        details: "A single title gives a decision, several give a list.",
        .named("request", checkoutFields),
        returns: .written(.record("decision")), refusals: checkoutRefusals,
        route: .init(.post, "/loans/check", .holder, own: ["patron"], staffOnly: APIRoute.overriding),
        examples: APIExample(#"loans.may_checkout{ patron = "bob", isbn = "9780261103573" }.answer"#, #""allow""#),
        APIExample(
            #"select(2, loans.may_checkout{ patron = "nobody", isbn = "9780261103573" }).code"#,
            #""unknown_patron""#)
    ) { call in
        let request = try call.checkoutRequest()
        return try call.read { session in
            call.answer(try session.loans.mayCheckout(request)) { call.oneOrList($0, .decision) }
        }
    }

    fileprivate static let loansExplain = APIFunction(
        "explain", "Lists the decisions recorded for a loan, the oldest first, with the rule that decided.",
        [.required("loan", .reference(.loan))],
        returns: .value(.list(.record("recorded_decision"))),
        route: .init(.get, "/loans/{loan}/explanation", .holder, owned: "loan"),
        examples: APIExample("loans.explain(1)[1].decision.answer", #""allow""#)
    ) { call in
        let id = try call.id("loan")
        return try call.read { [APIRecord.recordedDecision.list(try $0.loans.explain(.id(id)))] }
    }
}

// MARK: - Writing

extension APIFunction {
    private static let checkoutFields: [APIParameter] = [
        .required("patron", .reference(.patron)),
        .optional("isbn", .reference(.title), "one title; the desk chooses the copy"),
        .optional("isbns", .list(.reference(.title)), "several titles: all are lent, or none"),
        .optional("barcode", .reference(.copy), "the copy in hand; if the patron has it already, it is renewed"),
        .optional("on_site", .boolean, "to be read in the library", standard: "false"),
        .optional(
            "wanted_until", .date, "the last day of a shorter loan, not before today; it makes none longer"),
        .optional("override", .boolean, "go on in spite of a refusal that may be overridden", standard: "false"),
        .optional("reason", .text(maximum: 1000), "why; needed with `override`"),
    ]

    private static let checkoutRefusals = [
        "unknown_patron", "unknown_title", "unknown_copy", "expired", "blocked", "suspended", "not_lent", "no_rule",
        "held_for_other", "limit", "same_title", "no_copies", "policy_failed",
    ]

    fileprivate static let loansCheckout = APIFunction(
        "checkout", "Lends one title or several to a patron: all that is asked for, or nothing.",
        details:
            "A single title or a barcode gives a loan, several titles give a list. With `wanted_until` the loan ends on "
            + "that day, or on the open day to which the rule moves it, where the policy would have it end later; a copy "
            + "that the patron has already is renewed without it. "
            + "`override` needs the capability `loans.override` as well.",
        .named("request", checkoutFields),
        returns: .written(.record("loan")), refusals: checkoutRefusals, needs: .loansWrite,
        route: .init(.post, "/loans", .holder, own: ["patron"], staffOnly: APIRoute.overriding, creates: true),
        examples: APIExample(#"loans.checkout{ patron = "bob", isbn = "9780261103573" }.due_on"#, "2027-01-07"),
        APIExample(
            #"loans.checkout{ patron = "bob", isbn = "9780261103573", wanted_until = date "2026-12-29" }.due_on"#,
            "2026-12-29"),
        APIExample(
            #"select(2, loans.checkout{ patron = "bob", isbn = "9780140449136" }).code"#, #""unknown_title""#)
    ) { call in
        let request = try call.checkoutRequest()
        try call.requireOverride()
        return try call.write { session in
            call.answer(try session.loans.checkout(request)) { call.oneOrList($0, .loan) }
        }
    }

    fileprivate static let loansCheckin = APIFunction(
        "checkin",
        "Takes a copy back; fines and suspensions follow from the policy, and it is set aside for who waits.",
        details:
            "With `at`, what was charged for the time after it is taken off again. A lost copy is found by it: see "
            + "`mark_found`. A copy that is not on loan is scanned: one in transit arrives at its pickup branch, an available one is set "
            + "aside for the first in line. The same scan again changes nothing.",
        .named(
            "copy", .optional("barcode", .reference(.copy), "the copy in hand"),
            .optional("loan", .reference(.loan), "or its loan"),
            .optional("at", .instant, "when it came back, if that was earlier", standard: "now()")),
        returns: .written(.record("checkin")),
        refusals: ["unknown_copy", "unknown_loan", "not_on_loan", "returned", "future", "before_lent"],
        needs: .loansWrite, route: .init(.post, "/checkins", .staff),
        examples: APIExample(#"loans.checkin{ barcode = "1003" }.returned_at"#, "2026-12-24T10:00:00Z")
    ) { call in
        let moment = call.start("at")
        return try call.write { session in
            let key = try call.loanKey(in: session)
            return call.answer(try session.loans.checkin(key, at: moment), APIRecord.checkin.table)
        }
    }

    fileprivate static let loansRenew = APIFunction(
        "renew", "Renews an open loan as the policy allows.",
        details: "`override` needs the capability `loans.override` as well.",
        .named(
            "loan", .optional("loan", .reference(.loan), "which loan"),
            .optional("barcode", .reference(.copy), "or the copy in hand"),
            .optional(
                "override", .boolean, "go on in spite of a refusal that may be overridden", standard: "false"),
            .optional("reason", .text(maximum: 1000), "why; needed with `override`")),
        returns: .written(.record("loan")),
        refusals: [
            "unknown_loan", "unknown_copy", "renewals", "too_soon", "holds_waiting", "blocked", "expired", "lost",
            "claimed",
        ],
        needs: .loansWrite,
        route: .init(.post, "/loans/{loan}/renew", .holder, owned: "loan", staffOnly: ["override", "reason"]),
        examples: APIExample("loans.renew(1).renewals", "1")
    ) { call in
        try call.requireOverride()
        return try call.write { session in
            let key = try call.loanKey(in: session)
            let outcome = try session.loans.renew(
                key, override: call.arguments["override"] ?? false, reason: call.arguments["reason"])
            return call.answer(outcome, APIRecord.loan.table)
        }
    }

    fileprivate static let loansUseInHouse = APIFunction(
        "use_in_house", "Counts a use of a copy in the house; it stays where it is.",
        .named("copy", .required("barcode", .reference(.copy), "the copy in hand")),
        returns: .written(.record("in_house_use")), refusals: ["unknown_copy", "on_loan"], needs: .loansWrite,
        route: .init(.post, "/in-house-uses", .staff, creates: true),
        examples: APIExample(#"loans.use_in_house{ barcode = "1001" }.used_at"#, "2026-12-24T10:00:00Z"),
        APIExample(#"select(2, loans.use_in_house("1003")).code"#, #""on_loan""#)
    ) { call in
        try call.write { session in
            let barcode = try call.barcode("barcode", in: session)
            return call.answer(try session.loans.useInHouse(barcode: barcode), APIRecord.inHouseUse.table)
        }
    }

    fileprivate static let loansSetDue = APIFunction(
        "set_due", "Moves the due time of an open loan: a date is due at closing time, an instant as it stands.",
        .named(
            "change", .required("loan", .reference(.loan), "which loan"),
            .required("due", .instant, "the new due time"),
            .required("reason", .text(maximum: 1000), "why; it becomes part of the event")),
        returns: .written(.record("loan")), refusals: ["unknown_loan", "returned", "lost", "claimed"],
        needs: .loansWrite, route: .init(.post, "/loans/{loan}/due", .staff),
        examples: APIExample(
            #"loans.set_due{ loan = 1, due = date "2027-02-01", reason = "Closed for repairs" }.due_on"#,
            "2027-02-01")
    ) { call in
        let key = LoanKey.id(try call.id("loan"))
        let reason: String = try call.arguments.need("reason")
        return try call.write { session in
            if let date: CivilDate = call.arguments["due"] {
                return call.answer(try session.loans.setDue(key, date: date, reason: reason), APIRecord.loan.table)
            }
            let instant: Instant = try call.arguments.need("due")
            return call.answer(try session.loans.setDue(key, instant: instant, reason: reason), APIRecord.loan.table)
        }
    }
}

extension APICall {
    fileprivate func checkoutRequest() throws -> CheckoutRequest {
        let given = ["isbn", "isbns", "barcode"].filter(arguments.has)
        guard given.count == 1 else {
            throw fault(
                given.isEmpty
                    ? "one of 'isbn', 'isbns' and 'barcode' is needed"
                    : "only one of 'isbn', 'isbns' and 'barcode' may be given")
        }
        return CheckoutRequest(
            patron: try patronKey("patron"), wanted: try wanted(), onSite: arguments["on_site"] ?? false,
            wantedUntil: arguments["wanted_until"], override: arguments["override"] ?? false,
            reason: arguments["reason"])
    }

    private func wanted() throws -> CheckoutRequest.Wanted {
        if let isbn: RecordKey = arguments["isbn"] { return .titles([try titleKey(of: isbn)]) }
        if let isbns: [RecordKey] = arguments["isbns"] {
            guard !isbns.isEmpty else { throw fault("'isbns' is empty") }
            guard isbns.count <= 1000 else { throw fault("'isbns' has more than 1000 titles") }
            return .titles(try isbns.map(titleKey))
        }
        return .barcode(try script.read { try barcode("barcode", in: $0) })
    }

    /// One title asked for gives its value, several a list.
    fileprivate func oneOrList<Entity>(_ values: [Entity], _ record: APIRecord<Entity>) -> LuaValue {
        if !arguments.has("isbns"), let only = values.first { return record.table(only) }
        return record.list(values)
    }

    func requireOverride() throws {
        guard arguments["override"] == true else { return }
        try script.check(.loansOverride, for: "\(function.fullName) with 'override'")
    }

    func loanKey(in session: DeskSession) throws -> LoanKey {
        guard arguments.has("barcode") != arguments.has("loan") else {
            throw fault("either 'loan' or 'barcode' is needed")
        }
        return arguments.has("loan") ? .id(try id("loan")) : .barcode(try barcode("barcode", in: session))
    }

    fileprivate func loanQuery(in session: DeskSession) throws -> LoanQuery {
        var query = LoanQuery(state: word("state") ?? .all)
        query.patron = try patronID("patron", in: session)
        if arguments.has("title") {
            switch try titleKey("title") {
            case .id(let id): query.title = id
            case .isbn: query.title = try session.catalogue.get(titleKey("title"))?.id ?? 0
            }
        }
        query.from = start("from")
        query.to = try end("to")
        query.dueBefore = start("due_before")
        query.imported = arguments["imported"] ?? true
        return query
    }
}
