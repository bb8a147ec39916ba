import Circulation
import Foundation
import PostSupport
import Testing
import TextFormats

@testable import Outbound

@Suite("Messages as they are sent")
struct MailMessageTests {
    /// The parts of a message as Python's parser of mail reads them.
    private func parsed(_ message: MailMessage) throws -> JSON {
        let script = """
            import email, email.header, email.policy, email.utils, json, sys
            raw = sys.stdin.buffer.read()
            message = email.message_from_bytes(raw, policy=email.policy.default)
            # Python's own reading of encoded words in names keeps the blanks between them.
            old = email.message_from_bytes(raw, policy=email.policy.compat32)
            unfolded = old["To"].replace("\\r\\n", "").replace("\\n", "")
            def plain(name):
                return str(email.header.make_header(email.header.decode_header(name)))
            def text(part):
                if part.is_multipart(): return [text(each) for each in part.iter_parts()]
                content = part.get_content()
                return {"type": part.get_content_type(), "name": part.get_filename(),
                        "content": content if isinstance(content, str) else content.decode("latin-1")}
            print(json.dumps({
                "fields": [[name, str(value)] for name, value in message.items()],
                "to": [[plain(name), address] for name, address in email.utils.getaddresses([unfolded])],
                "type": message.get_content_type(), "body": text(message),
                "longest": max(len(line) for line in raw.split(b"\\r\\n")),
                "bare": raw.replace(b"\\r\\n", b"").count(b"\\n") + raw.replace(b"\\r\\n", b"").count(b"\\r"),
                "ascii": all(byte < 128 for byte in raw),
                "defects": [str(d) for part in message.walk() for d in part.defects]
                    + [str(d) for value in message.values() for d in value.defects],
            }))
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", script]
        let (input, output) = (Pipe(), Pipe())
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        input.fileHandleForWriting.write(Data(message.bytes()))
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        return try JSONParser.parse(Array(answer))
    }

    private func field(_ name: String, _ parsed: JSON) -> [String] {
        (parsed["fields"]?.arrayValue ?? []).compactMap { pair in
            pair.arrayValue?.first?.stringValue == name ? pair.arrayValue?.last?.stringValue : nil
        }
    }

    private func checkShape(_ parsed: JSON) {
        #expect(parsed["ascii"] == true)
        #expect(parsed["bare"] == .integer(0), "every line ends with CR LF")
        #expect((parsed["longest"]?.integerValue ?? .max) <= 78)
        #expect(parsed["defects"] == .array([]))
    }

    static let texts = [
        "Hello", "Überfällig: Die Odyssee", "返却期限が過ぎています: 源氏物語 上・中・下巻とそのほかの本のお知らせをお送りします",
        "متأخر: ألف ليلة وليلة", "🎉👩‍👩‍👧‍👧 a family of one character", "a=?UTF-8?Q?b?= that is none",
        "A long subject of plain words that goes on and on, so that it has to be folded more than once on its way to you",
        String(repeating: "x", count: 300), String(repeating: "ß", count: 200),
        "e" + String(repeating: "\u{301}", count: 90),
        "quotes \" and \\ and, commas; (brackets) <signs>", "trailing = and ?= signs", "_under_ score",
    ]

    @Test(
        "any subject and any name come out as they went in",
        .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)), arguments: texts)
    func subjects(text: String) throws {
        let parsed = try parsed(try Post.message(subject: text, name: text))
        #expect(field("Subject", parsed) == [text])
        #expect(parsed["to"] == .array([.array([.string(text), "ada@example.org"])]))
        checkShape(parsed)
    }

    @Test(
        "no subject and no name adds a header or a recipient",
        .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)),
        arguments: [
            "x\r\nBcc: eve@example.org", "x\nBcc: eve@example.org", "x\rBcc: eve@example.org", "x\r\n\r\nbody",
            "x\u{2028}Bcc: eve@example.org", "x\u{85}Bcc: eve@example.org", "x\u{0}\u{1B}[31m", "\r\n", "\t",
            "Ada\" <eve@example.org>, \"", "eve@example.org, Ada", "x\u{0B}\u{0C}y",
            "=?UTF-8?Q?x=0D=0ABcc:_eve@example.org?=", "ü\r\nBcc: eve@example.org",
        ])
    func injection(text: String) throws {
        let names = { (parsed: JSON) in
            (parsed["fields"]?.arrayValue ?? []).compactMap { $0.arrayValue?.first?.stringValue }
        }
        let usual = names(try parsed(try Post.message()))
        let parsed = try parsed(try Post.message(subject: text, name: text))
        #expect(names(parsed) == usual)
        let recipients = (parsed["to"]?.arrayValue ?? []).compactMap { $0.arrayValue?.last?.stringValue }
        #expect(recipients == ["ada@example.org"])
        #expect(parsed["ascii"] == true)
        #expect(parsed["bare"] == .integer(0))
    }

    @Test(
        "any text comes out as it went in, its lines ended alike",
        .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)),
        arguments: texts + [
            "", ".", ".\r\n.\r\nQUIT", "From here\nFrom there", "one\ntwo\r\nthree\rfour",
            "trailing blank \nand tab\t\n",
            "tab\there", String(repeating: "word ", count: 400), "--=_boundary\n", "a\u{0}b\u{1B}[31mc",
        ])
    func bodies(text: String) throws {
        let parsed = try parsed(try Post.message(text: text))
        let expected = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .replacing("\u{0}", with: "").replacing("\u{1B}", with: "")
        let content = parsed["body"]?["content"]?.stringValue?.replacing("\r\n", with: "\n")
        #expect(content?.trimmingSuffix("\n") == expected.trimmingSuffix("\n"))
        checkShape(parsed)
    }

    @Test("the fields are those that a message of a machine has", .enabled(if: !PythonServer.isMissing))
    func fields() throws {
        let parsed = try parsed(try Post.message(html: "<p>Hello</p>"))
        #expect(field("Message-ID", parsed) == ["<0a1b@library.moonshelf>"])
        #expect(field("Date", parsed) == ["Thu, 24 Dec 2026 18:00:05 +0000"])
        #expect(field("From", parsed) == ["The Library <desk@example.org>"])
        #expect(field("Reply-To", parsed) == ["answers@example.org"])
        #expect(field("Auto-Submitted", parsed) == ["auto-generated"])
        #expect(parsed["type"] == "multipart/alternative")
        let types = (parsed["body"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
        #expect(types == ["text/plain", "text/html"])
    }

    @Test(
        "a file comes with its name and its bytes, whatever they are", .enabled(if: !PythonServer.isMissing),
        arguments: [
            ("report.csv", "report.csv"), ("Übersicht März.csv", "Übersicht März.csv"), ("../../etc/passwd", "passwd"),
            ("a\r\nX-More: 1", "a  X-More: 1"), ("\"quoted\".txt", "\"quoted\".txt"), ("", "file"), ("..", "file"),
            ("100%.csv", "100%.csv"), ("表", "表"), ("..\\evil.exe", "evil.exe"),
        ])
    func attachments(name: String, expected: String) throws {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = MailMessage.Attachment(name: name, type: "application/x-test", bytes: bytes)
        let parsed = try parsed(try Post.message(html: "<p>Hello</p>", attachments: [file]))
        #expect(parsed["type"] == "multipart/mixed")
        let part = try #require(parsed["body"]?.arrayValue?.last)
        #expect(part["name"]?.stringValue == expected)
        let content = try #require(part["content"]?.stringValue)
        #expect(content.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } == bytes)
        checkShape(parsed)
    }

    @Test("the same message has the same bytes each time")
    func repeatable() throws {
        let file = MailMessage.Attachment(name: "a", type: "text/csv\r\nX: 1", bytes: [1])
        #expect(
            try Post.message(html: "x", attachments: [file]).bytes()
                == Post.message(html: "x", attachments: [file]).bytes())
    }

    @Test(
        "dates are those of RFC 5322",
        arguments: [
            ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 +0000"),
            ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 +0000"),
            ("2024-02-29T12:30:01Z", "Thu, 29 Feb 2024 12:30:01 +0000"),
            ("2026-11-22T01:02:03Z", "Sun, 22 Nov 2026 01:02:03 +0000"),
        ])
    func dates(instant: String, expected: String) throws {
        #expect(try Instant(parsing: instant).mailDate == expected)
    }

    @Test("a page for mail escapes what is text and links http and https alone")
    func pages() {
        let page = MailPage.html(
            "Dear <Ada> & \"Bob\",\nsee https://example.org/?a=1&b=2.\n\njavascript:alert(1) O'Brien <\u{338}script>",
            title: "</title><script>", language: "de\" onload=\"x")
        #expect(page.contains("<p>Dear &lt;Ada&gt; &amp; &quot;Bob&quot;,<br>\n"))
        #expect(page.contains("<a href=\"https://example.org/?a=1&amp;b=2\">https://example.org/?a=1&amp;b=2</a>."))
        #expect(page.contains("javascript:alert(1) O&#39;Brien &lt;\u{338}script&gt;"))
        #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
        #expect(page.contains("<html lang=\"deonloadx\">"))
        #expect(!page.contains("<script"))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
        var text = self[...]
        while text.last == suffix { text = text.dropLast() }
        return text
    }
}
