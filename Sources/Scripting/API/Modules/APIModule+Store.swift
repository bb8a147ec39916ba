import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let store = APIModule("store", "Transactions and the log of events.", [.storeTransaction, .storeEvents])
}

extension APIFunction {
    fileprivate static let storeTransaction = APIFunction(
        "transaction", "Runs a function so that all it does at the desk happens as a whole, or not at all.",
        details:
            "An error in the function undoes everything and goes on to the caller; it is never run again by itself. "
            + "Refusals inside are answers, not errors: they undo nothing, and they stay in the log even if the "
            + "transaction is undone.",
        [.required("f", .function, "called without arguments; its results are the transaction's")],
        returns: .value(.any), callers: .everyone,
        examples: APIExample("store.transaction(function() return patrons.count() end)", "3"),
        APIExample(
            #"pcall(store.transaction, function() categories.add{ code = "x", name = "X" } error("no") end) return categories.get("x")"#,
            "nil")
    ) { call in
        let body: LuaFunction = try call.arguments.need("f")
        return try call.script.inTransaction { try call.script.state.call(body) }
    }

    fileprivate static let storeEvents = APIFunction(
        "events", "Goes through what happened, in the order in which it happened.",
        .named(
            "query", .optional("since", .integer(0...Int64.max), "after this sequence number"),
            .optional(
                "kind", .event, "only of this kind, such as `loan.made`; `moonshelf api --events` lists them"),
            .optional("patron", .reference(.patron), "only about this patron"),
            .optional("copy", .reference(.copy), "only about this copy"),
            .optional("loan", .reference(.loan), "only about this loan")),
        returns: .each(.record("event")), callers: .admin,
        examples: APIExample(#"for event in store.events{ patron = "ada" } do return event.actor end"#, #""desk""#)
    ) { call in
        let query = try call.read { session in
            var query = EventQuery(since: call.arguments["since"], kind: call.arguments["kind"])
            query.patrons = try call.patronID("patron", in: session).map { [$0] }
            if call.arguments.has("copy") {
                let barcode = try call.barcode("copy", in: session)
                query.copy = try session.catalogue.copy(barcode: barcode)?.id ?? 0
            }
            if call.arguments.has("loan") { query.loan = try call.id("loan") }
            return query
        }
        return try call.each { session, after, page in
            var query = query
            query.since = after ?? query.since
            try session.events.each(query) { page.take($0.sequence, APIRecord.event.table($0)) }
        }
    }
}
