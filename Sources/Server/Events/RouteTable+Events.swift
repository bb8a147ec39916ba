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

extension CloudEvent {
    /// What describes it in the OpenAPI document.
    static let record = APIRecordType(
        name: "cloud_event",
        summary: "An event as CloudEvents 1.0 has it; `docs/events.md` says what `data` has by `type`.",
        fields: [
            .required("specversion", .text, "`1.0`"), .required("id", .text, "its sequence in the log"),
            .required("source", .text, "the address of the library"),
            .required("type", .text, "`moonshelf.loan.made` and the like"),
            .optional("subject", .text, "what it is about: `loan/1204`"), .required("time", .instant, ""),
            .required("actor", .text, "who did it: `patron:ID`, or a program's name"),
            .required("datacontenttype", .text, "`application/json`"), .required("data", .json, "its fields"),
        ])
}
