import Circulation
import Desk
import Languages
import Market
import Scripting
import TextFormats

/// What a patron and others write to each other about offers.
enum MessagesPage: PageGroup {
    static let templates = [
        PageTemplate("conversation", PackageResources.conversation_mustache),
        PageTemplate("messages", PackageResources.messages_mustache),
    ]

    /// How many conversations, and how many messages, a page has.
    private static let many: Int64 = 50

    static let pages = [
        Page.shown("/me/messages", .holder) { call in
            let number = max(1, min(1_000, call.query.text("page").flatMap(Int64.init) ?? 1))
            let found = try call.list(
                "/conversations",
                ["patron": "me", "limit": .integer(many + 1), "offset": .integer((number - 1) * many)])
            var fields: [String: Any] = ["conversations": try found.prefix(Int(many)).map { try row(of: $0, call) }]
            if number > 1 { fields["previous"] = "/me/messages?page=\(number - 1)" }
            if found.count > Int(many) { fields["next"] = "/me/messages?page=\(number + 1)" }
            return PageView(template: "messages", title: say("Messages"), fields: fields)
        },
        Page.shown("/me/messages/{conversation}", .holder) { call in try view(call) },
        Page.form("/me/messages/{conversation}") { call in
            var members = call.members(["text"], of: .post, "/messages")
            members["conversation"] = Int64(call.values[0]).map(JSON.integer) ?? .null
            return try send(members, refusedTo: path(call), call)
        },
        Page.form("/me/messages/{conversation}/read") { call in
            try call.act(.post, "/conversations/\(call.value())/read", ["patron": "me"], back: path(call)) { _ in
                say("Marked as read.")
            }
        },
        Page.form("/me/messages/{conversation}/block") { call in
            try call.act(.post, "/conversations/\(call.value())/block", ["patron": "me"], back: path(call)) { _ in
                say("You will no longer receive messages from this member.")
            }
        },
        Page.form("/me/messages/{conversation}/unblock") { call in
            try call.act(.post, "/conversations/\(call.value())/unblock", ["patron": "me"], back: path(call)) { _ in
                say("This member can write to you again.")
            }
        },
    ]

    /// Sends a message, and shows the conversation that it is in.
    static func send(_ members: JSONObject, refusedTo path: String, _ call: PageCall) throws -> PageOutcome {
        var members = members
        members["patron"] = "me"
        switch try call.ask(.post, "/messages", members) {
        case .value(let message):
            return .done(
                to: "/me/messages/\(message["conversation"]?.integerValue ?? 0)",
                saying: say(
                    "Your message has been sent, signed \(try call.ownName()). The recipient sees nothing else "
                        + "about you."))
        case .nothing, .notFound: throw Problem.notFound
        case .refused(let refusal): return .refused(refusal, back: path)
        }
    }

    private static func path(_ call: PageCall) -> String { "/me/messages/\(call.value())" }

    /// The last messages, or those behind a number.
    private static func view(_ call: PageCall) throws -> PageView {
        let patron = try call.holder()
        guard let id = Int64(call.values[0]) else { throw Problem.notFound }
        let found = try call.context.look { session -> (conversation: Conversation, isBlocked: Bool)? in
            guard let conversation = try session.conversations.get(id, of: .id(patron.id)) else { return nil }
            let other = conversation.other(than: patron.id)
            return (conversation, try other.map { try session.conversations.isBlocked($0, by: patron.id) } ?? false)
        }
        guard let (conversation, isBlocked) = found else { throw Problem.notFound }
        let last = max(0, conversation.messages - many)
        let after = min(last, call.query.text("after").flatMap(Int64.init).map { max(0, $0) } ?? last)
        let messages = try call.list(
            "/conversations/\(id)/messages", ["patron": "me", "offset": .integer(after), "limit": .integer(many)])
        var fields: [String: Any] = [
            "path": path(call), "listing": "/market/\(conversation.listing)",
            "name": PageWords.safe(try label(of: conversation.listing, call)),
            "other": PageWords.safe(try call.publicName(conversation.other(than: patron.id)) ?? formerMember),
            "ownName": try call.ownName(), "isBlocked": isBlocked,
            "canWrite": conversation.other(than: patron.id) != nil && !isBlocked,
            "hasOther": conversation.other(than: patron.id) != nil,
            "hasUnread": conversation.unread(by: patron.id) > 0,
            "messages": try messages.map { try message(shown: $0, of: patron, call) },
        ]
        if after > 0 { fields["earlier"] = "\(path(call))?after=\(max(0, after - many))" }
        if after < last { fields["later"] = "\(path(call))?after=\(min(last, after + many))" }
        return PageView(
            template: "conversation", title: say("Messages about \(fields["name"] as? String ?? say("an offer"))"),
            fields: fields
        )
    }

    private static var formerMember: String { say("a former member") }

    private static func label(of listing: Int64, _ call: PageCall) throws -> String {
        try call.context.look { session in
            try session.market.get(listing).map { try session.market.label(of: $0) }
        } ?? ""
    }

    private static func row(of conversation: JSON, _ call: PageCall) throws -> [String: Any] {
        let isOwner = conversation["owner"]?.integerValue == (try call.holder().id)
        let read = conversation[isOwner ? "owner_read" : "asker_read"]?.integerValue ?? 0
        let other = PageWords.safe(conversation[isOwner ? "asker_name" : "owner_name"]) ?? formerMember
        let unread = max(0, (conversation["messages"]?.integerValue ?? 0) - read)
        var fields: [String: Any] = [
            "id": conversation["id"]?.integerValue ?? 0, "name": PageWords.safe(conversation["name"]) ?? "",
            "other": other, "messages": conversation["messages"]?.integerValue ?? 0,
        ]
        if unread > 0 { fields["unread"] = unread }
        fields["at"] = call.words.moment(conversation["last_at"])
        return fields
    }

    private static func message(shown message: JSON, of patron: Patron, _ call: PageCall) throws -> [String: Any] {
        let isOwn = message["sender"]?.integerValue == patron.id
        var fields: [String: Any] = [
            "isOwn": isOwn,
            "sender": isOwn ? say("You") : PageWords.safe(message["sender_name"]) ?? say("A former member"),
            "text": PageWords.safe(message["text"]) ?? "",
            "isGone": message["text"] == "",
        ]
        fields["at"] = call.words.moment(message["sent_at"])
        return fields
    }
}
