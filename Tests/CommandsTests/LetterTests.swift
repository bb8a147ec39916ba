import Circulation
import Foundation
import Languages
import PostSupport
import Schedule
import Server
import Testing
import TextFormats

@testable import Commands

/// Mails that are no notices.
@Suite("Letters")
struct LetterTests {
    private static let moment = Instant(seconds: 1_798_131_600)
    private static let link = "https://books.example.org/reset?token=msr_1"

    private static func library() throws -> LibrarySettings {
        LibrarySettings(
            name: "Stadtbücherei", zone: try Zone(named: "Europe/Berlin"), currency: try Currency(named: "EUR"))
    }

    private static func mails(_ name: String = "Zoë") throws -> [AccountMail] {
        let patron = Patron(id: 7, username: "2001", name: name, surname: "Hall", category: "c", homeBranch: "b")
        let kinds: [AccountMail.Kind] = [
            .reset(link: link, until: moment), .confirmation(link: link, until: moment), .addressChanged,
        ]
        return try kinds.map { AccountMail(kind: $0, to: "z@example.org", patron: patron, library: try library()) }
    }

    /// All letters that there are, in a language.
    private static func letters(in language: Language) throws -> [Letter] {
        var job = ScheduledJob(name: "1", timing: .every(seconds: 3_600), arguments: ["run", "1.lua"])
        job.zone = .utc
        let run = { (state: JobRun.State, output: String) in
            JobRun(id: 5, job: "1", plannedAt: moment, version: "1", state: state, reason: "1.", output: output)
        }
        let letter = { (state: JobRun.State) in
            JobLetter(
                job: job, run: run(state, ""), zone: .utc, library: "Stadtbücherei", language: language)
        }
        let file = ReportPost.attachment("1.csv", Data())
        var document = ReportDocument(title: "Stadtbücherei")
        document.library = "Stadtbücherei"
        return try mails().map { $0.letter(in: language) } + mails("").map { $0.letter(in: language) } + [
            letter(.failed).failure(said: ""), letter(.failed).failure(said: "1"),
            letter(.succeeded).success(.none, said: ""), letter(.succeeded).success(.none, said: "1"),
            letter(.succeeded).success(.attached(file), said: ""),
            letter(.succeeded).success(.tooLarge("1.csv"), said: "1"),
            ReportLetter.letter(document, "1", text: nil, attached: file, in: language),
            ReportLetter.letter(document, "1", text: "1\n", attached: nil, in: language),
        ]
    }

    /// What stands outside of the marks of the language for tests.
    private static func unmarked(_ text: String) -> String {
        var (depth, rest) = (0, "")
        for character in text {
            if character == "\u{27E6}" { depth += 1 }
            if depth == 0 { rest.append(character) }
            if character == "\u{27E7}" { depth -= 1 }
        }
        return rest
    }

    @Test("every word of every letter comes from a catalogue, but for names, links and what programs said")
    func catalogued() throws {
        let letters = try Self.letters(in: .pseudo)
        for letter in letters {
            for text in [letter.subject, letter.text] {
                let rest = Self.unmarked(text).replacing("Stadtbücherei", with: "").replacing(Self.link, with: "")
                    .replacing("run 1.lua", with: "")
                #expect(rest.filter(\.isLetter).isEmpty, "\(rest)")
            }
            guard let html = letter.html else { continue }
            let body = try #require(html.components(separatedBy: "<body>").last)
            let rest = Self.unmarked(body.replacing(/<[^>]*>/, with: "")).replacing("Stadtbücherei", with: "")
                .replacing(Self.link, with: "")
            #expect(rest.filter(\.isLetter).isEmpty, "\(rest)")
        }
        #expect(letters.count == 14 && letters.allSatisfy { $0.text.contains("Stadtb") || $0.text == "1\n" })
    }

    @Test("no source makes a mail but the letters and the notices")
    func only() throws {
        let sources = BuiltCommand.root.appending(path: "Sources/Commands")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        let files = try names.filter { $0.hasSuffix(".swift") }.map { name in
            (name, try String(contentsOf: sources.appending(path: name), encoding: .utf8))
        }
        #expect(
            Set(files.filter { $0.1.contains(/\bMailMessage\(/) }.map(\.0)) == [
                "Notices/NetworkDelivery.swift", "Notices/ReportPost.swift",
            ])
        let makers = files.filter { $0.1.contains(/\bLetter\(/) }.map(\.0)
        #expect(makers.count > 2 && makers.allSatisfy { $0.hasPrefix("Letters/") }, "\(makers)")
    }

    private static let german = """
        msgid ""
        msgstr ""
        "Language: de\\n"

        msgid "Set a new password"
        msgstr "Neues Kennwort"

        msgid "You, or someone else, asked for a new password for the account {1}. Open this link to set it:"
        msgstr "Für das Konto {1} wurde ein neues Kennwort verlangt."

        msgid ""
        "The link works once and is valid until {1} ({2}). If you did not ask for this, you can ignore this e-mail:"
        " your password has not been changed."
        msgstr "Der Link gilt einmal, bis {1} ({2}). Waren Sie es nicht, tun Sie nichts."

        """

    @Test("a letter is in the language of its reader, with the library's name, and its page says the same")
    func german() throws {
        let languages = try Languages(files: [("de.po", Self.german)], standard: nil)
        let mail = try Self.mails()[0]
        let letter = mail.letter(in: languages.spoken(to: "de-AT"))
        #expect(letter.subject == "Stadtbücherei: Neues Kennwort")
        #expect(
            letter.text == """
                Stadtbücherei

                Guten Tag Zoë,

                Für das Konto 2001 wurde ein neues Kennwort verlangt.

                \(Self.link)

                Der Link gilt einmal, bis 24. Dezember 2026, 18:00 (Europe/Berlin). Waren Sie es nicht, tun Sie nichts.

                """)
        let html = try #require(letter.html)
        #expect(html.contains("<html lang=\"de\">") && html.contains("<a href=\"\(Self.link)\">"), "\(html)")
        #expect(html.contains("<p>Für das Konto 2001 wurde ein neues Kennwort verlangt.</p>"), "\(html)")
        // A language that there is not is the library's.
        let own = try Languages(files: [("de.po", Self.german)], standard: "de")
        #expect(mail.letter(in: own.spoken(to: "fr")) == letter)
        #expect(mail.letter(in: own.spoken(to: "en")).subject == "Stadtbücherei: Set a new password")
    }

    @Test("a letter to an address that is not confirmed has no name of the patron in it")
    func unconfirmed() throws {
        let letter = try Self.mails()[1].letter(in: .english)
        #expect(!letter.text.contains("Zoë") && !letter.text.contains("2001") && letter.text.contains(Self.link))
    }

    @Test("a name of the library's is one line of a letter, however it is written")
    func name() throws {
        var mail = try Self.mails()[2]
        mail.library.name = "Old\r\nBcc: x@example.org \u{202E}" + String(repeating: "n", count: 500)
        let letter = mail.letter(in: .english)
        let lines = letter.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("Old") && lines[0].count <= 120 && lines[1].isEmpty, "\(lines[0])")
        #expect(letter.subject.filter(\.isNewline).isEmpty && !letter.subject.contains("\u{202E}"))
    }

    @Test(
        "who forgot their password gets a mail in their language from the server",
        .enabled(if: !PythonServer.hasNoMailServer))
    func served() throws {
        let server = try PythonServer("mail")
        let serving = try ServeCommandTests.Serving(
            "[mail]\nurl = \"smtp://127.0.0.1:\(server.port)\"\nfrom = \"desk@example.org\"\ntls = \"none\"\n"
                + "[pages]\nfolder = \".\"\n",
            also: ["de.po": Self.german]
        ) { library in
            _ = try library.eval(
                "assert(patrons.update('p1', { name = 'Zoe', email = 'zoe@example.org', language = 'de' }))",
                "--allow", "patrons.write")
        }
        let answer = try serving.post("/api/v1/passwords/forgotten", #"{"username":"p1"}"#)
        #expect(answer.hasPrefix("HTTP/1.1 204"), "\(answer)")
        try server.wait(forRecords: 1)
        let mail = try #require(try server.records().first)
        #expect(mail["to"] == ["zoe@example.org"])
        let data = try #require(Data(base64Encoded: mail["data"]?.stringValue ?? ""))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("Neues Kennwort") && text.contains("Guten Tag Zoe"), "\(text)")
    }
}
