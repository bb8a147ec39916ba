import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    private static let stoppedLoan: [APIParameter] = [
        .optional("loan", .reference(.loan), "which loan"),
        .optional("barcode", .reference(.copy), "or the copy that is on loan"),
    ]
    private static let why = APIParameter.optional(
        "reason", .text(maximum: 1000), "why; it becomes part of the event, without the patron's name")
    private static let stoppedRefusals = ["unknown_loan", "unknown_copy", "not_on_loan", "returned", "history_only"]

    static let loansMarkLost = APIFunction(
        "mark_lost", "Declares the copy of an open loan lost; the loan stays open.",
        details:
            "Its lateness is charged up to now and no further. The policy that decided the loan says what the loss costs "
            + "(`lost_fee`, or its function `lost`); a failure of it is listed in `failures`. Repeated, it changes nothing.",
        .named("copy", stoppedLoan + [why]),
        returns: .written(.record("stopped_loan")), refusals: stoppedRefusals, needs: .loansWrite,
        route: .init(.post, "/loans/{loan}/lost", .staff, hidden: ["barcode"]),
        examples: APIExample(
            #"loans.mark_lost{ barcode = "1003", reason = "Left on a train" }.lost_at"#, "2026-12-24T10:00:00Z"),
        APIExample(#"loans.mark_lost(2) return catalogue.copy("1003").status"#, #""lost""#)
    ) { call in
        try call.write { session in
            let key = try call.loanKey(in: session)
            let outcome = try session.loans.markLost(key, reason: call.arguments["reason"])
            return call.answer(outcome, APIRecord.stoppedLoan.table)
        }
    }

    static let loansMarkFound = APIFunction(
        "mark_found", "A lost copy was found: its loan ends as by a check-in.",
        details:
            "The fee for the loss is taken back within the `lost_refund_within` of the loan's rule, and where `at` is "
            + "before the loss: what is owed of it is waived, what was paid becomes credit. Repeated, it changes nothing.",
        .named(
            "copy",
            stoppedLoan + [
                .optional("at", .instant, "when it came back, if that was earlier", standard: "now()")
            ]),
        returns: .written(.record("checkin")),
        refusals: ["unknown_loan", "unknown_copy", "not_lost", "returned", "future", "before_lent"], needs: .loansWrite,
        route: .init(.post, "/loans/{loan}/found", .staff, hidden: ["barcode"]),
        examples: APIExample(
            #"loans.mark_lost{ barcode = "1003" } return loans.mark_found{ barcode = "1003" }.returned_at"#,
            "2026-12-24T10:00:00Z"),
        APIExample(#"select(2, loans.mark_found{ barcode = "1003" }).code"#, #""not_lost""#)
    ) { call in
        let moment = call.start("at")
        return try call.write { session in
            let key = try call.loanKey(in: session)
            return call.answer(try session.loans.markFound(key, at: moment), APIRecord.checkin.table)
        }
    }

    static let loansClaimReturned = APIFunction(
        "claim_returned", "Notes that a patron says to have returned a copy, and when.",
        details:
            "From then on nothing is fined and no reminder is sent; what was charged for the time after it is taken off. "
            + "The loan stays open until the copy is checked in (`at = loan.claimed_at` where the patron was right) or "
            + "declared lost. `case.patron.claims` counts a patron's claims. Repeated, it changes nothing but the moment.",
        .named(
            "claim",
            stoppedLoan + [
                .optional("at", .instant, "when it was returned, by the patron's word", standard: "now()"), why,
            ]),
        returns: .written(.record("stopped_loan")), refusals: stoppedRefusals + ["lost", "future", "before_lent"],
        needs: .loansWrite, route: .init(.post, "/loans/{loan}/claim", .staff, hidden: ["barcode"]),
        examples: APIExample(#"loans.claim_returned{ barcode = "1003" }.claimed_at"#, "2026-12-24T10:00:00Z"),
        APIExample(#"loans.claim_returned(2) return select(2, loans.renew(2)).code"#, #""claimed""#)
    ) { call in
        let moment = call.start("at")
        return try call.write { session in
            let key = try call.loanKey(in: session)
            let outcome = try session.loans.claimReturned(key, at: moment, reason: call.arguments["reason"])
            return call.answer(outcome, APIRecord.stoppedLoan.table)
        }
    }
}
