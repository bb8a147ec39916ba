import Circulation
import Desk
import LuaRuntime
import Market

extension APIModule {
    static let suggestions = APIModule(
        "suggestions", "Titles that people ask the library for.",
        [.suggestionsList, .suggestionsSubmit, .suggestionsApprove, .suggestionsReject])
}

/// What examples begin with.
private enum SuggestionExample {
    static let submit = #"local s = suggestions.submit{ patron = "bob", name = "Optics", isbn = "9780133977226" } "#
}

extension APIFunction {
    fileprivate static let suggestionsList = APIFunction(
        "list", "Lists suggestions, the oldest first.",
        .named(
            "query",
            [
                .optional("state", .choice(Suggestion.State.allCases.map(\.rawValue)), "only in this state"),
                .optional("patron", .reference(.patron), "only this patron's"),
            ] + APIParameter.part(100, of: 0...10_000)),
        returns: .value(.list(.record("suggestion"))), route: .init(.get, "/suggestions", .holder, own: ["patron"]),
        examples: APIExample(
            #"suggestions.submit{ patron = "bob", name = "Optics" } return #suggestions.list{ patron = "bob" }"#,
            "1")
    ) { call in
        let patron = try call.optionalPatronKey("patron")
        let state: Suggestion.State? = call.word("state")
        return try call.read {
            [
                APIRecord<Suggestion>.suggestion.list(
                    try $0.suggestions.list(state: state, patron: patron, call.part(100)))
            ]
        }
    }

    fileprivate static let suggestionsSubmit = APIFunction(
        "submit", "Takes in a suggestion; the policy's `publish` approves it, leaves it to staff or refuses it.",
        .named(
            "suggestion", .required("patron", .reference(.patron)),
            .required("name", .text(maximum: 1000), "the title's name"),
            .optional("isbn", .text(maximum: 50)),
            .optional("authors", .list(.text(maximum: 500))),
            .optional("courses", .list(.text(maximum: 100)), "codes of courses that use it"),
            .optional("college", .text(maximum: 200)),
            .optional("note", .text, "the proposer's own words")),
        returns: .written(.record("suggestion")), refusals: ["unknown_patron", "not_owner", "exists", "policy_failed"],
        needs: .catalogueWrite, route: .init(.post, "/suggestions", .holder, own: ["patron"], creates: true),
        examples: APIExample(
            #"suggestions.submit{ patron = "bob", name = "Optics", isbn = "9780133977226" }.name"#, #""Optics""#),
        APIExample(
            #"select(2, suggestions.submit{ patron = "bob", name = "Dune", isbn = "9780441013593" }).code"#,
            #""exists""#)
    ) { call in
        let patron = try call.patronKey("patron")
        let proposal = try call.proposal(named: try call.arguments.need("name"))
        return try call.write {
            call.answer(
                try $0.suggestions.submit(proposal, from: patron, note: call.arguments["note"] ?? ""),
                APIRecord<Suggestion>.suggestion.table)
        }
    }

    private static let decision: [APIParameter] = [
        .required(
            "suggestion",
            .fields([
                .required("suggestion", .reference(.suggestion)),
                .optional("message", .text(maximum: 1000), "what the proposer is told"),
            ]), "")
    ]

    fileprivate static let suggestionsApprove = APIFunction(
        "approve", "Puts a suggested title into the catalogue, and tells the patron who asked for it.", decision,
        returns: .written(.record("suggestion")), refusals: ["unknown_suggestion", "not_owner", "closed", "exists"],
        needs: .catalogueWrite, route: .init(.post, "/suggestions/{suggestion}/approve", .staff),
        examples: APIExample(
            SuggestionExample.submit
                + #"suggestions.approve(s) return catalogue.get("9780133977226").title"#, #""Optics""#),
        APIExample("select(2, suggestions.approve(999999)).code", #""unknown_suggestion""#)
    ) { call in
        let id = try call.id("suggestion")
        return try call.write {
            call.answer(
                try $0.suggestions.approve(id, message: call.arguments["message"]),
                APIRecord<Suggestion>.suggestion.table)
        }
    }

    fileprivate static let suggestionsReject = APIFunction(
        "reject", "Turns a suggestion down, and tells the patron who asked for it.", decision,
        returns: .written(.record("suggestion")), refusals: ["unknown_suggestion", "not_owner", "closed"],
        needs: .catalogueWrite, route: .init(.post, "/suggestions/{suggestion}/reject", .staff),
        examples: APIExample(SuggestionExample.submit + "return suggestions.reject(s).state", #""rejected""#),
        APIExample("select(2, suggestions.reject(999999)).code", #""unknown_suggestion""#)
    ) { call in
        let id = try call.id("suggestion")
        return try call.write {
            call.answer(
                try $0.suggestions.reject(id, message: call.arguments["message"]),
                APIRecord<Suggestion>.suggestion.table)
        }
    }
}
