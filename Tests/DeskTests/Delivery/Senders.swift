import Circulation
import Desk
import Storage
import Synchronization
import Testing

/// A sender of the tests' own: keeps what it was given, and answers as it is told.
final class TestSender: Delivery, Sendable {
    let channels: Set<String>
    let timeLimit = Duration.seconds(60)
    private let rates: [String: Int]
    private let quiet: [String: QuietHours]
    private let answer: @Sendable (Consignment) -> DeliveryOutcome
    private let kept = Mutex<[Consignment]>([])

    init(
        channels: Set<String> = ["email", "sms", "webhook"], rates: [String: Int] = [:],
        quiet: [String: QuietHours] = [:],
        answer: @escaping @Sendable (Consignment) -> DeliveryOutcome = { _ in .delivered }
    ) {
        self.channels = channels
        self.rates = rates
        self.quiet = quiet
        self.answer = answer
    }

    /// What it was given, in order, tries in vain included.
    var consignments: [Consignment] { kept.withLock { $0 } }

    func messagesAMinute(by channel: String) -> Int? { rates[channel] }

    func quietHours(of channel: String) -> QuietHours? { quiet[channel] }

    func deliver(_ consignment: Consignment) -> DeliveryOutcome {
        kept.withLock { $0.append(consignment) }
        return answer(consignment)
    }
}

/// A store whose process is killed at one of its writes: before the commit or right after it.
final class DyingStore: Store {
    struct Killed: Error {}

    private let store: any Store
    private let writesLeft: Mutex<Int>
    private let isKept: Bool

    /// - Parameters:
    ///   - number: the write that is the last, from 1 on.
    ///   - isKept: whether it is committed before the end.
    init(_ store: any Store, atWrite number: Int, isKept: Bool) {
        self.store = store
        writesLeft = Mutex(number)
        self.isKept = isKept
    }

    /// Whether the end came.
    var isDead: Bool { writesLeft.withLock { $0 <= 0 } }

    var location: StoreLocation { store.location }
    var isReadOnly: Bool { false }

    func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T {
        let left = writesLeft.withLock { left in
            left -= 1
            return left
        }
        guard left <= 0 else { return try store.write(sharing, body) }
        if left == 0 && isKept {
            _ = try store.write(sharing, body)
        } else if left == 0 {
            try store.write(sharing) { transaction in
                _ = try body(transaction)
                throw Killed()
            }
        }
        throw Killed()
    }

    func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        if isDead { throw Killed() }
        return try store.read(body)
    }

    func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult {
        try store.ask(question, goesOn: goesOn)
    }
    func eraseTraces() throws { try store.eraseTraces() }
    func close() throws { try store.close() }
}

extension Library {
    /// Queues messages, each under a key of its own.
    @discardableResult
    func queue(_ count: Int, to patron: String = "ada", by channel: String = "email", from first: Int = 0) throws
        -> [Notice]
    {
        try desk.write { session in
            try (first..<first + count).map { number in
                try session.notices.send(
                    to: .username(patron), channel: channel, subject: "Message \(number)", body: "Hello",
                    key: "\(channel) \(number)"
                ).get()
            }
        }
    }

    func notices(_ states: Set<Notice.State>? = nil) throws -> [Notice] {
        try desk.read { try $0.notices.list(NoticeQuery(states: states)) }
    }

    func pass(_ duration: Duration) throws {
        clock.set(try clock.now().adding(seconds: duration.components.seconds))
    }

    /// A control that waits by moving the clock.
    var waiting: DeliveryControl {
        DeliveryControl(
            wait: { pause in
                let seconds = pause.components.seconds + 1
                guard let later = try? clock.now().adding(seconds: seconds) else { return false }
                clock.set(later)
                return true
            }, chance: { 0.5 })
    }
}
