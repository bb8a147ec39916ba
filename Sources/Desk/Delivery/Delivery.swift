package import Circulation

/// Brings messages to people outside of the library. It knows networks and no store; it is never called within a
/// transaction.
package protocol Delivery {
    /// The channels by which it can send.
    var channels: Set<String> { get }
    /// The longest that one call of ``deliver(_:)`` takes.
    var timeLimit: Duration { get }
    /// How many messages a minute a channel takes, from all machines together; nil: any number.
    func messagesAMinute(by channel: String) -> Int?
    /// When nothing goes out by a channel, by the library's clocks; nil: at any hour.
    func quietHours(of channel: String) -> QuietHours?
    /// Brings a message to its recipient, or says why not. Never throws: a fault is an outcome.
    func deliver(_ consignment: Consignment) -> DeliveryOutcome
}

extension Delivery {
    package func quietHours(of channel: String) -> QuietHours? { nil }
}

/// A message that is to go out, with whom it is for.
package struct Consignment: Hashable, Sendable {
    /// What makes the message one and the same at each try, for ever: 32 hexadecimal digits.
    package var identity: String
    /// The id of this library: 32 hexadecimal digits.
    package var library: String
    package var notice: Notice
    package var recipient: Patron
    /// Set where several notices go in this message; ``notice`` is the first of them.
    package var gathered: GatheredNotices?

    /// All that go in it, the oldest first.
    package var notices: [Notice] { gathered?.notices ?? [notice] }
}

/// What became of a try.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The other side has taken it over.
    case delivered
    case failed(DeliveryFault)
    /// It was called off before it was known what became of it; this try does not count.
    case stopped
}

/// Why a message did not go out.
package struct DeliveryFault: Error, Hashable, Sendable {
    /// A word for programs: `no_address`, `refused`, `timed_out` and the like.
    package var code: String
    /// What happened, for the administrator.
    package var words: String
    /// Whether trying again can never help.
    package var isFinal: Bool
    /// Whether the channel itself is out of order, so that other messages fare no better for now.
    package var concernsChannel: Bool
    /// Whether the other side may have taken the message over all the same: it was on its way when no answer came.
    package var mayHaveArrived: Bool

    package init(
        _ code: String, _ words: String, isFinal: Bool = false, concernsChannel: Bool = false,
        mayHaveArrived: Bool = false
    ) {
        self.code = code
        self.words = words
        self.isFinal = isFinal
        self.concernsChannel = concernsChannel
        self.mayHaveArrived = mayHaveArrived
    }

    package static let noEmail = DeliveryFault("no_address", "The patron has no e-mail address.", isFinal: true)
    package static let noPhone = DeliveryFault("no_address", "The patron has no phone number.", isFinal: true)

    static func unknownChannel(_ name: String) -> DeliveryFault {
        DeliveryFault("unknown_channel", "There is no channel '\(name)'.", isFinal: true)
    }
}
