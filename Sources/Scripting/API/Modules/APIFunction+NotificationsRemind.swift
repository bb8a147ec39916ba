import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let notificationsRemind = APIFunction(
        "remind", "Writes the notice of a stage about one loan at once, without waiting for the sweep.",
        details:
            "Without `stage` it is the latest that the loan has reached; one that is not reached is refused with `not_due`. The "
            + "sweep does not say it again, and what the stage charges is charged. A stage that was said for this due time "
            + "is refused with `exists`; with `again` it is said once more, and nothing is charged.",
        .named(
            "reminder",
            .optional("loan", .reference(.loan)),
            .optional("barcode", .reference(.copy), "of the copy, instead of the loan"),
            .optional("stage", .text(maximum: 200), "of the policy in force"),
            .optional("again", .boolean, "although it was said already", standard: "false")),
        returns: .written(.record("notice")),
        refusals: [
            "unknown_loan", "unknown_copy", "not_on_loan", "returned", "history_only", "lost", "claimed",
            "unknown_stage", "not_due", "exists", "limit", "policy_failed", "no_policy",
        ],
        needs: .notificationsWrite,
        route: .init(.post, "/loans/{loan}/notices", .staff, hidden: ["barcode"], creates: true),
        examples: APIExample(#"select(2, notifications.remind{ loan = 999999 }).code"#, #""unknown_loan""#),
        APIExample(#"select(2, notifications.remind{ barcode = "1003", stage = "tenth" }).code"#, #""unknown_stage""#)
    ) { call in
        let stage: String? = call.arguments["stage"]
        let again = call.arguments["again"] ?? false
        return try call.write { session in
            let key = try call.loanKey(in: session)
            return call.answer(try session.notices.remind(key, stage: stage, again: again), APIRecord.notice.table)
        }
    }
}
