import Circulation
import Desk

extension APIFunction {
    static let patronsRenewMembership = APIFunction(
        "renew_membership", "Renews a patron's membership until the day that the policy in force says.",
        details:
            "It counts from the present end, or from today where that has passed. Where the policy would not let it end later, "
            + "it is refused with `not_extended`; any other day is set by `patrons.update`.",
        [.required("patron", .reference(.patron))],
        returns: .written(.record("patron")),
        refusals: ["unknown_patron", "no_membership_end", "not_extended", "policy_failed"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/renew-membership", .staff),
        examples: APIExample(#"patrons.renew_membership("bob").expires_on"#, "2027-12-24"),
        APIExample(#"select(2, patrons.renew_membership("nobody")).code"#, #""unknown_patron""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.write { call.answer(try $0.patrons.renewMembership(key), APIRecord.patron.table) }
    }
}
