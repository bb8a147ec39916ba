import Outbound
import PostSupport
import Testing
import TextFormats

@Suite("Documents at addresses that users gave")
struct FetchingTests {
    @Test(
        "addresses of this machine, of its network and of nothing are not public",
        arguments: [
            [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [127, 0, 0, 1], [169, 254, 169, 254], [172, 16, 0, 1],
            [172, 31, 255, 255], [192, 168, 1, 1], [192, 0, 2, 1], [198, 18, 0, 1], [198, 51, 100, 7],
            [203, 0, 113, 9],
            [224, 0, 0, 1], [255, 255, 255, 255], [], [1, 2, 3],
        ] as [[UInt8]])
    func closed(bytes: [UInt8]) { #expect(!PublicAddress.isPublic(v4: bytes)) }

    @Test(
        "others are",
        arguments: [
            [9, 9, 9, 9], [11, 0, 0, 1], [100, 63, 0, 1], [100, 128, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1],
            [192, 167, 0, 1], [198, 20, 0, 1], [223, 255, 255, 1],
        ] as [[UInt8]])
    func open(bytes: [UInt8]) { #expect(PublicAddress.isPublic(v4: bytes)) }

    @Test(
        "of IPv6 global unicast is public, and nothing that leads to an IPv4 address",
        arguments: [
            ("2a00:1450", true), ("2606:4700", true), ("2001:0db8", false), ("2001:0000", false), ("2002:7f00", false),
            ("0000:0000", false), ("fe80:0000", false), ("fc00:0000", false), ("fd12:3456", false),
            ("ff02:0000", false),
            ("0064:ff9b", false),
        ])
    func wide(beginning: String, isPublic: Bool) throws {
        let digits = beginning.replacing(":", with: "")
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: 8, by: 2) {
            let start = digits.index(digits.startIndex, offsetBy: place)
            bytes.append(try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)))
        }
        bytes += [UInt8](repeating: 0, count: 11) + [1]
        #expect(PublicAddress.isPublic(v6: bytes) == isPublic)
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1]
        #expect(!PublicAddress.isPublic(v6: mapped))
    }

    @Suite("over the network", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
    struct Network {
        @Test("this machine is not reached, by whatever name, and is where it may be")
        func ownMachine() throws {
            let server = try PythonServer("odd")
            for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
                #expect(throws: OutboundFailure.self, "\(host)") {
                    try WebEndpoint("https://\(host):\(server.port)/200").fetch(accept: "image/*")
                }
            }
            #expect(try server.records().isEmpty)
            let endpoint = try WebEndpoint("http://127.0.0.1:\(server.port)/200")
            #expect(throws: OutboundFailure.self) { try endpoint.fetch(accept: "image/*") }
            #expect(try endpoint.fetch(accept: "image/*", staysPublic: false).status == 200)
            #expect(try server.records().first?["headers"]?.arrayValue?.contains("Accept: image/*") == true)
        }

        @Test("an answer above the limit is none")
        func limit() throws {
            let server = try PythonServer("odd")
            let limits = OutboundLimits(answerBytes: 1_000)
            let endpoint = try WebEndpoint("http://127.0.0.1:\(server.port)/huge", limits: limits)
            #expect(throws: OutboundFailure.self) { try endpoint.fetch(accept: "image/*", staysPublic: false) }
        }
    }
}
