import Foundation
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
        let made = try library.command.run(["account", "add", "--role", "staff", "sam"], input: "a good password\n")
        #expect(made.status == 0, "\(made)")
        let running = try library.command.start(["serve", "--http", "127.0.0.1:0"])
        let words = running.output.wait { $0.contains("\n") } ?? ""
        let address = try #require(words.firstMatch(of: /http:\/\/\S+/)?.0)
        let result = try Shell.run(
            "exec /usr/bin/python3 \"$0\" \"$1\" \"$2\"",
            [Self.script.path(percentEncoded: false), String(address), "a good password"], in: library.folder.url)
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.wait().status == 0)
        let answer = try #require(try? JSONParser.parse(Array(result.output.utf8)), "\(result)")
        #expect(answer["faults"]?.arrayValue == [], "\(result.output) \(result.error)")
        let said = try #require(answer["said"], "\(result.error)")
        func text(_ step: String) -> String { said[step]?.stringValue ?? "" }
        #expect(text("found") == "1\u{A0}title found." || text("found") == "1 title found.")
        #expect(text("meant").contains("Nothing was found for “ema”. These are the titles for emma."))
        #expect(text("narrowed").contains("×"))
        #expect(text("borrowed").hasPrefix("Emma is checked out to you until"))
        #expect(text("wrong") == "Username or password is wrong.")
        #expect(text("refused").contains("You cannot borrow it now") && text("refused").contains("No copy"))
        #expect(text("lent").contains("is checked out to") && text("lent").contains("until"))
        #expect(text("nowhere") == "Not found" && said["script"] == 0)
        #expect(said["cookies"]?.arrayValue?.allSatisfy { $0 == [true, "Lax"] } == true)
    }
}
