import Foundation

/// Files that a person may hand to a policy command, sound and unsound ones.
enum PolicyFiles {
    static let sound = """
        return policy {
            api = 1,
            name = "sound",
            limits = { { max = 2 } },
            rules = { { category = "staff", loan = days(7) }, { loan = days(14), renewals = 1 } },
        }
        """

    /// Passes, fails, is left for later, breaks, and never ends.
    static let tests = """
        test("fourteen days", function()
            expect(given { point = "checkout", patron = { category = "public" } }, { answer = "allow" })
        end)
        test("wrong", function()
            expect(given { point = "checkout" }, { answer = "deny" })
        end)
        todo_test("later", function()
            expect(given { point = "checkout" }, { answer = "deny" })
        end)
        test("broken", function()
            error("x")
        end)
        test("endless", function()
            while true do
            end
        end)
        """

    /// Names and contents of files that are not policies, and the code of the finding.
    static let unsound: [(name: String, bytes: [UInt8]?, code: String)] = [
        ("missing.lua", nil, "not_found"),
        ("empty.lua", [], "wrong_type"),
        ("huge.lua", Array(repeating: 0x20, count: 1_100_000), "too_large"),
        ("bytes.lua", [0xFF, 0xFE, 0x00], "syntax"),
        ("broken.lua", Array("return policy {".utf8), "syntax"),
        ("endless.lua", Array("while true do end".utf8), "instruction_limit"),
        ("nothing.lua", Array("return 1".utf8), "wrong_type"),
        ("misspelt.lua", Array("return policy { api = 1, name = \"x\", rulse = {} }".utf8), "unknown_point"),
        ("folder.lua", nil, "not_found"),
    ]

    /// Puts them all into a folder.
    static func write(into folder: borrowing TemporaryFolder) throws {
        try folder.write(sound, to: "sound.lua")
        for file in unsound {
            if let bytes = file.bytes { try Data(bytes).write(to: folder.url.appending(path: file.name)) }
        }
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder.lua"), withIntermediateDirectories: true)
    }

    /// A case for `policy explain`.
    static let checkout = """
        {"point": "checkout", "now": "2026-10-07T10:00:00Z", "time_zone": "Europe/Berlin",
         "patron": {"category": "public", "loans": []}, "title": {}, "copy": {"branch": "main", "item_type": "book"},
         "request": {"size": 1, "index": 1},
         "calendar": {"weekly": {"wed": [["09:00", "17:00"]]}, "closed": [], "yearly": [], "open": []}}
        """
}
