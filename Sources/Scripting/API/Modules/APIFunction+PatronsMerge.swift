import Circulation
import Desk

extension APIFunction {
    static let patronsMerge = APIFunction(
        "merge", "Makes one of two records of one person; the first goes, the second stays.",
        details: "Loans and holds, past ones too, the account of fees, messages, blocks, links to others, cart, "
            + "favourites, ratings, lists, listings, orders, rentals and suggestions go over. Passwords do not: that of the record that "
            + "stays is the one that counts, and sessions and keys of both end. Neither record's role may be above that of the person who merges. What "
            + "is personal in the record that goes is removed as `patrons.remove` does it; the other keeps its own name, "
            + "category, branch and role. Of two holds on one title the one further along stays. A limit that both go "
            + "beyond together is told in `limits_exceeded` and stops nothing. A merge asked for again by the same ids "
            + "changes nothing.",
        .named(
            "merge", .required("from", .reference(.patron), "the record that goes"),
            .required("into", .reference(.patron), "the record that stays"),
            .optional("reason", .text(maximum: 1000), "why, for the log; without the names")),
        returns: .written(.record("merge")), refusals: ["unknown_patron", "same_patron"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{into}/merge", .staff, guardian: .notOneself),
        examples: APIExample(#"patrons.merge{ from = "bob", into = "ada" }.patron.username"#, #""ada""#),
        APIExample(
            #"patrons.merge{ from = "ada", into = "bob" } return #loans.active{ patron = "bob" }"#, "2"),
        APIExample(#"select(2, patrons.merge{ from = "ada", into = "ada" }).code"#, #""same_patron""#)
    ) { call in
        let from = try call.patronKey("from")
        let into = try call.patronKey("into")
        return try call.write { session in
            let outcome = try session.patrons.merge(from, into: into, reason: call.arguments["reason"] ?? "")
            return call.answer(outcome, APIRecord.merge.table)
        }
    }
}
