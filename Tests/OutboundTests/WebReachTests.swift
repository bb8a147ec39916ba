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
            // 64:ff9b:1::127.0.0.1, 2002:7f00:1::, 2001::, ::127.0.0.1: other ways to carry an IPv4 address
            ([0, 0x64, 0xFF, 0x9B, 0, 1] + [UInt8](repeating: 0, count: 6) + [127, 0, 0, 1], false, false),
            ([0x20, 2, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 10), false, false),
            ([0x20, 1] + [UInt8](repeating: 0, count: 14), false, false),
            ([UInt8](repeating: 0, count: 12) + [127, 0, 0, 1], false, false),
            // fd00::1, fe80::1, fec0::1, ff02::1, 2606:4700::1
            ([0xFD] + [UInt8](repeating: 0, count: 14) + [1], false, false),
            ([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], false, false),
            ([0xFE, 0xC0] + [UInt8](repeating: 0, count: 13) + [1], false, false),
            ([0xFF, 2] + [UInt8](repeating: 0, count: 13) + [1], false, false),
            ([0x26, 6, 0x47] + [UInt8](repeating: 0, count: 12) + [1], true, false),
            ([100, 64, 0, 1], false, false), ([172, 31, 0, 1], false, false), ([192, 168, 0, 1], false, false),
            ([224, 0, 0, 1], false, false), ([255, 255, 255, 255], false, false),
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
            "0x7f.1", "0300.0250.1", "localhost.localdomain", "a.localhost.",
            "[::1]", "[::ffff:127.0.0.1]", "[fd00::1]", "[fe80::1]", "[2002:7f00:1::]", "[::ffff:7f00:1]",
            "[0:0:0:0:0:0:0:1]", "[::]", "[64:ff9b::7f00:1]",
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
            for path in ["stall", "endless/fields", "endless/body"] {
                let failure = #expect(throws: OutboundFailure.self) { try send(path, "GET", short) }
                #expect(failure?.code == .timedOut, "\(path)")
            }
            let packed = try send("bomb", "GET", OutboundLimits(answerBytes: 20_000))
            #expect(!packed.isCut && packed.body.count < 20_000, "what is packed stays so")
        }

        @Test("over TLS the certificate is of the name that was asked for, and of an authority that is known")
        func certificates() throws {
            let folder = try PythonServer.temporaryFolder()
            let authorities = try PythonServer.certificate(in: folder)
            let server = try PythonServer("odd", ["tls": true], folder: folder)
            func status(_ host: String, _ authorities: String?) throws -> Int {
                let endpoint = try WebEndpoint("https://\(host):\(server.port)/200", authorities: authorities)
                return try endpoint.send("GET", nil).status
            }
            #expect(try status("localhost", authorities) == 200)
            for (host, authorities) in [("a.localhost", authorities), ("localhost", nil)] {
                let failure = #expect(throws: OutboundFailure.self) { _ = try status(host, authorities) }
                #expect(failure?.message.contains("certificate") == true, "\(host): \(String(describing: failure))")
            }
            #expect(try server.records().count == 1, "nothing is sent to whom the certificate is not of")
        }
    }
}
