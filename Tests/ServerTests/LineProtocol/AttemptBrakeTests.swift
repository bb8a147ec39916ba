import Desk
import Testing

@testable import Server

@Suite("The brake on attempts")
struct AttemptBrakeTests {
    private let now = ContinuousClock.now

    @Test("waits double up to the longest, and one after the other is forgiven")
    func doubles() {
        var brake = AttemptBrake()
        var waits: [Duration?] = []
        for _ in 0..<12 {
            waits.append(brake.wait("ann", takesTurns: false, at: now))
            brake.count("ann", at: now)
        }
        let seconds = [0, 0, 0, 0, 0, 0.5, 1, 2, 4, 5, 5, 5]
        #expect(waits == seconds.map { .seconds($0) })
        #expect(brake.wait("bob", takesTurns: false, at: now) == .zero)
        #expect(brake.wait("ann", takesTurns: false, at: now + .seconds(6 * 30)) == .seconds(1))
        #expect(brake.wait("ann", takesTurns: false, at: now + .seconds(12 * 30)) == .zero)
        #expect(brake.wait("ann", takesTurns: false, at: now - .seconds(60)) == .zero)
    }

    @Test("those of one address take turns, and are sent away where the queue is too long")
    func turns() {
        var brake = AttemptBrake(.init(free: 0, first: .seconds(4), longest: .seconds(4), longestQueue: .seconds(10)))
        brake.count("here", at: now)
        #expect(brake.wait("here", takesTurns: true, at: now) == .seconds(4))
        #expect(brake.wait("here", takesTurns: true, at: now) == .seconds(8))
        #expect(brake.wait("here", takesTurns: true, at: now) == nil)
        #expect(brake.wait("here", takesTurns: true, at: now + .seconds(8)) == .seconds(4))
        #expect(brake.wait("here", takesTurns: true, at: now + .seconds(30)) == .zero)
    }

    @Test("it remembers no more than it may")
    func bounded() {
        var brake = AttemptBrake(.init(free: 1))
        brake.count("ann", at: now)
        brake.count("ann", at: now)
        for number in 0..<9_999 { brake.count("\(number)", at: now + .seconds(29)) }
        #expect(brake.wait("ann", takesTurns: false, at: now + .seconds(29)) == .seconds(1))
        brake.count("one more", at: now + .seconds(29))
        #expect(brake.wait("ann", takesTurns: false, at: now + .seconds(29)) == .zero)
    }

    @Test(
        "an address counts as one, of IPv6 a whole network, and IPv4 as itself in whatever form",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:0:7::1", "2001:db8:0:7::/64"), ("2001:db8::7:1:2:3:4", "2001:db8:0:7::/64"),
            ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
        ])
    func addresses(text: String, name: String) {
        #expect(ClientAddress.name(text) == name)
    }
}
