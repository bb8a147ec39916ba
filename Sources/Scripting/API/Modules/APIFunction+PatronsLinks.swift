import Circulation
import Desk
import LuaRuntime

extension APIFunction {
    static let patronsLinks = APIFunction(
        "links", "Lists a patron's guardians, those for whom the patron answers, and the others of the household.",
        [.required("patron", .reference(.patron))],
        returns: .value(.list(.record("link"))),
        route: .init(.get, "/patrons/{patron}/links", .staff),
        examples: APIExample(
            #"patrons.link{ patron = "bob", other = "ada", kind = "guardian" } return patrons.links("ada")[1].kind"#,
            #""dependent""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { [APIRecord.link.list(try $0.patrons.links(of: key))] }
    }

    static let patronsLink = APIFunction(
        "link", "Says who answers for a patron (`guardian`), or who lives with whom (`household`).",
        details:
            "A policy reads what such patrons have and owe together: `docs/writing-policies.md` has examples. Of a household, "
            + "the one who is in none yet joins the other's. What is so already stays as it is.",
        .named(
            "link", .required("patron", .reference(.patron)),
            .required("other", .reference(.patron), "the guardian, or a member of the household"),
            .required("kind", .choice(PatronLink.Kind.allCases.map(\.rawValue)))),
        returns: .written(.record("link")),
        refusals: ["unknown_patron", "same_patron", "not_guardian", "other_household", "full"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/links", .staff, creates: true),
        examples: APIExample(
            #"patrons.link{ patron = "bob", other = "ada", kind = "household" }.username"#, #""ada""#),
        APIExample(
            #"select(2, patrons.link{ patron = "bob", other = "bob", kind = "guardian" }).code"#, #""same_patron""#)
    ) { call in try call.changeLink { try $0.patrons.link($1, to: $2, as: $3) } }

    static let patronsUnlink = APIFunction(
        "unlink", "Ends a link: the other is no longer the patron's guardian, or the patron leaves the household.",
        .named(
            "link", .required("patron", .reference(.patron)),
            .required("other", .reference(.patron), "the guardian, or a member of the household"),
            .required("kind", .choice(PatronLink.Kind.allCases.map(\.rawValue)))),
        returns: .written(.record("link")), refusals: ["unknown_patron", "unknown_link"], needs: .patronsWrite,
        route: .init(.post, "/patrons/{patron}/unlink", .staff),
        examples: APIExample(
            #"patrons.link{ patron = "bob", other = "ada", kind = "household" } "#
                + #"patrons.unlink{ patron = "ada", other = "bob", kind = "household" } return #patrons.links("bob")"#,
            "0")
    ) { call in try call.changeLink { try $0.patrons.unlink($1, from: $2, as: $3) } }
}

extension APICall {
    fileprivate func changeLink(
        _ body: (DeskSession, PatronKey, PatronKey, PatronLink.Kind) throws -> Outcome<LinkedPatron>
    ) throws -> [LuaValue] {
        let (patron, other) = (try patronKey("patron"), try patronKey("other"))
        guard let kind: PatronLink.Kind = word("kind") else { throw fault("'kind' is needed") }
        return try write { answer(try body($0, patron, other, kind), APIRecord.link.table) }
    }
}
