import Testing
import TextFormats

/// `moonshelf policy matrix`
@Suite("The matrix by command")
struct PolicyMatrixCommandTests {
    private static func policy(_ fees: String) -> String {
        """
        return policy {
            api = 1,
            rules = { { item_type = "dvd", channel = "web", loan = days(3) }, { loan = days(14) } },
            checkout = function(case)
                if case.patron.fees_owed >= money "\(fees)" and not has(case.patron.categories, "child") then
                    return deny("fees_owed", "Please pay first.")
                end
            end,
        }

        """
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(policy("10.00"), to: "town.lua")
        try folder.write(policy("25.00"), to: "other.lua")
        return folder
    }

    @Test("each outcome stands with its condition, in text, JSON, a table and a page")
    func conditions() throws {
        let folder = try Self.folder()
        let result = try folder.command.run("policy", "matrix", "town.lua", "--html", "matrix.html")
        #expect(result.status == 0, "\(result)")
        let text = result.output
        #expect(text.contains("days(3) if channel web, else days(14)") && text.contains("What functions decide:"))
        #expect(text.contains("`patron.fees_owed` >= 10.00 EUR") && text.contains("refused, fees_owed"))
        #expect(!text.contains("depends"))
        let json = try folder.command.run("policy", "matrix", "town.lua", "--json").json()
        let cells = json["cells"]?.arrayValue ?? []
        #expect(cells.compactMap { $0["category"]?.stringValue } == ["child", "child", "other", "other"])
        #expect(cells.first?["outcomes"] == [])
        #expect(cells.last?["outcomes"]?.arrayValue?.first?["where"] == ["`patron.fees_owed` >= 10.00 EUR"])
        let table = try folder.command.run("policy", "matrix", "town.lua", "--csv").output
        #expect(table.contains("checkout: refused, fees_owed if `patron.fees_owed` >= 10.00 EUR"))
    }

    @Test("a difference has what functions decide otherwise, for every case")
    func difference() throws {
        let folder = try Self.folder()
        let result = try folder.command.run("policy", "matrix", "town.lua", "--diff", "other.lua")
        #expect(result.status == 0 && result.output.contains("2 of 4 combinations change."), "\(result)")
        #expect(result.output.contains("-fees_owed") || result.output.contains("refused (fees_owed) -> allowed"))
        let json = try folder.command.run("policy", "matrix", "town.lua", "--diff", "other.lua", "--json").json()
        #expect(json["decisions"]?["equal"] == false)
        #expect(json["changed"]?.arrayValue?.allSatisfy { $0["field"] == "functions" } == true)
        let same = try folder.command.run("policy", "matrix", "town.lua", "--diff", "town.lua")
        #expect(same.output.contains("0 of 4 combinations change.") && same.output.contains("equal for every case"))
    }

    @Test("without time what functions decide is unknown, with the line")
    func noTime() throws {
        let folder = try Self.folder()
        let result = try folder.command.run("policy", "matrix", "town.lua", "--time-limit", "0")
        #expect(result.status == 0 && result.output.contains("unknown: town.lua:4: the time limit"), "\(result)")
    }
}
