import Desk
import Scripting
import TextFormats

extension RouteTable {
    static let events: [Route] = [listEvents]

    private static let listEvents = Route(
        APIRoute(.get, "/events", .admin, group: "events"),
        APIFunction(
            "events", "Lists what happened, in order, as CloudEvents.",
            details: """
                The header field `Link` has the address of what follows, also where nothing does yet. With \
                `Accept: text/event-stream` the answer goes on with what happens; `Last-Event-ID` says from where.
                """,
            [
                .required(
                    "query",
                    .fields([
                        .optional("after", .integer(0...Int64.max), "behind this sequence", standard: "0"),
                        .optional("kinds", .list(.event), "only these"),
                        .optional("limit", .integer(1...1_000), "how many at most", standard: "100"),
                    ]), "")
            ],
            returns: .value(.list(.record("cloud_event"))), examples: [], body: { _ in [] }),
        media: CloudEvent.batch, isStreamed: true
    ) { call, arguments in
        let query = EventQueryArguments(arguments)
        let source = call.services.settings.url
        let part = try call.context.look {
            try $0.events.part(after: query.after ?? 0, kinds: query.kinds, limit: query.limit ?? 100)
        }
        return .value([
            "items": .array(part.events.map { CloudEvent(event: $0, source: source).json }),
            "after": .integer(part.end),
        ])
    }
}

/// What a request for events says.
struct EventQueryArguments {
    let after: Int64?
    let kinds: Set<String>?
    let limit: Int64?

    init(_ arguments: APIArguments) {
        after = arguments["after"]
        kinds = (arguments["kinds"] as [String]?).map(Set.init)
        limit = arguments["limit"]
    }
}
