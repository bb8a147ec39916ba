import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let holds = APIModule(
        "holds", "Keeping titles for patrons: queues, the hold shelf, copies in transit.",
        [
            .holdsGet, .holdsQueue, .holdsOf, .holdsEach, .holdsPullList,
            .holdsPlace, .holdsCancel, .holdsMove, .holdsArrange, .holdsSuspend, .holdsResume, .holdsSetPickup,
        ])
}

// MARK: - Reading

extension APIFunction {
    fileprivate static let holdsGet = APIFunction(
        "get", "Finds one hold by its id, closed ones too.",
        [.required("hold", .reference(.hold))],
        returns: .found(.record("hold")), route: .init(.get, "/holds/{hold}", .holder, owned: "hold"),
        examples: APIExample(
            #"local hold = holds.place{ patron = "bob", title = "9780441013593" } return holds.get(hold).state"#,
            #""waiting""#),
        APIExample("holds.get(999999)", "nil")
    ) { call in
        let id = try call.id("hold")
        return try call.read { call.found(try $0.holds.get(id), .hold) }
    }

    fileprivate static let holdsQueue = APIFunction(
        "queue",
        "Lists a title's open holds: those with a copy on the shelf, those with one in transit, then the queue.",
        [.required("title", .reference(.title))] + APIParameter.part(1_000),
        returns: .value(.list(.record("hold"))), route: .init(.get, "/titles/{title}/holds", .staff),
        examples: APIExample(
            #"holds.place{ patron = "bob", title = "9780441013593" } return #holds.queue("9780441013593")"#, "1"),
        APIExample(#"#holds.queue("9780261103573")"#, "0")
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { [APIRecord.hold.list(try $0.holds.queue(of: key, call.part(1_000)))] }
    }

    fileprivate static let holdsOf = APIFunction(
        "of", "Lists a patron's open holds, the oldest first.",
        [.required("patron", .reference(.patron))] + APIParameter.part(1_000),
        returns: .value(.list(.record("hold"))),
        route: .init(.get, "/patrons/{patron}/holds", .holder, own: ["patron"]),
        examples: APIExample(
            #"holds.place{ patron = "bob", title = "9780441013593" } return holds.of("bob")[1].position"#, "1"),
        APIExample(#"#holds.of("carol")"#, "0")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [APIRecord.hold.list(try $0.holds.of(key, call.part(1_000)))] }
    }

    fileprivate static let holdsEach = APIFunction(
        "each", "Goes through holds by id, closed ones too, without keeping them all in memory; the loop may write.",
        details: "Places in queues are not reckoned; `holds.queue` has them.",
        .named(
            "query", .optional("state", .choice(Hold.State.allCases.map(\.rawValue)), "only in this state"),
            .optional("pickup_branch", .reference(.branch), "only to be picked up there")),
        returns: .each(.record("hold")),
        examples: APIExample(
            #"holds.place{ patron = "bob", title = "9780441013593" } local n = 0 "#
                + #"for hold in holds.each{ state = "waiting" } do n = n + 1 end return n"#, "1")
    ) { call in
        let state: Hold.State? = call.word("state")
        let branch = call.optionalCode("pickup_branch")
        return try call.each { session, after, page in
            try page.fill(after: after, id: \.id) {
                try session.holds.page(after: $0, limit: $1)
            } passes: {
                (state == nil || $0.state == state) && (branch == nil || $0.pickupBranch == branch)
            } row: {
                APIRecord.hold.table(QueuedHold(hold: $0))
            }
        }
    }

    fileprivate static let holdsPullList = APIFunction(
        "pull_list", "Lists the available copies that holds wait for: what staff fetch from the open shelves.",
        details: "Scanning a copy of the list with `loans.checkin` sets it aside.",
        .named(
            "query",
            [.optional("branch", .reference(.branch), "only copies of this branch")]
                + APIParameter.part(1_000)),
        returns: .value(.list(.record("pull_item"))), route: .init(.get, "/pull-list", .staff),
        examples: APIExample(
            #"holds.place{ patron = "bob", title = "9780261103573" } return holds.pull_list{}[1].barcode"#,
            #""1001""#)
    ) { call in
        let branch = call.optionalCode("branch")
        return try call.read { [APIRecord.pullItem.list(try $0.holds.pullList(at: branch, call.part(1_000)))] }
    }
}

// MARK: - Writing

extension APIFunction {
    fileprivate static let holdsPlace = APIFunction(
        "place", "Places a hold on a title, or on one copy of it.",
        details:
            "One of `title`, `isbn` and `barcode` is needed; with a barcode that copy alone will do. If every copy is "
            + "lent, the policy may recall one of them. `override` needs the capability `loans.override` as well.",
        .named(
            "request", .required("patron", .reference(.patron)),
            .optional("title", .reference(.title), "any copy of this title"),
            .optional("isbn", .reference(.title), "the same, by the name that `loans.checkout` has for it"),
            .optional("barcode", .reference(.copy), "this copy alone"),
            .optional(
                "pickup_branch", .reference(.branch),
                "where it is to be picked up; otherwise at the branch of the desk, online at the patron's own"),
            .optional("expires_on", .date, "the last day on which it is wanted"),
            .optional("suspended_until", .date, "the last day on which it is passed over"),
            .optional(
                "override", .boolean, "go on in spite of a refusal that may be overridden", standard: "false"),
            .optional("reason", .text(maximum: 1000), "why; needed with `override`")),
        returns: .written(.record("hold")),
        refusals: [
            "unknown_patron", "unknown_title", "unknown_copy", "unknown_branch", "exists", "past", "not_owner",
            "expired", "blocked", "suspended", "not_lent", "no_rule", "limit", "same_title", "no_copies",
            "policy_failed",
        ],
        needs: .loansWrite,
        route: .init(.post, "/holds", .holder, own: ["patron"], staffOnly: APIRoute.overriding, creates: true),
        examples: APIExample(
            #"holds.place{ patron = "bob", isbn = "9780441013593", expires_on = date "2027-06-30" }.expires_on"#,
            "2027-06-30"),
        APIExample(
            #"select(2, holds.place{ patron = "bob", title = "9780140449136" }).code"#, #""unknown_title""#)
    ) { call in
        let request = try call.holdRequest()
        try call.requireOverride()
        return try call.changeHold { session in
            var request = request
            if call.arguments.has("barcode") { request.wanted = .copy(try call.barcode("barcode", in: session)) }
            return try session.holds.place(request)
        }
    }

    fileprivate static let holdsCancel = APIFunction(
        "cancel", "Ends a hold; a copy that was set aside goes to the next in line.",
        .named(
            "hold", .required("hold", .reference(.hold)),
            .optional("reason", .text(maximum: 1000), "why; it becomes part of the event")),
        returns: .written(.record("hold")), refusals: ["unknown_hold", "closed", "not_owner"], needs: .loansWrite,
        route: .init(.delete, "/holds/{hold}", .holder, owned: "hold"),
        examples: APIExample(
            #"local hold = holds.place{ patron = "bob", title = "9780441013593" } return holds.cancel(hold).state"#,
            #""cancelled""#),
        APIExample("select(2, holds.cancel(999999)).code", #""unknown_hold""#)
    ) { call in
        let id = try call.id("hold")
        return try call.changeHold { try $0.holds.cancel(id, reason: call.arguments["reason"]) }
    }

    fileprivate static let holdsMove = APIFunction(
        "move", "Gives a waiting hold another place in its queue.",
        details: "It takes the priority that belongs to the place.",
        .named(
            "hold", .required("hold", .reference(.hold)),
            .required("position", .integer(1...1_000_000), "1 is the first; beyond the last it is the last")),
        returns: .written(.record("hold")), refusals: ["unknown_hold", "closed", "not_waiting", "not_owner"],
        needs: .loansWrite, route: .init(.post, "/holds/{hold}/move", .staff),
        examples: APIExample(
            #"holds.place{ patron = "bob", title = "9780441013593" } "#
                + #"local hold = holds.place{ patron = "carol", title = "9780441013593" } "#
                + "return holds.move{ hold = hold, position = 1 }.position", "1")
    ) { call in
        let id = try call.id("hold")
        let position: Int64 = try call.arguments.need("position")
        return try call.changeHold { try $0.holds.move(id, to: position) }
    }

    fileprivate static let holdsSuspend = APIFunction(
        "suspend", "Passes a waiting hold over for a time; it keeps its place.",
        .named(
            "hold", .required("hold", .reference(.hold)),
            .optional(
                "suspended_until", .date, "the last day on which it is passed over; otherwise until `resume`")),
        returns: .written(.record("hold")), refusals: ["unknown_hold", "closed", "not_waiting", "not_owner", "past"],
        needs: .loansWrite, route: .init(.post, "/holds/{hold}/suspend", .holder, owned: "hold"),
        examples: APIExample(
            #"local hold = holds.place{ patron = "bob", title = "9780441013593" } "#
                + #"return holds.suspend{ hold = hold, suspended_until = date "2027-01-31" }.suspended_until"#,
            "2027-01-31")
    ) { call in
        let id = try call.id("hold")
        return try call.changeHold { try $0.holds.suspend(id, until: call.arguments["suspended_until"]) }
    }

    fileprivate static let holdsResume = APIFunction(
        "resume", "Ends the suspension of a hold.",
        [.required("hold", .reference(.hold))],
        returns: .written(.record("hold")), refusals: ["unknown_hold", "closed", "not_owner"], needs: .loansWrite,
        route: .init(.post, "/holds/{hold}/resume", .holder, owned: "hold"),
        examples: APIExample(
            #"local hold = holds.place{ patron = "bob", title = "9780441013593" } "#
                + "holds.suspend(hold) return holds.resume(hold).suspended_until", "nil")
    ) { call in
        let id = try call.id("hold")
        return try call.changeHold { try $0.holds.resume(id) }
    }

    fileprivate static let holdsSetPickup = APIFunction(
        "set_pickup", "Changes where a hold is picked up; a copy that is on the shelf elsewhere travels there.",
        .named("hold", .required("hold", .reference(.hold)), .required("pickup_branch", .reference(.branch))),
        returns: .written(.record("hold")), refusals: ["unknown_hold", "closed", "not_owner", "unknown_branch"],
        needs: .loansWrite, route: .init(.post, "/holds/{hold}/pickup", .holder, owned: "hold"),
        examples: APIExample(
            #"local hold = holds.place{ patron = "bob", title = "9780441013593" } "#
                + #"return holds.set_pickup{ hold = hold, pickup_branch = "main" }.pickup_branch"#, #""main""#)
    ) { call in
        let id = try call.id("hold")
        let branch = try call.code("pickup_branch")
        return try call.changeHold { try $0.holds.setPickup(id, branch: branch) }
    }
}

extension APICall {
    fileprivate func changeHold(_ body: (DeskSession) throws -> Outcome<QueuedHold>) throws -> [LuaValue] {
        try write { answer(try body($0), APIRecord.hold.table) }
    }

    fileprivate func holdRequest() throws -> HoldRequest {
        let given = ["title", "isbn", "barcode"].filter(arguments.has)
        guard given.count == 1 else {
            throw fault(
                given.isEmpty
                    ? "one of 'title', 'isbn' and 'barcode' is needed"
                    : "only one of 'title', 'isbn' and 'barcode' may be given")
        }
        // A copy is looked up in the transaction that places the hold.
        let wanted: HoldRequest.Wanted =
            arguments.has("barcode") ? .copy("") : .title(try titleKey(arguments.has("title") ? "title" : "isbn"))
        return HoldRequest(
            patron: try patronKey("patron"), wanted: wanted, pickupBranch: optionalCode("pickup_branch"),
            expiresOn: arguments["expires_on"], suspendedUntil: arguments["suspended_until"],
            override: arguments["override"] ?? false, reason: arguments["reason"])
    }
}
