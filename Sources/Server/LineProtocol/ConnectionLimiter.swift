import NIOCore
import Synchronization

/// Who is connected: it lets no more in than may be, and knows when the last one has left.
final class ConnectionLimiter: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: (channel: any Channel, address: String)] = [:]
        var addresses: [String: Int] = [:]
        var isClosed = false
        var awaiting: CheckedContinuation<Void, Never>?
    }

    private let most: Int
    private let mostFromAddress: Int
    private let state = Mutex(State())

    init(most: Int, mostFromAddress: Int) {
        self.most = most
        self.mostFromAddress = mostFromAddress
    }

    var count: Int { state.withLock { $0.connections.count } }

    /// Lets a connection in, which then has to leave.
    func admit(_ channel: any Channel, from address: String) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.connections.count < most,
                state.addresses[address, default: 0] < mostFromAddress
            else { return false }
            state.connections[ObjectIdentifier(channel)] = (channel, address)
            state.addresses[address, default: 0] += 1
            return true
        }
    }

    func leave(_ channel: any Channel) {
        let awaiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let address = state.connections.removeValue(forKey: ObjectIdentifier(channel))?.address else {
                return nil
            }
            let left = state.addresses[address, default: 1] - 1
            state.addresses[address] = left > 0 ? left : nil
            guard state.connections.isEmpty else { return nil }
            defer { state.awaiting = nil }
            return state.awaiting
        }
        awaiting?.resume()
    }

    /// Refuses all further connections.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Those who are there now.
    var channels: [any Channel] { state.withLock { $0.connections.values.map(\.channel) } }

    /// Waits until all have left; to be called once, after ``close()``.
    func emptied() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                guard !state.connections.isEmpty else { return true }
                state.awaiting = continuation
                return false
            }
            if isEmpty { continuation.resume() }
        }
    }
}
