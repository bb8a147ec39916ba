import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Messages from the library and from others on the market.
enum NotificationsPage: PageGroup {
    static let templates = [PageTemplate("notifications", PackageResources.notifications_mustache)]

    static let pages = [
        Page.shown("/me/notifications", .holder) { call in
            let notices = try call.list("/patrons/me/notifications", ["limit": 100]).filter {
                // Those that another message took the place of say nothing any more.
                !["superseded", "cancelled"].contains($0["state"]?.stringValue)
            }
            return PageView(
                template: "notifications", title: say("Notifications"),
                fields: [
                    "notices": notices.map { notice(shown: $0, call) },
                    "hasUnread": notices.contains(where: isUnread),
                ])
        },
        Page.form("/me/notifications/read") { call in
            let unread = try call.list("/patrons/me/notifications", ["unread": true, "limit": 1_000])
            for notice in unread {
                _ = try call.ask(.post, "/notifications/\(notice["id"]?.integerValue ?? 0)/read")
            }
            return .done(to: "/me/notifications", saying: say("All notifications have been marked as read."))
        },
        Page.form("/me/notifications/{notice}/read") { call in
            try call.act(.post, "/notifications/\(call.value())/read", back: "/me/notifications") { _ in
                say("Marked as read.")
            }
        },
    ]

    /// Whether it is unread here, even if it is being mailed or its mail failed: what the badge counts.
    private static func isUnread(_ notice: JSON) -> Bool {
        NoticeQuery.unreadStates.contains { $0.rawValue == notice["state"]?.stringValue }
    }

    private static func notice(shown notice: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": notice["id"]?.integerValue ?? 0, "subject": PageWords.sentence(notice["subject"]) ?? say("Message"),
            "isUnread": isUnread(notice),
        ]
        fields["body"] = PageWords.sentence(notice["body"])
        fields["at"] = call.words.moment(notice["sent_at"] ?? notice["created_at"])
        return fields
    }
}
