import Circulation
import Foundation
import Scripting
import Testing
import TextFormats

/// `docs/blocks.md` is what librarians copy from.
@Suite("The page about blocks")
struct BlockDocumentationTests {
    private static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/blocks.md"), encoding: .utf8)
    }

    @Test("names every action in its table, and no other")
    func actions() throws {
        let table = try #require(try Self.page().split(separator: "| action |").last?.split(separator: "\n\n").first)
        let rows = table.split(separator: "\n").compactMap { $0.firstMatch(of: /^\| `([a-z]+)` \|/)?.1 }
        #expect(rows.map(String.init) == BlockFacts.Action.allCases.map(\.rawValue))
    }

    @Test(
        "has a policy that does what the page says",
        arguments: [
            (["patron": [:]], "allow", nil), (["patron": ["fees_owed": "20.00"]], "deny", "fees_owed"),
            (["patron": ["fees_owed": "19.99", "overdue": 2]], "allow", nil),
            (["patron": ["overdue": 3]], "deny", "overdue"), (["patron": ["lost": 1]], "deny", "lost"),
            (["patron": ["blocks": [["kind": "address", "actions": ["cart"]]]]], "allow", nil),
            (
                ["actor": ["channel": "web"], "patron": ["blocks": [["kind": "address", "actions": ["cart"]]]]], "deny",
                "address"
            ),
            (["patron": ["blocks": [["kind": "card"]]]], "deny", "blocked"),
            (["point": "renew", "patron": ["overdue": 3]], "deny", "overdue"),
        ] as [(JSON, String, String?)])
    func example(question: JSON, answer: String, code: String?) throws {
        let source = try #require(try Self.page().split(separator: "```lua\n").last?.split(separator: "```").first)
        guard case .object(var object) = question else { return }
        if object["point"] == nil { object["point"] = "request" }
        let decision = try PolicySupport.policy(String(source)).decide(Case(json: .object(object)))
        #expect(decision.answer.rawValue == answer)
        #expect(decision.refusal?.code == code)
    }
}
