package import Circulation

/// Which notices to read.
package struct NoticeQuery: Hashable, Sendable {
    package var patron: Int64?
    package var states: Set<Notice.State>?
    package var channel: String?
    package var limit: Int?

    package init(
        patron: Int64? = nil, states: Set<Notice.State>? = nil, channel: String? = nil, limit: Int? = nil
    ) {
        self.patron = patron
        self.states = states
        self.channel = channel
        self.limit = limit
    }

    /// What a patron has not read: delivered to the inbox or sent.
    package static func unread(of patron: Int64) -> NoticeQuery {
        NoticeQuery(patron: patron, states: [.queued, .sent])
    }
}
