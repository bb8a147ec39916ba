import Foundation
import PostSupport
import TestSupport
import Testing
import TextFormats

/// The pages in a real browser, Debian's Chromium without a window, with its JavaScript off.
@Suite("The pages in a browser")
struct BrowserTests {
    private static var isMissing: Bool {
        !Shell.has("chromedriver")
            || !FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/selenium/__init__.py")
    }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "browser.py")

    @Test(
        "somebody signs up, borrows and is refused; no page is wider than a telephone, lacks a label or breaks its own rules",
        .enabled(if: !isMissing, "chromium-driver or python3-selenium is not installed"))
    func day() throws {
        let library = try SmallLibrary()
        let answer = try Self.answer(of: Self.script, at: library)
        let said = try #require(answer["said"])
        func text(_ step: String) -> String { said[step]?.stringValue ?? "" }
        #expect(text("found") == "1\u{A0}title found." || text("found") == "1 title found.")
        #expect(text("meant").contains("No results for “ema”. Showing results for emma instead."))
        #expect(text("narrowed").contains("×"))
        #expect(text("borrowed").hasPrefix("Emma has been checked out to you until"))
        #expect(text("wrong") == "The username or password is incorrect.")
        #expect(
            text("refused").contains("You cannot borrow this title at the moment")
                && text("refused").contains("No copy"))
        #expect(text("lent").contains("has been checked out to") && text("lent").contains("until"))
        #expect(text("nowhere") == "Not found" && said["script"] == 0)
        #expect(said["cookies"]?.arrayValue?.allSatisfy { $0 == [true, "Lax"] } == true)
    }

    /// What a script tells that drives a browser as staff of a library that is served for it, and finds no fault.
    private static func answer(of script: URL, _ arguments: [String] = [], at library: borrowing SmallLibrary) throws
        -> JSON
    {
        let password = "a good password"
        let made = try library.command.run(["account", "add", "--role", "staff", "sam"], input: password + "\n")
        #expect(made.status == 0, "\(made)")
        let running = try library.command.start(["serve", "--http", "127.0.0.1:0"])
        let words = running.output.wait { $0.contains("\n") } ?? ""
        let address = try #require(words.firstMatch(of: /http:\/\/\S+/)?.0)
        let result = try Shell.run(
            "exec /usr/bin/python3 \"$0\" \"$@\"",
            [script.path(percentEncoded: false), String(address), password] + arguments, in: library.folder.url)
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.wait().status == 0)
        let answer = try #require(try? JSONParser.parse(Array(result.output.utf8)), "\(result)")
        #expect(answer["faults"]?.arrayValue == [], "\(result.output) \(result.error)")
        return answer
    }

    private static let lookUp = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "lookup.py")

    @Test(
        "the form of a new title is filled in by its ISBN where it stands, and on a page of its own without JavaScript",
        .enabled(
            if: !isMissing && !PythonServer.isMissing, "chromium-driver, python3-selenium or Python's server is missing"
        ))
    func lookUp() throws {
        let library = try SmallLibrary()
        let body = """
            {"ISBN:9780156027601": {"title": "Solaris", "authors": [{"name": "Stanisław Lem"}], "publish_date": "1970",
             "publishers": [{"name": "Walker"}], "number_of_pages": 204}}
            """
        let books = try PythonServer("odd", ["bodies": ["open": .string(body)]])
        try library.folder.write(
            """
            [book_data]
            google_books = "off"
            open_library = "http://127.0.0.1:\(books.port)/open"
            """, to: "moonshelf.toml")
        let answer = try Self.answer(of: Self.lookUp, ["9780156027601"], at: library)
        for (mode, path) in [("on", "/desk/titles/new"), ("off", "/desk/titles/look-up")] {
            let filled = answer[mode]?["filled"]
            #expect(filled?["title"] == "Solaris" && filled?["year"] == "1970", "\(mode): \(answer)")
            #expect(filled?["authors"]?.stringValue?.contains("Stanisław Lem") == true)
            #expect(filled?["publisher"] == "Faber", "what was typed stays")
            #expect(filled?["said"]?.stringValue?.contains("Check it before you add it") == true)
            #expect(filled?["path"] == .string(path), "\(mode)")
            let wrong = answer[mode]?["wrong"]
            #expect(wrong?["title"] == "Mine" && wrong?["isbn"] == "12345")
            #expect(wrong?["said"]?.stringValue?.contains("10 or 13 digits") == true)
            #expect(answer[mode]?["unknown"]?["title"] == "", "the service knows no such book")
            #expect(answer[mode]?["unknown"]?["said"]?.stringValue?.isEmpty == false)
        }
        let on = answer["on"]
        #expect(on?["again"]?["title"] == "Solaris" && on?["scanned"]?["title"] == "Solaris")
        #expect(on?["present"]?["said"]?.stringValue?.contains("already has this title") == true)
    }

    private static let keys = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "keys.py")

    @Test(
        "ten check-outs, a registration and a hold take the keys and pages that the documentation says",
        .enabled(if: !isMissing, "chromium-driver or python3-selenium is not installed"))
    func counted() throws {
        let library = try SmallLibrary()
        let copies =
            "for i, copy in ipairs(catalogue.copies('\(SmallLibrary.odyssey)')) do if i <= 10 then print(copy.barcode) end end"
        let barcodes = try library.command.run(["eval", copies]).output.split(separator: "\n").map(String.init)
        try #require(barcodes.count == 10)
        let answer = try Self.answer(of: Self.keys, ["clerk", SmallLibrary.emma] + barcodes, at: library)
        let said = try #require(answer["said"])
        let page = try String(contentsOf: BuiltCommand.root.appending(path: "docs/pages.md"), encoding: .utf8)
        for (task, row) in [
            ("check_out", "ten check-outs"), ("register", "registering a patron"), ("place_hold", "placing a hold"),
        ] {
            let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(row)") })
            let cells = line.split(separator: "|").map { Int64($0.trimmingCharacters(in: .whitespaces)) }
            #expect(said[task]?["by_hand"]?.integerValue == cells[1], "\(task): \(said)")
            #expect(said[task]?["loads"]?.integerValue == cells[2], "\(task): \(said)")
        }
        func text(_ task: String) -> String { said[task]?["page"]?.stringValue ?? "" }
        #expect(barcodes.allSatisfy { text("check_out").contains($0) })
        #expect(text("register").contains("Ada Byron has been added."))
        #expect(text("place_hold").contains("A hold on Emma has been placed for Ada Byron"))
    }
}
