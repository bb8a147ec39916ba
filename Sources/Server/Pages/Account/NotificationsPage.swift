import Circulation
import Scripting
import TextFormats

/// Messages from the library and from others on the market.
enum NotificationsPage {
    static let pages = [
        Page.shown("/me/notifications", .holder) { call in
            let notices = try call.list("/patrons/me/notifications", ["limit": 100]).filter {
                // Those that another message took the place of say nothing any more.
                !["superseded", "cancelled"].contains($0["state"]?.stringValue)
            }
            return PageView(
                template: "notifications", title: "Notifications",
                fields: [
                    "notices": notices.map { notice(shown: $0, call) },
                    "hasUnread": notices.contains { $0["state"] == "sent" },
                ])
        },
        Page.form("/me/notifications/read") { call in
            let unread = try call.list("/patrons/me/notifications", ["unread": true, "limit": 100])
            for notice in unread where notice["state"] == "sent" {
                _ = try call.ask(.post, "/notifications/\(notice["id"]?.integerValue ?? 0)/read")
            }
            return .done(to: "/me/notifications", saying: "All are marked as read.")
        },
        Page.form("/me/notifications/{notice}/read") { call in
            try call.act(.post, "/notifications/\(call.value())/read", back: "/me/notifications") { _ in
                "Marked as read."
            }
        },
    ]

    private static func notice(shown notice: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": notice["id"]?.integerValue ?? 0, "subject": PageWords.safe(notice["subject"]) ?? "Message",
            "isUnread": notice["state"] == "sent",
        ]
        fields["body"] = PageWords.safe(notice["body"])
        fields["at"] = call.words.moment(notice["sent_at"] ?? notice["created_at"])
        return fields
    }
}
