import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Notices that were given up, with the reason, to be tried again; and what waits to be sent.
enum NoticesPage: PageGroup {
    static let templates = [PageTemplate("notices", PackageResources.notices_mustache)]

    private static let most = 100

    static let pages = [
        Page.shown("/desk/notices", .staff) { call in
            let failed = try call.context.look { try $0.notices.failed(limit: most) }
            let waiting = try call.list("/outbox", ["limit": .integer(Int64(most))])
            return PageView(
                template: "notices", title: say("Notices"),
                fields: [
                    "failed": try failed.map { try row($0, call) },
                    "waiting": try waiting.map { try row($0, call) },
                    "isMore": failed.count == most || waiting.count == most,
                ])
        },
        Page.form("/desk/notices/{notice}/retry", .staff) { call in
            try call.act(.post, "/notifications/\(call.value())/retry", back: "/desk/notices") { _ in
                say("It goes out with the next delivery.")
            }
        },
        Page.form("/desk/notices/{notice}/cancel", .staff) { call in
            try call.act(.post, "/notifications/\(call.value())/cancel", back: "/desk/notices") { _ in
                say("It is taken out of the queue.")
            }
        },
        Page.form("/desk/notices/retry", .staff) { call in
            var count: Int64 = 0
            for one in try call.context.look({ try $0.notices.failed(limit: most) }) {
                guard case .value = try call.ask(.post, "/notifications/\(one.notice.id)/retry") else { continue }
                count += 1
            }
            return .done(
                to: "/desk/notices",
                saying: say("\(PageWords.count(count, "notice goes", "notices go")) out with the next delivery."))
        },
    ]

    private static func row(_ one: FailedDelivery, _ call: PageCall) throws -> [String: Any] {
        let reason = [one.notice.failure.map(RecordForm.words), one.words].compactMap(\.self).joined(separator: ": ")
        return [
            "id": one.notice.id, "subject": PageWords.safe(one.notice.subject),
            "channel": PageWords.safe(one.notice.channel),
            "patronLink": "/desk/patrons/\(one.notice.patron)",
            "patronName": try PatronFields.name(of: one.notice.patron, call) ?? say("A removed patron"),
            "reason": PageWords.safe(reason.isEmpty ? say("Failed") : reason),
            "tries": PageWords.count(one.notice.tries, "try", "tries"),
            "at": call.words.moment(.string(one.notice.createdAt.description)) ?? [:],
        ]
    }

    private static func row(_ notice: JSON, _ call: PageCall) throws -> [String: Any] {
        let patron = notice["patron"]?.integerValue
        return [
            "id": notice["id"]?.integerValue ?? 0, "subject": PageWords.safe(notice["subject"]) ?? "",
            "channel": PageWords.safe(notice["channel"]) ?? "", "patronLink": "/desk/patrons/\(patron ?? 0)",
            "patronName": try PatronFields.name(of: patron, call) ?? say("A removed patron"),
            "at": call.words.moment(notice["created_at"]) ?? [:],
        ]
    }
}
