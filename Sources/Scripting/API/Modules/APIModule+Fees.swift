import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let fees = APIModule(
        "fees", "Patrons' accounts: a ledger, of which a balance is the sum.",
        [
            .feesOwed, .feesLedger, .feesDebtors, .feesDebtTotal,
            .feesCharge, .feesPay, .feesWaive, .feesRefund,
        ])
}

// MARK: - Reading

extension APIFunction {
    fileprivate static let feesOwed = APIFunction(
        "owed", "Says what a patron owes; a negative amount is what the library owes.",
        [.required("patron", .reference(.patron))],
        returns: .value(.money), route: .init(.get, "/patrons/{patron}/fees", .holder, own: ["patron"]),
        examples: APIExample(#"fees.owed("bob")"#, "2.50 EUR"), APIExample(#"fees.owed("ada") == money "0""#, "true")
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [.money(try $0.fees.owed(by: key))] }
    }

    fileprivate static let feesLedger = APIFunction(
        "ledger", "Lists the lines of a patron's account, the oldest first.",
        [.required("patron", .reference(.patron))] + APIParameter.part(1_000) + [
            .optional("latest", .boolean, "the latest first instead", standard: "false")
        ],
        returns: .value(.list(.record("ledger_entry"))),
        route: .init(.get, "/patrons/{patron}/ledger", .holder, own: ["patron"]),
        examples: APIExample(#"fees.ledger("bob")[1].label"#, #""Replacement card""#)
    ) { call in
        let key = try call.patronKey("patron")
        let latest = call.arguments["latest"] ?? false
        return try call.read {
            [APIRecord.ledgerEntry.list(try $0.fees.ledger(of: key, call.part(1_000), latestFirst: latest))]
        }
    }
}

// MARK: - Writing

extension APIFunction {
    fileprivate static let feesCharge = APIFunction(
        "charge", "Posts a charge and tells the patron, once for each key; without a key, each time.",
        details: keyDetails,
        .named(
            "charge", .required("patron", .reference(.patron)), .required("amount", .money, "more than nothing"),
            .required("label", .text(maximum: 500), "what the patron reads"),
            .optional("key", .text(maximum: 200), "what makes the charge one and the same"),
            .optional("loan", .reference(.loan), "the loan it is about")),
        returns: .written(.record("ledger_entry")), refusals: ["unknown_patron", "unknown_loan", "exists"],
        needs: .feesWrite, route: .init(.post, "/patrons/{patron}/charges", .staff, creates: true),
        examples: APIExample(
            #"fees.charge{ patron = "ada", amount = money "1.50", label = "Copies" }.amount"#, "1.50 EUR")
    ) { call in
        let key = try call.patronKey("patron")
        let loan = call.arguments.has("loan") ? try call.id("loan") : nil
        return try call.write { session in
            let outcome = try session.fees.charge(
                key, amount: try call.arguments.need("amount"), label: try call.arguments.need("label"),
                key: call.arguments["key"], loan: loan)
            return call.answer(outcome, APIRecord.ledgerEntry.table)
        }
    }

    fileprivate static let feesPay = APIFunction(
        "pay", "Takes a payment of no more than what is owed.",
        details: keyDetails,
        .named(
            "payment", .required("patron", .reference(.patron)), .required("amount", .money, "more than nothing"),
            .optional(
                "note", .text(maximum: 500), "how it was paid: the line's label", standard: #""Payment""#),
            .optional("key", .text(maximum: 200), "what makes the payment one and the same")),
        returns: .written(.record("ledger_entry")), refusals: ["unknown_patron", "more_than_owed", "exists"],
        needs: .feesWrite, route: .init(.post, "/patrons/{patron}/payments", .staff, creates: true),
        examples: APIExample(
            #"fees.pay{ patron = "bob", amount = money "1.00", note = "Cash" } return fees.owed("bob")"#,
            "1.50 EUR"),
        APIExample(#"select(2, fees.pay{ patron = "bob", amount = "9.00" }).code"#, #""more_than_owed""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.write { session in
            let outcome = try session.fees.pay(
                key, amount: try call.arguments.need("amount"), label: call.arguments["note"] ?? "Payment",
                key: call.arguments["key"])
            return call.answer(outcome, APIRecord.ledgerEntry.table)
        }
    }

    fileprivate static let feesWaive = APIFunction(
        "waive", "Lets a patron off a part of what is owed, or off a whole charge or fine.",
        details: "A charge is waived once: asked again, the line that is there is given. " + keyDetails,
        .named("waiver", reliefFields("the charge or fine to be waived as a whole")),
        returns: .written(.record("ledger_entry")),
        refusals: ["unknown_patron", "unknown_entry", "wrong_entry", "settled", "more_than_owed", "exists"],
        needs: .feesWrite, route: .init(.post, "/patrons/{patron}/waivers", .staff, creates: true),
        examples: APIExample(
            #"fees.waive{ patron = "bob", entry = fees.ledger("bob")[1], reason = "Stolen" } "#
                + #"return fees.owed("bob")"#, "0.00 EUR"),
        APIExample(
            #"fees.waive{ patron = "bob", amount = money "0.50", reason = "Goodwill" }.amount"#, "-0.50 EUR")
    ) { call in
        let relief = try call.relief()
        return try call.write { session in
            let outcome =
                switch relief.part {
                case .amount(let amount, let key):
                    try session.fees.waive(relief.patron, amount: amount, label: relief.reason, key: key)
                case .entry(let entry): try session.fees.waive(relief.patron, entry: entry, label: relief.reason)
                }
            return call.answer(outcome, APIRecord.ledgerEntry.table)
        }
    }

    fileprivate static let feesRefund = APIFunction(
        "refund", "Gives money back: an amount, a whole payment, or what was paid for a whole charge or fine.",
        details: "No more than was paid and not given back before. A refund never makes the patron owe more: what the "
            + "library owes goes first, and beyond that as much is taken off the charges by an adjustment. Of a charge "
            + "that is refunded the whole is taken off. A line is refunded once: asked again, the line that is there is "
            + "given. " + keyDetails,
        .named("refund", reliefFields("the payment, charge or fine to be refunded as a whole")),
        returns: .written(.record("ledger_entry")),
        refusals: ["unknown_patron", "unknown_entry", "wrong_entry", "settled", "more_than_paid", "exists"],
        needs: .feesWrite, route: .init(.post, "/patrons/{patron}/refunds", .staff, creates: true),
        examples: APIExample(
            #"fees.pay{ patron = "bob", amount = money "2.50" } "#
                + #"fees.refund{ patron = "bob", entry = fees.ledger("bob")[1], reason = "Card found" } "#
                + #"return fees.owed("bob")"#, "0.00 EUR"),
        APIExample(
            #"select(2, fees.refund{ patron = "bob", amount = "1.00", reason = "Goodwill" }).code"#,
            #""more_than_paid""#)
    ) { call in
        let relief = try call.relief()
        return try call.write { session in
            let outcome =
                switch relief.part {
                case .amount(let amount, let key):
                    try session.fees.refund(relief.patron, amount: amount, label: relief.reason, key: key)
                case .entry(let entry): try session.fees.refund(relief.patron, entry: entry, label: relief.reason)
                }
            return call.answer(outcome, APIRecord.ledgerEntry.table)
        }
    }

    private static let keyDetails =
        "A key repeated with the same amount changes nothing and gives the line that is there; with another amount it "
        + "is refused with `exists`."

    private static func reliefFields(_ entry: String) -> [APIParameter] {
        [
            .required("patron", .reference(.patron)),
            .optional("amount", .money, "more than nothing; this or `entry`"),
            .optional("entry", .reference(.ledgerEntry), entry),
            .required("reason", .text(maximum: 500), "why: the line's label"),
            .optional("key", .text(maximum: 200), "with an amount: what makes it one and the same"),
        ]
    }
}

// MARK: - Arguments

extension APICall {
    /// What of an account is waived or refunded, and why.
    fileprivate struct Relief {
        enum Part {
            case amount(Money, key: String?)
            case entry(Int64)
        }

        let patron: PatronKey
        let part: Part
        let reason: String
    }

    fileprivate func relief() throws -> Relief {
        let reason: String = try arguments.need("reason")
        guard !reason.allSatisfy(\.isWhitespace) else { throw fault("'reason' must not be empty") }
        guard arguments.has("amount") != arguments.has("entry") else {
            throw fault("one of 'amount' and 'entry' is needed, and not both")
        }
        guard arguments.has("entry") else {
            let part = Relief.Part.amount(try arguments.need("amount"), key: arguments["key"])
            return Relief(patron: try patronKey("patron"), part: part, reason: reason)
        }
        guard !arguments.has("key") else { throw fault("'key' goes with 'amount': a line is its own key") }
        return Relief(patron: try patronKey("patron"), part: .entry(try id("entry")), reason: reason)
    }
}
