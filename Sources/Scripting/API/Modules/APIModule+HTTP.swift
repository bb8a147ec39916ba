import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIModule {
    static let http = APIModule(
        "http", "Requests to servers outside, for plugins and scripts that are allowed `http`.",
        [
            APIFunction.httpGet,
            .sending("post", "Sends something to a server: afterwards, by the outbox, or now."),
            .sending("put", "The same as `http.post` with the method PUT."),
            .sending("patch", "The same as `http.post` with the method PATCH."),
            .sending("delete", "The same as `http.post` with the method DELETE."),
        ])
}

extension APIRecord<WebReply> {
    static let reply = APIRecord(
        "http_reply", "What became of a request to a server.",
        [
            maybe("id", .text, "its `webhook-id`, where it waits in the outbox") { .text($0.message) },
            maybe("status", .integer, "the server's answer: 200 and the like") {
                ($0.answer?.status).map { .integer(Int64($0)) }
            },
            maybe("headers", .json, "the fields of the answer, by names in lower case") { $0.headers },
            maybe("body", .text, "the answer's text") { $0.text.map { .string($0) } },
            maybe("json", .json, "the text as JSON, if it is some") { $0.json.map { .json($0) } },
        ])
}

/// What `http` functions give.
struct WebReply {
    var message: String?
    var answer: WebAnswer?

    var text: String? { answer.map { String(decoding: $0.body, as: UTF8.self) } }
    var json: JSON? { answer.flatMap { try? JSONParser.parse($0.body) } }
    var headers: LuaValue? {
        (answer?.headers).map { headers in
            .table(LuaTable(fields: headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
    }
}

extension APIFunction {
    private static let url = APIParameter.required("url", .text(maximum: 8_000), "where to")
    private static let query = APIParameter.optional("query", .json, "what is added to it: texts by their names")
    private static let headers = APIParameter.optional("headers", .json, "further fields: texts by their names")
    private static let refusals = [
        "unreachable", "timed_out", "insecure", "cut_off", "bad_answer", "bad_address", "not_asked",
    ]

    fileprivate static let httpGet = APIFunction(
        "get", "Asks a server, and waits for its answer.",
        details: """
            Whatever its status, an answer is one; where none came, it gives nil and a refusal. No redirect is followed. In a \
            transaction nothing may wait for a server: ask before `store.transaction`, and in a handler before its first change.
            """,
        [.required("request", .fields([url, query, headers]), "")],
        returns: .written(.record("http_reply")), refusals: refusals, needs: .http, asks: true,
        examples: [APIExample(#"(pcall(http.get, { url = "https://elsewhere.example.org/" }))"#, "false")]
    ) { call in
        let (request, _) = try call.webCall("GET")
        return try call.asked(request)
    }

    fileprivate static func sending(_ name: String, _ summary: String) -> APIFunction {
        APIFunction(
            name, summary,
            details: """
                Without `now` it is written down in the transaction that is open, or in one of its own, and sent after that: at \
                least once, under the same `webhook-id` and `Idempotency-Key` at each try, signed as Standard Webhooks have it. \
                With `now` it is sent at once and its answer given, as by `http.get`.
                """,
            [
                .required(
                    "request",
                    .fields([
                        url, query, headers,
                        .optional("json", .json, "what is sent, as JSON"),
                        .optional("form", .json, "what is sent as a form: texts by their names"),
                        .optional("body", .text(maximum: 1_000_000), "what is sent as it is"),
                        .optional("type", .text(maximum: 200), "the type of `body`", standard: #""text/plain""#),
                        .optional("key", .text(maximum: 200), "what makes it one and the same: it is sent once a key"),
                        .optional("patron", .reference(.patron), "whom it is about: it goes with the patron"),
                        .optional("now", .boolean, "whether to wait for the answer", standard: "false"),
                    ]), "")
            ],
            returns: .written(.record("http_reply")), refusals: refusals + ["unknown_patron"], needs: .http, asks: true,
            examples: [
                APIExample(
                    #"#http.\#(name){ url = "https://api.example.org/loans", json = { copy = "3001" }, key = "a" }.id"#,
                    "36")
            ]
        ) { call in
            let (request, address) = try call.webCall(name.uppercased())
            if call.arguments["now"] == true { return try call.asked(request) }
            try call.script.checkMayWrite()
            return try call.write { session in
                let key: String? = call.arguments["key"]
                let patron = try call.patronID("patron", in: session)
                if patron == 0 {
                    return call.answer(
                        Outcome<WebReply>.refused(Refusal(code: "unknown_patron", message: "There is no such patron.")),
                        APIRecord.reply.table)
                }
                let added = try call.reaching {
                    try call.script.webAccess().add(request, to: address, key: key, patron: patron, in: session)
                }
                return [APIRecord.reply.table(WebReply(message: added.message))]
            }
        }
    }
}

extension APICall {
    /// The request that the arguments say, and where it goes.
    ///
    /// - Throws: `LuaHostError` for what cannot be sent or may not be reached.
    fileprivate func webCall(_ method: String) throws -> (WebCall, WebAddress) {
        var url: String = try arguments.need("url")
        if let query = try form("query") { url += (url.contains("?") ? "&" : "?") + query }
        let address = try reaching { try script.webAccess().address(url) }
        var call = WebCall(method: method, url: url, headers: try headers())
        let bodies = ["json", "form", "body"].filter(arguments.has)
        guard bodies.count <= 1 else { throw fault("only one of json, form and body can be sent") }
        if arguments.has("type"), bodies != ["body"] { throw fault("'type' goes with 'body'") }
        if let json: JSON = arguments["json"] {
            (call.type, call.body) = ("application/json", json.text())
        } else if let form = try form("form") {
            (call.type, call.body) = ("application/x-www-form-urlencoded", form)
        } else if let body: String = arguments["body"] {
            (call.type, call.body) = (arguments["type"] ?? "text/plain; charset=utf-8", body)
        } else if method != "GET" && method != "DELETE" {
            (call.type, call.body) = ("text/plain; charset=utf-8", "")
        }
        guard Self.isValue(call.type) else { throw fault("'type' is not a type of content") }
        return (call, address)
    }

    /// Waits for the answer of a server.
    fileprivate func asked(_ request: WebCall) throws -> [LuaValue] {
        var request = request
        if let key: String = arguments["key"] {
            let name = "\(script.webAccess().owner) \(key)"
            request.headers.append("Idempotency-Key: \(SHA256.hexadecimal(of: Array(name.utf8)).prefix(32))")
        }
        let outcome = try reaching {
            try script.webAccess().ask(request, isInTransaction: script.session != nil)
        }
        if case .done(let answer) = outcome { try charge(answer.body.count * 4) }
        return answer(outcome) { APIRecord.reply.table(WebReply(answer: $0)) }
    }

    /// Errors of the body with the function's name in front.
    fileprivate func reaching<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LuaHostError {
            throw fault(error.message)
        }
    }

    /// Texts by their names, encoded; nil where the argument was not given.
    private func form(_ name: String) throws -> String? {
        try texts(name)?.map { "\(WebAddress.encoded($0.name))=\(WebAddress.encoded($0.value))" }
            .joined(separator: "&")
    }

    private func texts(_ name: String) throws -> [(name: String, value: String)]? {
        guard let json: JSON = arguments[name] else { return nil }
        if case .array(let list) = json, list.isEmpty { return [] }
        guard case .object(let object) = json else { throw fault("'\(name)' has texts by their names") }
        return try object.sorted { $0.key < $1.key }.map { entry in
            switch entry.value {
            case .string(let text): return (entry.key, text)
            case .integer, .number, .bool: return (entry.key, entry.value.text())
            default: throw fault("'\(name).\(APIText.quotable(entry.key))' must be a text")
            }
        }
    }

    /// What the library says of a request itself.
    private static let ownHeaders: Set<String> = [
        "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "te", "trailer",
        "upgrade",
        "keep-alive", "proxy-authorization", "proxy-connection", "idempotency-key", "webhook-id", "webhook-timestamp",
        "webhook-signature",
    ]

    private func headers() throws -> [String] {
        try (texts("headers") ?? []).map { name, value in
            guard !name.isEmpty, name.utf8.allSatisfy(EmailAddress.isAtom), !Self.ownHeaders.contains(name.lowercased())
            else { throw fault("'headers' cannot have the field '\(APIText.quotable(name))'") }
            guard Self.isValue(value), value.utf8.count <= 8_000 else {
                throw fault("'headers.\(name)' must be one line of ASCII")
            }
            return "\(name): \(value)"
        }
    }

    private static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}
