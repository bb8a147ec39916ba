/// Which notices to read.
package struct NoticeQuery: Hashable, Sendable {
    package var patron: Int64?
    package var loan: Int64?
    package var states: Set<Notice.State>?
    package var channel: String?
    package var kind: String?

    package init(
        patron: Int64? = nil, loan: Int64? = nil, states: Set<Notice.State>? = nil, channel: String? = nil,
        kind: String? = nil
    ) {
        self.patron = patron
        self.loan = loan
        self.states = states
        self.channel = channel
        self.kind = kind
    }

    /// The states of what was not read: on its way, sent, or given up.
    package static let unreadStates: Set<Notice.State> = [.queued, .sent, .failed]

    /// What a patron has not read.
    package static func unread(of patron: Int64) -> NoticeQuery {
        NoticeQuery(patron: patron, states: unreadStates)
    }
}
