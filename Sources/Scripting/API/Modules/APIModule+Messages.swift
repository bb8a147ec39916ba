import Circulation
import Desk
import LuaRuntime
import Market

extension APIModule {
    static let messages = APIModule(
        "messages", "What patrons write to each other about listings.",
        [
            .messagesConversations, .messagesRead, .messagesWrite, .messagesMarkRead, .messagesBlock, .messagesUnblock,
        ])
}

/// What examples begin with.
private enum MessageExample {
    static let write =
        #"local l = market.publish{ seller = "ada", title = "9780441013593", kind = "sell", price = "4.50" } "#
        + #"local m = messages.write{ patron = "bob", listing = l, text = "Is it yours?" } "#
}

extension APIFunction {
    fileprivate static let messagesConversations = APIFunction(
        "conversations", "Lists a patron's conversations, the one with the latest message first.",
        .named("query", [.required("patron", .reference(.patron))] + APIParameter.part(50, of: 0...1_000)),
        returns: .value(.list(.record("conversation"))),
        route: .init(.get, "/conversations", .holder, own: ["patron"]),
        examples: APIExample(
            MessageExample.write + #"return messages.conversations{ patron = "ada" }[1].asker_name"#, #""bob""#)
    ) { call in
        let key = try call.patronKey("patron")
        return try call.read { session in
            [
                APIRecord.conversation.list(
                    try session.conversations.list(of: key, call.part(50)).map { try ConversationRow($0, in: session) })
            ]
        }
    }

    fileprivate static let messagesRead = APIFunction(
        "read", "Lists the messages of a patron's conversation by their numbers; nil for another's.",
        details: "Reading marks nothing as read.",
        .named(
            "query",
            [
                .required("patron", .reference(.patron)), .required("conversation", .reference(.conversation)),
            ] + APIParameter.part(100, of: 0...1_000)),
        returns: .found(.list(.record("message"))),
        route: .init(.get, "/conversations/{conversation}/messages", .holder, own: ["patron"]),
        examples: APIExample(
            MessageExample.write
                + #"return messages.read{ patron = "ada", conversation = m.conversation }[1].text"#,
            #""Is it yours?""#)
    ) { call in
        let (id, key) = (try call.id("conversation"), try call.patronKey("patron"))
        return try call.read { session in
            let found = try session.conversations.messages(of: id, reader: key, call.part(100))
            guard let found else { return [.nil] }
            return [APIRecord.message.list(try found.map { try MessageRow($0, in: session) })]
        }
    }

    fileprivate static let messagesWrite = APIFunction(
        "write", "Writes to the seller of a listing, or to the other side of a conversation, who is told by mail.",
        details: "Each sees the other's public name: the username or, where that is an e-mail address, a name such as "
            + "`Reader 62`. Neither is given an address or a phone number.",
        .named(
            "message", .required("patron", .reference(.patron), "who writes"),
            .optional("listing", .reference(.listing), "what it is about"),
            .optional("conversation", .reference(.conversation), "or what it goes on with"),
            .required("text", .text(maximum: ConversationService.longestText))),
        returns: .written(.record("message")),
        refusals: [
            "unknown_patron", "not_owner", "unknown_listing", "not_offered", "own_listing", "no_owner",
            "unknown_conversation", "no_reader", "blocked",
        ],
        needs: .marketWrite, route: .init(.post, "/messages", .holder, own: ["patron"], creates: true),
        examples: APIExample(
            MessageExample.write
                + #"return messages.write{ patron = "ada", conversation = m.conversation, text = "Yes." }.number"#,
            "2"),
        APIExample(
            #"select(2, messages.write{ patron = "bob", listing = 999999, text = "Is it yours?" }).code"#,
            #""unknown_listing""#)
    ) { call in
        guard call.arguments.has("listing") != call.arguments.has("conversation") else {
            throw call.fault("one of 'listing' and 'conversation' is needed, and only one")
        }
        let key = try call.patronKey("patron")
        let text: String = try call.arguments.need("text")
        let subject: ConversationService.Subject =
            call.arguments.has("listing")
            ? .listing(try call.id("listing")) : .conversation(try call.id("conversation"))
        return try call.write { session in
            try call.answer(try session.conversations.write(text, from: key, about: subject)) {
                APIRecord.message.table(try MessageRow($0, in: session))
            }
        }
    }

    fileprivate static let messagesMarkRead = changing(
        "mark_read", "Notes that a patron has read all messages of a conversation.", "read",
        example: #"messages.mark_read{ patron = "ada", conversation = m.conversation }.owner_read"#, gives: "1"
    ) { try $0.markRead($1, of: $2) }

    fileprivate static let messagesBlock = changing(
        "block", "Has a patron take no more messages from the other side of a conversation, in this and in others.",
        "block", refusals: ["no_reader"],
        example: #"messages.block{ patron = "ada", conversation = m.conversation } "#
            + #"return select(2, messages.write{ patron = "bob", listing = l, text = "Hello?" }).code"#,
        gives: #""blocked""#
    ) { try $0.block($1, by: $2) }

    fileprivate static let messagesUnblock = changing(
        "unblock", "Has a patron take messages from the other side of a conversation again.", "unblock",
        example: #"messages.block{ patron = "ada", conversation = m.conversation } "#
            + #"messages.unblock{ patron = "ada", conversation = m.conversation } "#
            + #"return messages.write{ patron = "bob", listing = l, text = "Hello?" }.number"#,
        gives: "2"
    ) { try $0.unblock($1, by: $2) }

    private static func changing(
        _ name: String, _ summary: String, _ path: String, refusals: [String] = [], example: String, gives: String,
        _ change: @escaping @Sendable (ConversationService, Int64, PatronKey) throws -> Outcome<Conversation>
    ) -> APIFunction {
        APIFunction(
            name, summary,
            .named(
                "conversation", .required("patron", .reference(.patron)),
                .required("conversation", .reference(.conversation))),
            returns: .written(.record("conversation")),
            refusals: ["unknown_patron", "not_owner", "unknown_conversation"] + refusals, needs: .marketWrite,
            route: .init(.post, "/conversations/{conversation}/\(path)", .holder, own: ["patron"]),
            examples: [
                APIExample(MessageExample.write + (example.contains("return ") ? "" : "return ") + example, gives)
            ]
        ) { call in
            let (id, key) = (try call.id("conversation"), try call.patronKey("patron"))
            return try call.write { session in
                try call.answer(try change(session.conversations, id, key)) {
                    APIRecord.conversation.table(try ConversationRow($0, in: session))
                }
            }
        }
    }
}
