import Foundation
import Testing
import TextFormats

@Suite("policy explain, without a store")
struct PolicyExplainCommandTests {
    @Test("a decision has every field that programs rely on, from a file and from standard input")
    func decision() throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyFiles.sound, to: "sound.lua")
        try folder.write(PolicyFiles.checkout, to: "case.json")
        let result = try folder.command.run(
            "policy", "explain", "--policy", "sound.lua", "--case", "case.json", "--json")
        #expect(result.status == 0, "\(result)")
        let decision = try result.json()
        for key in ["point", "answer", "refusal", "due", "fields", "trace"] { #expect(decision[key] != nil, "\(key)") }
        #expect(decision["point"] == "checkout" && decision["answer"] == "allow" && decision["refusal"] == .null)
        #expect(decision["due"] == "2026-10-21T15:00:00Z")
        let loan = try #require(decision["fields"]?["loan"])
        #expect(loan["value"] == "P14D" && loan["row"] == 2 && loan["file"] == "sound.lua" && loan["line"] == 5)
        let skipped = try #require(loan["skipped"]?.arrayValue?.first?.objectValue)
        #expect(skipped.keys.contains("row") && skipped.keys.contains("because"))
        #expect(skipped["because"]?.stringValue?.contains("category") == true, "\(skipped)")
        let piped = try folder.command.run(
            ["policy", "explain", "--policy", "sound.lua", "--case", "-", "--json"], input: PolicyFiles.checkout)
        #expect(piped.output == result.output, "\(piped)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("moonshelf.db")))
    }

    @Test("a refusal by a row says code, reasons, policy and where")
    func refusal() throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyFiles.sound, to: "sound.lua")
        let item = #"{"item_type": "book", "branch": "main", "due_at": "2026-12-24T18:00:00Z"}"#
        let full = PolicyFiles.checkout.replacing("\"loans\": []", with: "\"loans\": [\(item), \(item)]")
        let result = try folder.command.run(
            ["policy", "explain", "--policy", "sound.lua", "--case", "-", "--json"], input: full)
        #expect(result.status == 0, "\(result)")
        let refusal = try #require(try result.json()["refusal"]?.objectValue, "\(result)")
        #expect(refusal.keys == ["code", "message", "details", "policy", "where"])
        #expect(refusal["code"] == "limit" && refusal["policy"]?.stringValue?.count == 64)
        #expect(refusal["details"]?["reasons"]?.arrayValue?.isEmpty == false)
        let place = try #require(refusal["where"]?.objectValue)
        #expect(Set(place.keys) == ["row", "field", "file", "line"])
        #expect(place["row"] == ["table": "limits", "row": 1] && place["file"] == "sound.lua" && place["line"] == 4)
        let text = try folder.command.run(["policy", "explain", "--policy", "sound.lua", "--case", "-"], input: full)
        #expect(text.output.hasPrefix("Refused: "), "\(text)")
        #expect(text.output.contains("(limits row 1, sound.lua:4)"))
    }

    @Test("a policy that fails to decide ends with 3 and says why in the answer")
    func failed() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            PolicyFiles.sound.replacing("limits =", with: "checkout = function() while true do end end,\n    limits ="),
            to: "endless.lua")
        let result = try folder.command.run(
            ["policy", "explain", "--policy", "endless.lua", "--case", "-", "--json"], input: PolicyFiles.checkout)
        #expect(result.status == 3 && result.signal == nil, "\(result)")
        #expect(try result.json()["answer"] == "failed")
    }

    @Test(
        "a policy that is none ends with 2 if it is not there and with 3 otherwise",
        arguments: PolicyFiles.unsound.map(\.name))
    func unsound(name: String) throws {
        let folder = try TemporaryFolder()
        try PolicyFiles.write(into: folder)
        let code = try #require(PolicyFiles.unsound.first { $0.name == name }?.code)
        let result = try folder.command.run(
            ["policy", "explain", "--policy", name, "--case", "-", "--json"], input: PolicyFiles.checkout)
        #expect(result.status == (code == "not_found" ? 2 : 3) && result.output.isEmpty, "\(result)")
        let error = try #require(try result.failure()["error"])
        #expect(error["code"]?.stringValue == code && error["file"]?.stringValue == name, "\(result)")
    }

    @Test(
        "a case that is none ends with 65, with the line and what was expected",
        arguments: [
            ("", 1, "expected"), ("[]", 1, "expected an object"), ("{\"point\": \"checkout\"", 1, "expected"),
            ("{\"point\": \"nonsense\"}", 1, "expected one of"),
            ("{\n\"point\": \"checkout\",\n\"now\": 3}", 3, "expected"),
            (PolicyFiles.checkout.replacing("\"index\": 1", with: "\"index\": \"x\""), 3, "expected"),
            (PolicyFiles.checkout.replacing("\"title\": {}", with: "\"titel\": {}"), 2, "titel"),
            (String(repeating: "[", count: 100_000), 1, "512 levels"),
        ])
    func badCase(text: String, line: Int, expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyFiles.sound, to: "sound.lua")
        let result = try folder.command.run(
            ["policy", "explain", "--policy", "sound.lua", "--case", "-", "--json"], input: text)
        #expect(result.status == 65 && result.output.isEmpty, "\(result)")
        let error = try #require(try result.failure()["error"])
        #expect(error["code"] == "bad_case" && error["file"] == "-", "\(result)")
        #expect(error["line"]?.integerValue == Int64(line), "\(result)")
        #expect(error["message"]?.stringValue?.contains(expected) == true, "\(result)")
    }

    @Test("under match the explanation says why a row that matches has lost")
    func match() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return policy {
                match = { "category", "item_type" },
                rules = {
                    { loan = days(28) },
                    { item_type = "book", loan = days(7) },
                    { category = "public", loan = days(14) },
                },
            }
            """, to: "weighed.lua")
        let arguments = ["policy", "explain", "--policy", "weighed.lua", "--case", "-"]
        let result = try folder.command.run(arguments + ["--json"], input: PolicyFiles.checkout)
        let loan = try #require(try result.json()["fields"]?["loan"], "\(result)")
        #expect(loan["row"] == 3 && loan["line"] == 6 && loan["value"] == "P14D")
        let skipped = try #require(loan["skipped"]?.arrayValue)
        #expect(skipped.map { $0["row"] } == [2, 1])
        #expect(skipped.first?["because"] == "it matches, but row 3 names the category and this row does not")
        let text = try folder.command.run(arguments, input: PolicyFiles.checkout)
        #expect(text.output.contains("not rules row 1, weighed.lua:4: it matches, but row 3"), "\(text)")
        let check = try folder.command.run("policy", "check", "weighed.lua")
        #expect(check.status == 0 && check.output.contains("nothing found"), "\(check)")
    }
}
