import Foundation
import Outbound
import PostSupport
import Synchronization
import Testing
import TextFormats

@Suite("Mail to a server")
struct MailServerTests {
    private static let quick = OutboundLimits(connecting: .seconds(30), inAll: .seconds(60))

    private func send(
        to port: Int, scheme: String = "smtp", host: String = "localhost",
        encryption: MailServer.Encryption = .none, user: String? = nil, password: String? = nil,
        authorities: String? = nil, recipient: String = "ada@example.org", limits: OutboundLimits = quick,
        message: MailMessage? = nil, over kept: KeptConnection? = nil, isStopped: @escaping () -> Bool = { false }
    ) throws {
        let server = try MailServer(
            url: "\(scheme)://\(host):\(port)", encryption: encryption, user: user, password: password,
            authorities: authorities, limits: limits)
        try server.send(
            try (message ?? Post.message()).bytes(), from: try Post.address("desk@example.org"),
            to: [try Post.address(recipient)], over: kept, isStopped: isStopped)
    }

    private func failure(_ body: () throws -> Void) throws -> OutboundFailure {
        do { try body() } catch let failure as OutboundFailure { return failure }
        throw PythonServer.Failure(description: "The mail went out.")
    }

    private func decoded(_ record: JSON?) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: record?["data"]?.stringValue ?? "")))
    }

    static let mail = ConditionTrait.enabled(
        if: !PythonServer.hasNoMailServer, Comment(rawValue: PythonServer.noMailServerReason))

    @Test("a message arrives byte for byte, dots at the beginnings of lines included", mail)
    func arrives() throws {
        let server = try PythonServer("mail")
        let message = try Post.message(subject: "Überfällig", text: ".\n..\nFrom here\n\u{1F600}", html: "<p>.</p>")
        try send(to: server.port, message: message)
        let records = try server.records()
        #expect(records.count == 1)
        #expect(records.first?["from"] == "desk@example.org")
        #expect(records.first?["to"] == .array(["ada@example.org"]))
        #expect(records.first?["tls"] == false)
        #expect(try decoded(records.first) == message.bytes())
    }

    @Test("many messages go over one connection; a server that has had enough of it gets another", mail)
    func keptConnection() throws {
        let server = try PythonServer("mail", ["most": 3, "refuse": ["nobody": "550 5.1.1 no such mailbox"]])
        let kept = KeptConnection()
        for _ in 0..<4 { try send(to: server.port, over: kept) }
        // A recipient that is refused costs the connection, and none of the messages after it.
        #expect(try failure { try send(to: server.port, recipient: "nobody@example.org", over: kept) }.code == .refused)
        for _ in 0..<2 { try send(to: server.port, over: kept) }
        var connections = try server.records().map { $0["connection"] }
        #expect(connections.count == 6)
        #expect(Set(connections.prefix(3)).count == 1 && Set(connections).count == 3)
        #expect(connections[4] == connections[5])

        // One that went down and came up again, as far as can be known without writing to it.
        kept.close()
        try send(to: server.port, over: kept)
        connections = try server.records().map { $0["connection"] }
        #expect(connections.last != connections[5])
    }

    @Test(
        "over TLS, with a certificate that the configuration trusts, and a password", mail,
        arguments: [("smtp", "required"), ("smtps", "wrapped")])
    func encrypted(scheme: String, tls: String) throws {
        let folder = try PythonServer.temporaryFolder()
        let authorities = try PythonServer.certificate(in: folder)
        let server = try PythonServer(
            "mail", ["tls": .string(tls), "auth": tls == "wrapped" ? "always" : "tls"], folder: folder)
        try send(
            to: server.port, scheme: scheme, encryption: .required, user: "desk", password: "pässword",
            authorities: authorities)
        #expect(try server.records().first?["tls"] == true)
        #expect(try server.records().first?["user"] == "desk")

        let wrong = try failure {
            try send(
                to: server.port, scheme: scheme, encryption: .required, user: "desk", password: "wrong",
                authorities: authorities)
        }
        #expect(wrong.code == .signIn)
        #expect(!wrong.isFinal && wrong.concernsEveryone)
        #expect(!wrong.message.contains("wrong"))

        let untrusted = try failure {
            try send(to: server.port, scheme: scheme, encryption: .required, user: "desk", password: "pässword")
        }
        #expect(untrusted.code == .insecure)
        #expect(untrusted.concernsEveryone)
        #expect(try server.records().count == 1)
    }

    @Test("where TLS is required, nothing goes to a server without it; where it is optional, it does", mail)
    func optional() throws {
        let server = try PythonServer("mail")
        let refused = try failure { try send(to: server.port, encryption: .required) }
        #expect(refused.code == .insecure)
        #expect(try server.records().isEmpty)
        try send(to: server.port, encryption: .optional)
        #expect(try server.records().count == 1)
    }

    @Test("where TLS is optional and offered, it is taken", mail)
    func offered() throws {
        let folder = try PythonServer.temporaryFolder()
        let authorities = try PythonServer.certificate(in: folder)
        let server = try PythonServer("mail", ["tls": "offered"], folder: folder)
        try send(to: server.port, encryption: .optional, authorities: authorities)
        #expect(try server.records().first?["tls"] == true)
    }

    @Test(
        "an address in another script goes to a server that takes such, and to no other", mail,
        arguments: ["none", "offered"])
    func international(tls: String) throws {
        let folder = try PythonServer.temporaryFolder()
        let authorities = tls == "none" ? nil : try PythonServer.certificate(in: folder)
        let taking = try PythonServer("mail", ["utf8": true, "tls": .string(tls)], folder: folder)
        let kept = KeptConnection()
        let encryption: MailServer.Encryption = tls == "none" ? .none : .required
        for recipient in ["ada@example.org", "zoë.図書@münchen.de"] {
            try send(
                to: taking.port, encryption: encryption, authorities: authorities, recipient: recipient, over: kept)
        }
        let records = try taking.records()
        #expect(records.map { $0["to"] } == [["ada@example.org"], ["zoë.図書@xn--mnchen-3ya.de"]])
        #expect(records.last?["options"]?.arrayValue?.contains("SMTPUTF8") == true)
        #expect(records.first?["options"]?.arrayValue?.contains("SMTPUTF8") == false)

        let other = try PythonServer("mail")
        let failure = try failure { try send(to: other.port, recipient: "zoë@example.org") }
        #expect(failure.code == .badAddress && failure.isFinal && !failure.concernsEveryone)
        #expect(failure.message.hasSuffix("before the @ (SMTPUTF8)"))
        #expect(try other.records().isEmpty)
    }

    @Test("a permanently refused recipient is distinguished from a deferred one", mail)
    func replies() throws {
        let server = try PythonServer(
            "mail", ["refuse": ["eve": "550 5.1.1 No such\u{1B}[31m mailbox", "later": "451 4.7.1 Greylisted"]])
        let forever = try failure { try send(to: server.port, recipient: "eve@example.org") }
        #expect(forever.code == .refused)
        #expect(forever.isFinal)
        #expect(forever.status == 550)
        let later = try failure { try send(to: server.port, recipient: "later@example.org") }
        #expect(later.code == .temporary)
        #expect(!later.isFinal && !later.concernsEveryone)
    }

    @Test(
        "a message refused for ever is told from one put off", mail,
        arguments: [("554 5.6.0 Spam", OutboundFailure.Code.refused), ("452 4.2.2 Full", .temporary)])
    func dataReplies(answer: String, code: OutboundFailure.Code) throws {
        let server = try PythonServer("mail", ["answer": .string(answer)])
        #expect(try failure { try send(to: server.port) }.code == code)
    }

    struct Odd: CustomTestStringConvertible {
        var script: [String]
        var codes: Set<OutboundFailure.Code>
        var testDescription: String { script.joined(separator: "|") }

        init(_ codes: Set<OutboundFailure.Code>, _ script: String...) {
            self.script = script
            self.codes = codes
        }
    }

    @Test(
        "a server that refuses, drops and talks nonsense makes an error that says to try again",
        .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)),
        arguments: [
            Odd([.temporary], "554 5.3.2 Closed today\r\n"),
            Odd([.temporary], "421 4.3.2 Too busy\r\n"),
            Odd([.cutOff, .badAnswer], "drop"),
            Odd([.badAnswer, .cutOff], "last: \u{0}\u{FF}\u{FE} nothing anybody knows\r\n"),
            Odd([.badAnswer, .cutOff], "last: HTTP/1.1 200 OK\r\n\r\n"),
            Odd([.temporary, .badAnswer], "220 hello\r\n", "421 4.3.2 No\r\n", "421 4.3.2 No\r\n"),
            Odd([.cutOff, .badAnswer], "220 hello\r\n", "drop"),
            Odd([.temporary], "220 hello\r\n", "250 hello\r\n", "421 4.3.2 Closing\r\n"),
            Odd([.cutOff, .badAnswer], "220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "drop"),
            Odd([.cutOff, .badAnswer], "220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "drop in data"),
            Odd(
                [.cutOff, .badAnswer], "220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n",
                "drop"),
            Odd(
                [.badAnswer, .cutOff], "220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n",
                "last: what?\r\n"),
        ])
    func odd(_ odd: Odd) throws {
        let server = try PythonServer("odd", ["script": .array(odd.script.map { .string($0) })])
        let failure = try failure { try send(to: server.port, host: "127.0.0.1") }
        #expect(odd.codes.contains(failure.code), "\(failure.code): \(failure)")
        #expect(!failure.isFinal)
        #expect(!failure.message.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test(
        "a final reply to the sender is final", .enabled(if: !PythonServer.isMissing))
    func sender() throws {
        let server = try PythonServer(
            "odd", ["script": ["220 hello\r\n", "250 hello\r\n", "550 5.7.1 Not from there\r\n"]])
        #expect(try failure { try send(to: server.port, host: "127.0.0.1") }.code == .refused)
    }

    @Test(
        "a server that stalls is left when the time is over", .enabled(if: !PythonServer.isMissing),
        arguments: [["stall"], ["220 hello\r\n", "stall"], ["220 hello\r\n", "250 hello\r\n", "250 ok\r\n", "stall"]])
    func stalls(script: [String]) throws {
        let server = try PythonServer("odd", ["script": .array(script.map { .string($0) })])
        let limits = OutboundLimits(connecting: .seconds(2), inAll: .milliseconds(2_500))
        let failure = try failure { try send(to: server.port, host: "127.0.0.1", limits: limits) }
        #expect(failure.code == .timedOut)
        #expect(!failure.isFinal && !failure.concernsEveryone)
    }

    @Test("a stalling server does not delay a stop", .enabled(if: !PythonServer.isMissing))
    func stopped() throws {
        let server = try PythonServer("odd", ["script": ["220 hello\r\n", "stall"]])
        let asked = Atomic<Int>(0)
        let failure = try failure {
            try send(to: server.port, host: "127.0.0.1") { asked.add(1, ordering: .relaxed).newValue > 2 }
        }
        #expect(failure.code == .stopped)
    }

    @Test("a port without a listener is unreachable for everyone")
    func nobody() throws {
        let server = try PythonServer("odd")
        let port = server.port
        server.stop()
        let failure = try failure { try send(to: port, host: "127.0.0.1") }
        #expect(failure.code == .unreachable)
        #expect(failure.concernsEveryone && !failure.isFinal)
        #expect(failure.message.contains("127.0.0.1:\(port)"))
    }

    @Test(
        "a URL that is none of a mail server, or would send a password in the clear, is refused",
        arguments: [
            "http://localhost", "smtp://", "smtp://user:secret@host", "smtp://host/path", "smtp://host:0",
            "smtp://host:70000", "smtp://ho st", "smtp://host\r\nX", "file:///etc/passwd", "smtp://host#f", "host", "",
            "smtp://hóst", "smtp://[::1", "smtp://ho\\st",
        ])
    func urls(url: String) {
        #expect(throws: OutboundFailure.self) { try MailServer(url: url) }
    }

    @Test("a password goes to this machine, or encrypted, or nowhere")
    func passwords() throws {
        #expect(throws: OutboundFailure.self) {
            try MailServer(url: "smtp://mail.example.org", encryption: .optional, user: "a", password: "b")
        }
        #expect(try MailServer(url: "smtp://mail.example.org", user: "a", password: "b").port == 587)
        #expect(try MailServer(url: "smtps://mail.example.org", encryption: .none, user: "a").port == 465)
        #expect(try MailServer(url: "smtp://127.0.0.1:25", encryption: .none, user: "a").port == 25)
    }
}
