import Desk
import ServiceLifecycle
import Storage
import Synchronization
import TextFormats

/// The events of the log as server-sent events, from a sequence on and with all that happens from now on. While nothing
/// happens it is asleep: no thread waits for it.
///
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html>
package final class EventStream: AsyncSequence, Sendable {
    private let services: Services
    private let kinds: Set<String>?
    private let start: Int64
    /// Whether the one who asked still may.
    private let isAllowed: @Sendable () throws -> Bool
    private let slot: StreamSlots.Slot
    private let isEnded = Mutex(false)

    /// How many events are written at once.
    private static let most: Int64 = 200

    init(
        _ services: Services, after start: Int64, kinds: Set<String>?, slot: StreamSlots.Slot,
        isAllowed: @escaping @Sendable () throws -> Bool
    ) {
        self.services = services
        self.start = start
        self.kinds = kinds
        self.slot = slot
        self.isAllowed = isAllowed
    }

    /// Ends the stream soon.
    package func end() { isEnded.withLock { $0 = true } }

    private var goesOn: Bool {
        !Task.isCancelled && !Task.isShuttingDownGracefully && !isEnded.withLock { $0 }
    }

    /// Reads from where the stream begins.
    package func makeAsyncIterator() -> Iterator { Iterator(stream: self, after: start) }

    /// What the stream says, text after text; it reads the log as these are taken.
    package struct Iterator: AsyncIteratorProtocol {
        private let stream: EventStream
        private var after: Int64
        private var heard = ContinuousClock.now
        private var hasBegun = false
        private var mayRest = false

        fileprivate init(stream: EventStream, after: Int64) {
            self.stream = stream
            self.after = after
        }

        /// nil once the stream is ended, its task is cancelled, the server goes down, the reader may no longer read, or the
        /// store cannot be reached; the reader comes again then.
        package mutating func next() async -> String? {
            if !hasBegun {
                hasBegun = true
                // For how long a client waits before it comes again, in milliseconds.
                return "retry: 2000\n\n"
            }
            let settings = stream.services.settings
            while stream.goesOn {
                if mayRest { try? await Task.sleep(for: settings.pauseOfEvents) }
                guard stream.goesOn, let part = await stream.part(after: after) else { return nil }
                after = part.end
                mayRest = !part.isFull
                if !part.text.isEmpty {
                    heard = .now
                    return part.text
                }
                if mayRest, ContinuousClock.now - heard >= settings.pauseOfHeartbeat {
                    guard await stream.mayGoOn() else { return nil }
                    heard = .now
                    return ":\n\n"
                }
            }
            return nil
        }
    }

    private struct Part {
        var text = ""
        var end: Int64
        var isFull = false
    }

    /// The next events as they are sent. Where too much else is to be done, nothing yet; nil where they cannot be read.
    private func part(after sequence: Int64) async -> Part? {
        do {
            return try await services.lanes.long.run { [services, kinds] in
                // Most times nothing has happened.
                let part = try services.desk.read { session in
                    try session.events.part(after: sequence, kinds: kinds, limit: Self.most)
                }
                var made = Part(end: part.end, isFull: part.isFull)
                var writer = JSONWriter()
                for event in part.events {
                    CloudEvent(event: event, source: services.settings.url).write(toStream: &made.text, &writer)
                }
                return made
            }
        } catch is WorkerPool.Busy {
            return Part(end: sequence)
        } catch {
            services.teller.fault("events after \(sequence): \(SafeText.line(String(describing: error)))")
            return nil
        }
    }

    private func mayGoOn() async -> Bool {
        do {
            return try await services.lanes.long.run { [isAllowed] in try isAllowed() }
        } catch {
            return error is WorkerPool.Busy
        }
    }
}

/// How many streams go on at once.
final class StreamSlots: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(most: Int) {
        self.most = most
    }

    /// One of them, given back when it goes away.
    final class Slot: Sendable {
        private let slots: StreamSlots

        fileprivate init(_ slots: StreamSlots) {
            self.slots = slots
        }

        deinit { slots.taken.withLock { $0 -= 1 } }
    }

    /// nil: there are as many as there may be.
    func take() -> Slot? {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isFree ? Slot(self) : nil
    }
}
