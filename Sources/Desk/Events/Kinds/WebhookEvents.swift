import Circulation
import Storage

extension EventKinds {
    static let webhooks: [any AnyEventKind] = [EventKind.webhookChanged]
}

extension EventKind where Content == ChangedWebhook {
    package static var webhookChanged: Self {
        EventKind(
            noting: "webhook.changed",
            "A program outside is told what happens, or no longer, or not for now, or again.")
    }
}

/// What the log keeps of a change of a subscription.
package struct ChangedWebhook: EventContent {
    package var webhook: Int64
    package var change: String
    package var place: String

    package init(webhook: Int64, change: String, place: String) {
        self.webhook = webhook
        self.change = change
        self.place = place
    }

    package static let blank = ChangedWebhook(webhook: 0, change: "", place: "")

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("webhook", \.webhook, "the subscription"),
        EventMember("change", \.change, "`added changed removed paused resumed`"),
        EventMember("place", \.place, "host and port of its server"),
    ]
}
