import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIModule {
    static let webhooks = APIModule(
        "webhooks", "Programs outside that have events posted to them.",
        [.webhooksList, .webhooksAdd, .webhooksRemove, .webhooksResume, .webhooksTest])
}

/// A subscription as scripts see it.
struct WebhookRow {
    var webhook: Webhook
    var waiting: Int64
    var failed: Int64
    var secret: String?

    init(_ webhook: Webhook, secret: String? = nil, in session: DeskSession) throws {
        self.webhook = webhook
        self.secret = secret
        waiting = try session.webhooks.count(.queued, of: webhook.id)
        failed = try session.webhooks.count(.failed, of: webhook.id)
    }
}

extension APIRecord<WebhookRow> {
    static let webhook = APIRecord(
        "webhook", "A subscription to events.",
        [
            always("id", .id, "") { .integer($0.webhook.id) },
            always("url", .text, "where events are posted, without the query, which may be secret") {
                .string((try? WebAddress($0.webhook.url))?.shown ?? "")
            },
            always("events", .list(.text), "the events that it wants; empty: all") { .texts($0.webhook.events) },
            always("note", .text, "") { .string($0.webhook.note) },
            always("state", .words(Webhook.State.self), "`paused` once its server took nothing for three days") {
                .string($0.webhook.state.rawValue)
            },
            always("position", .count, "the sequence of the last event that is in the outbox or was not wanted") {
                .integer($0.webhook.position)
            },
            always("waiting", .count, "how many events wait to be sent") { .integer($0.waiting) },
            always("failed", .count, "how many were given up") { .integer($0.failed) },
            always("created_at", .instant, "") { .instant($0.webhook.createdAt) },
            maybe("failing_since", .instant, "since when every try was in vain") {
                $0.webhook.failingSince.map { .instant($0) }
            },
            maybe("secret", .text, "what signs; said once, when the subscription is made") { .text($0.secret) },
        ])
}

extension APIFunction {
    private static let example =
        #"local w = webhooks.add{ url = "https://api.example.org/in", events = { "loan.made" } } "#
    private static let id = [APIParameter.required("webhook", .id, "the subscription")]

    private static func route(_ verb: APIRoute.Verb, _ path: String, creates: Bool = false) -> APIRoute {
        APIRoute(verb, "/webhooks" + path, .admin, creates: creates)
    }

    fileprivate static let webhooksList = APIFunction(
        "list", "Lists the subscriptions.", [], returns: .value(.list(.record("webhook"))), route: route(.get, ""),
        examples: [APIExample("#webhooks.list()", "0")]
    ) { call in
        try call.read { session in
            [try APIRecord.webhook.list(session.webhooks.list().map { try WebhookRow($0, in: session) })]
        }
    }

    fileprivate static let webhooksAdd = APIFunction(
        "add", "Has events posted to a server from now on, as CloudEvents and signed as Standard Webhooks have it.",
        [
            .required(
                "webhook",
                .fields([
                    .required(
                        "url", .text(maximum: 2_000), "`https://...`, on no machine of the library's own network"),
                    .optional("events", .list(.event), "only these; all if left out"),
                    .optional("note", .text(maximum: 500), "what it is for", standard: #""""#),
                    .optional("secret", .text(maximum: 200), "what signs; one is made if left out"),
                ]), "")
        ],
        returns: .written(.record("webhook")), refusals: ["bad_url", "too_many_webhooks"], needs: .settingsWrite,
        route: route(.post, "", creates: true), examples: [APIExample(example + "return #w.events", "1")]
    ) { call in
        let url: String = try call.arguments.need("url")
        let sender = try call.script.desk.outside.web()
        if let secret: String = call.arguments["secret"], secret.utf8.count < 16 {
            throw call.fault("'secret' must have 16 bytes at least")
        }
        return try call.write { session in
            let outcome = try session.webhooks.add(
                url, events: call.arguments["events"] ?? [], note: call.arguments["note"] ?? "",
                secret: call.arguments["secret"], by: sender)
            return try call.answer(outcome) { made in
                APIRecord.webhook.table(try WebhookRow(made.webhook, secret: made.secret, in: session))
            }
        }
    }

    fileprivate static let webhooksRemove = APIFunction(
        "remove", "Ends a subscription; what waits for it is not sent any more.", id,
        returns: .written(.record("webhook")), refusals: ["unknown_webhook"], needs: .settingsWrite,
        route: route(.delete, "/{webhook}"),
        examples: [APIExample(example + "webhooks.remove(w.id) return #webhooks.list()", "0")]
    ) { call in
        try call.change { try $0.webhooks.remove($1) }
    }

    fileprivate static let webhooksResume = APIFunction(
        "resume", "Goes on with a subscription that was paused, with all that has happened since.", id,
        returns: .written(.record("webhook")), refusals: ["unknown_webhook"], needs: .settingsWrite,
        route: route(.post, "/{webhook}/resume"),
        examples: [APIExample(example + "return webhooks.resume(w.id).state", #""active""#)]
    ) { call in
        try call.change { try $0.webhooks.resume($1) }
    }

    fileprivate static let webhooksTest = APIFunction(
        "test", "Has a made-up event of the type `moonshelf.test` posted.", id,
        returns: .written(.record("webhook")), refusals: ["unknown_webhook"], needs: .settingsWrite,
        route: route(.post, "/{webhook}/test"),
        examples: [APIExample(example + "return webhooks.test(w.id).waiting", "1")]
    ) { call in
        try call.change { try $0.webhooks.test($1) }
    }
}

extension APICall {
    fileprivate func change(_ body: (DeskSession, Int64) throws -> Outcome<Webhook>) throws -> [LuaValue] {
        let id: Int64 = try arguments.need("webhook")
        return try write { session in
            try answer(body(session, id)) { APIRecord.webhook.table(try WebhookRow($0, in: session)) }
        }
    }
}
