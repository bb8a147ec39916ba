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
            let ids = failed.map(\.notice.patron) + waiting.compactMap { $0["patron"]?.integerValue }
            let names = try PatronFields.names(of: ids, call)
            let mails = mails(failed, names, call)
            return PageView(
                template: "notices", title: say("Notices"),
                fields: [
                    "failed": mails, "isAnyShared": mails.contains { $0["mail"] != nil },
                    "isAnyUnsure": failed.contains { $0.tried?.mayHaveArrived == true },
                    "waiting": waiting.map { row($0, names, call) },
                    "isMore": failed.count == most || waiting.count == most,
                ])
        },
        Page.form("/desk/notices/{notice}/retry", .staff) { call in
            try call.act(.post, "/notifications/\(call.value())/retry", way(call), back: "/desk/notices") { _ in
                say("It will go out with the next delivery.")
            }
        },
        Page.form("/desk/notices/{notice}/retry-mail", .staff) { call in
            let failed = try call.context.look { try $0.notices.failed(limit: most) }
            let message = failed.first { "\($0.notice.id)" == call.value() }?.tried?.message
            return try retry(message == nil ? [] : failed.filter { $0.tried?.message == message }, call)
        },
        Page.form("/desk/notices/{notice}/cancel", .staff) { call in
            try call.act(.post, "/notifications/\(call.value())/cancel", back: "/desk/notices") { _ in
                say("It has been removed from the queue.")
            }
        },
        Page.form("/desk/notices/retry", .staff) { call in
            try retry(call.context.look { try $0.notices.failed(limit: most) }, call)
        },
    ]

    /// Whether the form asks for mails of one notice each.
    private static func way(_ call: PageCall) -> JSONObject { call.form.text("alone") == nil ? [:] : ["alone": true] }

    private static func retry(_ failed: [FailedDelivery], _ call: PageCall) throws -> PageOutcome {
        var count: Int64 = 0
        for one in failed {
            guard case .value = try call.ask(.post, "/notifications/\(one.notice.id)/retry", way(call)) else {
                continue
            }
            count += 1
        }
        return .done(
            to: "/desk/notices",
            saying: say("\(PageWords.count(count, "notice will go", "notices will go")) out with the next delivery."))
    }

    /// What was given up, that of one mail together, in the order of the first of each.
    private static func mails(
        _ failed: [FailedDelivery], _ names: [Int64: String], _ call: PageCall
    ) -> [[String: Any]] {
        var mails: [[FailedDelivery]] = []
        var places: [String: Int] = [:]
        for one in failed {
            guard let message = one.tried?.message else {
                mails.append([one])
                continue
            }
            if let place = places[message] {
                mails[place].append(one)
            } else {
                places[message] = mails.count
                mails.append([one])
            }
        }
        return mails.map { mail in
            let isShared = mail.count > 1
            var fields: [String: Any] = ["rows": mail.map { row($0, isShared: isShared, names, call) }]
            if isShared, let first = mail.first {
                fields["mail"] =
                    [
                        "id": first.notice.id,
                        "words": say("One e-mail with \(PageWords.count(Int64(mail.count), "notice", "notices"))"),
                        "patronName": names[first.notice.patron] ?? say("A former patron"),
                    ] as [String: Any]
            }
            return fields
        }
    }

    private static func row(
        _ one: FailedDelivery, isShared: Bool, _ names: [Int64: String], _ call: PageCall
    ) -> [String: Any] {
        let reason = [one.notice.failure.map(RecordForm.words), one.tried?.words].compactMap(\.self).joined(
            separator: ": ")
        return [
            "id": one.notice.id, "subject": PageWords.safe(one.notice.subject),
            "channel": PageWords.safe(one.notice.channel),
            "patronLink": "/desk/patrons/\(one.notice.patron)",
            "patronName": names[one.notice.patron] ?? say("A former patron"),
            "reason": PageWords.safe(reason.isEmpty ? say("Failed") : reason),
            "tries": PageWords.count(one.notice.tries, "attempt", "attempts"), "isShared": isShared,
            "isUnsure": one.tried?.mayHaveArrived ?? false,
            "at": call.words.moment(.string(one.notice.createdAt.description)) ?? [:],
        ]
    }

    private static func row(_ notice: JSON, _ names: [Int64: String], _ call: PageCall) -> [String: Any] {
        let patron = notice["patron"]?.integerValue
        return [
            "id": notice["id"]?.integerValue ?? 0, "subject": PageWords.safe(notice["subject"]) ?? "",
            "channel": PageWords.safe(notice["channel"]) ?? "", "patronLink": "/desk/patrons/\(patron ?? 0)",
            "patronName": patron.flatMap { names[$0] } ?? say("A former patron"),
            "at": call.words.moment(notice["created_at"]) ?? [:],
        ]
    }
}
