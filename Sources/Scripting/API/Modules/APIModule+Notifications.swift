import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIModule {
    static let notifications = APIModule(
        "notifications", "Messages to patrons.",
        [
            .notificationsList, .notificationsOutbox, .notificationsSend, .notificationsRemind, .notificationsMarkRead,
            .notificationsCancel, .notificationsRetry, .notificationsSweep,
        ])
}

extension APIFunction {
    fileprivate static let notificationsList = APIFunction(
        "list", "Lists messages, the latest first.",
        .named(
            "query",
            [
                .optional("patron", .reference(.patron), "only to this patron"),
                .optional("unread", .boolean, "only what was not read yet", standard: "false"),
            ] + APIParameter.part(100)),
        returns: .value(.list(.record("notice"))),
        route: .init(.get, "/patrons/{patron}/notifications", .holder, own: ["patron"]),
        examples: APIExample(#"notifications.list{ patron = "ada", unread = true }[1].subject"#, #""Welcome""#)
    ) { call in
        try call.read { session in
            var query = NoticeQuery(patron: try call.patronID("patron", in: session))
            if call.arguments["unread"] == true { query.states = NoticeQuery.unreadStates }
            return [APIRecord.notice.list(try session.notices.list(query, call.part(100)).reversed())]
        }
    }

    fileprivate static let notificationsOutbox = APIFunction(
        "outbox", "Lists what waits to be sent, or what was given up, the oldest first.",
        .named(
            "query",
            [.optional("failed", .boolean, "what was given up instead", standard: "false")]
                + APIParameter.part(1_000)),
        returns: .value(.list(.record("outbox_notice"))), route: .init(.get, "/outbox", .staff),
        examples: APIExample("#notifications.outbox{}", "1")
    ) { call in
        let part = call.part(1_000)
        let failed = call.arguments["failed"] == true
        return try call.read { session in
            let query = NoticeQuery(states: [.failed])
            let notices = try failed ? session.notices.list(query, part) : session.notices.outbox(part)
            return [APIRecord.outboxNotice.list(try OutboxRow.of(notices, in: session))]
        }
    }

    fileprivate static let notificationsSend = APIFunction(
        "send", "Puts a message into the outbox, once for each key.",
        details:
            "A repeated key gives the message that is there, so that a chore may be run twice. The channel `inbox` "
            + "delivers at once. Plugins add channels, by names such as `courier:pager`.",
        .named(
            "message", .required("patron", .reference(.patron)),
            .optional(
                "channel", .text(maximum: 100),
                "how it is sent: \(NoticeChannel.all.map { "`\($0.name)`" }.joined(separator: ", ")), or a plugin's",
                standard: "\"inbox\""),
            .required("subject", .text(maximum: 500)),
            .required("body", .longText),
            .required("key", .text(maximum: 200), "what makes the message one and the same")),
        returns: .written(.record("notice")), refusals: ["unknown_patron"], needs: .notificationsWrite,
        route: .init(.post, "/notifications", .staff, creates: true),
        examples: APIExample(
            #"notifications.send{ patron = "ada", channel = "email", subject = "Hello", body = "...", key = "hello" }.state"#,
            #""queued""#)
    ) { call in
        let key = try call.patronKey("patron")
        let channel: String = call.arguments["channel"] ?? NoticeChannel.inbox.name
        guard NoticeChannel.named(channel) != nil else {
            let names = NoticeChannel.all.map(\.name)
            let hint = NameSuggestion.nearest(to: channel, among: names).map { "did you mean '\($0)'?" }
            throw call.fault(
                "there is no channel '\(APIText.quotable(channel))'; "
                    + (hint
                        ?? "there are \(names.joined(separator: ", ")), and those of plugins, such as courier:pager"))
        }
        return try call.write { session in
            let outcome = try session.notices.send(
                to: key, channel: channel,
                subject: try call.arguments.need("subject"),
                body: try call.arguments.need("body"), key: try call.arguments.need("key"))
            return call.answer(outcome, APIRecord.notice.table)
        }
    }

    fileprivate static let notificationsMarkRead = APIFunction(
        "mark_read", "Marks a message as read.",
        [.required("notice", .reference(.notice))],
        returns: .written(.record("notice")), refusals: ["unknown_notice"], needs: .notificationsWrite,
        route: .init(.post, "/notifications/{notice}/read", .holder, owned: "notice"),
        examples: APIExample("notifications.mark_read(1).state", #""read""#)
    ) { call in
        let id = try call.id("notice")
        return try call.write { call.answer(try $0.notices.markRead(id), APIRecord.notice.table) }
    }

    fileprivate static let notificationsCancel = APIFunction(
        "cancel", "Takes a message out of the outbox before it is sent.",
        [.required("notice", .reference(.notice))],
        returns: .written(.record("notice")), refusals: ["unknown_notice", "not_queued"], needs: .notificationsWrite,
        route: .init(.post, "/notifications/{notice}/cancel", .staff),
        examples: APIExample("notifications.cancel(2).state", #""cancelled""#)
    ) { call in
        let id = try call.id("notice")
        return try call.write { call.answer(try $0.notices.cancel(id), APIRecord.notice.table) }
    }

    fileprivate static let notificationsRetry = APIFunction(
        "retry", "Puts a message that was given up back into the outbox.",
        details:
            "One that may have arrived goes out as the mail that it was, with the others of that mail. `alone` has it go in "
            + "a mail of its own: so one notice that a mail server refuses keeps no other back.",
        [
            .required("notice", .reference(.notice)),
            .optional(
                "alone", .boolean, "in a mail of its own, whatever it shared a mail with", standard: "false"),
        ],
        returns: .written(.record("notice")), refusals: ["unknown_notice", "not_queued"], needs: .notificationsWrite,
        route: .init(.post, "/notifications/{notice}/retry", .staff),
        examples: APIExample("notifications.retry(2).state", #""queued""#)
    ) { call in
        let id = try call.id("notice")
        let isAlone: Bool = call.arguments["alone"] ?? false
        return try call.write { call.answer(try $0.notices.retry(id, alone: isAlone), APIRecord.notice.table) }
    }

    fileprivate static let notificationsSweep = APIFunction(
        "sweep",
        "Looks at every open loan that is due or nearly so: posts fines, queues notices. Nothing is done twice.",
        details: "Outside of `store.transaction` it commits page by page and may be stopped and repeated.",
        [], returns: .value(.record("sweep")), needs: .notificationsWrite,
        examples: APIExample("notifications.sweep().failed", "0")
    ) { call in
        let report = try call.script.sweep()
        let charged = Money(minorUnits: report.charged, currency: call.script.library.currency)
        return [APIRecord.sweep.table(SweepSummary(report: report, charged: charged))]
    }
}
