import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let fees = APIModule(
        "fees", "Patrons' accounts: a ledger, of which a balance is the sum.",
        [
            .feesOwed, .feesLedger, .feesCharge,
        ])
}

extension APIFunction {
    fileprivate static let feesOwed = APIFunction(
        "owed", "Says what a patron owes.",
        [.required("patron", .reference(.patron), "")],
        returns: .value(.money),
        examples: [APIExample(#"fees.owed("bob")"#, "2.50 EUR"), APIExample(#"fees.owed("ada") == money "0""#, "true")]
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [.money(try $0.fees.owed(by: key))] }
    }

    fileprivate static let feesLedger = APIFunction(
        "ledger", "Lists the lines of a patron's account, the oldest first.",
        [.required("patron", .reference(.patron), "")],
        returns: .value(.list(.record("ledger_entry"))),
        examples: [APIExample(#"fees.ledger("bob")[1].label"#, #""Replacement card""#)]
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [APIRecord.ledgerEntry.list(try $0.fees.ledger(of: key))] }
    }

    fileprivate static let feesCharge = APIFunction(
        "charge", "Posts a charge, once for each key; without a key, each time.",
        [
            .required(
                "charge",
                .fields([
                    .required("patron", .reference(.patron), ""),
                    .required("amount", .money, "more than nothing"),
                    .required("label", .text(maximum: 500), "what the patron reads"),
                    .optional("key", .text(maximum: 200), "what makes the charge one and the same"),
                    .optional("loan", .reference(.loan), "the loan it is about"),
                ]), "")
        ],
        returns: .written(.record("ledger_entry")), refusals: ["unknown_patron", "unknown_loan", "exists"],
        needs: .feesWrite,
        examples: [
            APIExample(#"fees.charge{ patron = "ada", amount = money "1.50", label = "Copies" }.amount"#, "1.50 EUR")
        ]
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
}
