import Circulation
import Desk

extension APIFunction {
    static let patronsDuplicates = APIFunction(
        "duplicates", "Finds patrons who are likely registered twice, in parts.",
        details:
            "Those of one birthday are compared by their names, those of one e-mail address too, as an import compares "
            + "the patrons that it brings. Each is named with one other record: the surest, and of these the oldest. "
            + "A part looks at 5,000 patrons at most, and may find no one; `next` is then what `after` of the next part is, "
            + "and nil behind the last one. Nothing is merged: `patrons.merge` does that, `from` the one and `into` the other.",
        .named(
            "query", .optional("after", .text(maximum: 1000), "`next` of the part before"),
            .optional("limit", .integer(1...1_000), "how many at most", standard: "50")),
        returns: .value(.record("duplicates")),
        route: .init(.get, "/duplicates/patrons", .staff),
        examples: APIExample(
            #"patrons.add{ username = "g1", email = "g@example.org" } patrons.add{ username = "g2", email = "G@example.org" } "#
                + #"local found = patrons.duplicates{}.found return found[#found].patron.username"#, #""g2""#),
        APIExample(#"patrons.duplicates{}.next"#, "nil")
    ) { call in
        let after: String? = call.arguments["after"]
        let place = after.flatMap(DuplicatePlace.init)
        if after != nil, place == nil {
            throw DeskError.input("after", "That is not what 'next' of a part says.")
        }
        let limit = Int(call.number("limit", standard: 50))
        return try call.read { [APIRecord.duplicates.table(try $0.patrons.duplicates(after: place, limit: limit))] }
    }
}
