import Circulation
import TextFormats

/// How events hang together: each has a hash of the one before it and of all that it says itself, so that none can be
/// changed, taken out or put in between without all that follow being made anew.
///
/// What an event says goes into the hash by a digest of its own, which is taken with a random salt. Where what is
/// personal has to be cleared from a payload, the digest stays in the place of the salt and the hash stays as it was,
/// while trying does not reveal what the digest was taken of. `docs/decisions/0022-the-chain-of-events.md` says
/// what that proves.
package enum EventChain {
    /// An event's place in the chain.
    package struct Link: Hashable, Sendable {
        package var sequence: Int64
        package var hash: String

        package init(sequence: Int64, hash: String) {
            self.sequence = sequence
            self.hash = hash
        }

        /// Before the first event.
        package static let start = Link(sequence: 0, hash: String(repeating: "0", count: 64))
    }

    /// An event with what stands beside it in the chain.
    package struct Sealed: Hashable, Sendable {
        package var event: EventRecord
        package var hash: String
        /// The salt of the payload's digest; of a payload that was cleared the digest itself.
        package var seal: String
        /// The event that records the clearing, the last one of several.
        package var clearedBy: Int64?

        /// The digest of the payload that the hash was made with.
        package var content: String {
            clearedBy == nil ? EventChain.content(event.payload, salt: seal) : seal
        }
    }

    /// The digest of a payload.
    package static func content(_ payload: String, salt: String) -> String {
        var digest = SHA256()
        digest.update(salt)
        digest.update(payload)
        return digest.finish()
    }

    /// The hash of an event, whose sequence is known, behind another one.
    package static func hash(of event: EventRecord, content: String, after previous: String) -> String {
        var digest = SHA256()
        digest.update(text(of: event, content: content, after: previous))
        return digest.finish()
    }

    /// A line for each value, texts with their length, so that no two events have the same text.
    private static func text(of event: EventRecord, content: String, after previous: String) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(320)
        text += previous.utf8
        func add(_ value: Int64?) {
            text.append(UInt8(ascii: "\n"))
            if let value { text.appendDecimal(value) } else { text.append(UInt8(ascii: "-")) }
        }
        func add(_ value: String) {
            text.append(UInt8(ascii: "\n"))
            text.appendDecimal(Int64(value.utf8.count))
            text.append(UInt8(ascii: ":"))
            text += value.utf8
        }
        add(event.sequence)
        add(event.at.microseconds)
        add(event.actor)
        add(event.channel?.rawValue ?? "-")
        add(event.kind)
        add(event.version)
        add(content)
        add(event.requestID)
        add(event.ordinal)
        add(event.patron)
        add(event.copy)
        add(event.loan)
        return text
    }

    /// 128 random bits in hexadecimal.
    static func salt() -> String {
        var random = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for bits: UInt64 in [random.next(), random.next()] { withUnsafeBytes(of: bits) { bytes += $0 } }
        return HexadecimalText.of(bytes)
    }
}
