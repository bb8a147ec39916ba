import Outbound
import PostSupport
import Testing
import TextFormats

@Suite("Where a request may lead")
struct WebReachTests {
    @Test(
        "an address is judged by what it is, however it was written",
        arguments: [
            ([127, 0, 0, 1], false, true), ([10, 0, 0, 1], false, false), ([169, 254, 169, 254], false, false),
            ([0, 0, 0, 0], false, false), ([9, 9, 9, 9], true, false),
            ([UInt8](repeating: 0, count: 15) + [1], false, true),
            ([UInt8](repeating: 0, count: 16), false, false),
            // ::ffff:127.0.0.1 and 64:ff9b::127.0.0.1
            ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1], false, false),
            ([0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + [127, 0, 0, 1], false, false),
        ] as [([UInt8], Bool, Bool)])
    func judged(bytes: [UInt8], isPublic: Bool, isOwn: Bool) {
        #expect(WebReach.publicOnly.allows(bytes) == isPublic)
        #expect(WebReach.loopback.allows(bytes) == isOwn)
        #expect(WebReach.anywhere.allows(bytes))
    }

    @Suite("over the network", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
    struct Network {
        /// Of libcurl's own making: names below `localhost` lead to this machine, whatever a name server says. So would a
        /// name whose meaning has changed since it was looked at.
        private static let inward = [
            "inward.localhost", "localhost.", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "127.0.0.1.",
            "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "[::]", "[64:ff9b::7f00:1]",
        ]

        @Test("no name and no form of an address leads to this machine; nothing is sent there")
        func inwards() throws {
            let server = try PythonServer("odd")
            let limits = OutboundLimits(connecting: .seconds(2), inAll: .seconds(3))
            for host in Self.inward {
                let failure = #expect(throws: OutboundFailure.self, "\(host)") {
                    let endpoint = try WebEndpoint(
                        "http://\(host):\(server.port)/200", allowsPlain: true, limits: limits, reach: .publicOnly)
                    _ = try endpoint.send("POST", Array("x".utf8), type: "text/plain")
                }
                #expect(failure?.code == .unreachable || failure?.code == .badAddress, "\(String(describing: failure))")
            }
            #expect(try server.records().isEmpty)
        }

        @Test("what is named as this machine stays on it, and a redirect is an answer like others")
        func own() throws {
            let server = try PythonServer("odd")
            func send(_ path: String, _ method: String = "POST", _ limits: OutboundLimits = OutboundLimits()) throws
                -> WebResponse
            {
                let endpoint = try WebEndpoint(
                    "http://localhost:\(server.port)/\(path)", limits: limits, reach: .loopback)
                return try endpoint.send(method, method == "GET" ? nil : Array("x".utf8), type: "text/plain")
            }
            #expect(try send("200", "PUT").status == 200)
            #expect(try send("redirect", "GET").headers["location"] == "/200")
            #expect(try send("503", "PATCH").status == 503)
            #expect(try server.records().count == 3)
            let huge = try send("huge", "GET", OutboundLimits(answerBytes: 1_000))
            #expect(huge.isCut && huge.body.count == 1_000)
            let short = OutboundLimits(connecting: .seconds(1), inAll: .milliseconds(300))
            let failure = #expect(throws: OutboundFailure.self) { try send("stall", "GET", short) }
            #expect(failure?.code == .timedOut)
        }
    }
}
