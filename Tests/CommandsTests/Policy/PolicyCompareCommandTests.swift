import Testing
import TextFormats

/// `moonshelf policy compare` and `policy refines`.
@Suite("Comparing policies by command")
struct PolicyCompareCommandTests {
    private static func policy(_ days: Int, _ fine: String = "0.20") -> String {
        "return policy { api = 1, rules = { { loan = days(\(days)), fine = money \"\(fine)\", per = days(1) } } }\n"
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(policy(14), to: "town.lua")
        try folder.write(policy(14, "0.20").replacing("rules", with: "-- The same.\n    rules"), to: "same.lua")
        try folder.write(policy(7, "0.30"), to: "tight.lua")
        try folder.write(policy(21), to: "loose.lua")
        return folder
    }

    @Test("policies that are equal end with 0, others with 1 and a case")
    func compare() throws {
        let folder = try Self.folder()
        let same = try folder.command.run("policy", "compare", "town.lua", "same.lua")
        #expect(same.status == 0 && same.output.contains("equal for every case"))
        let other = try folder.command.run("policy", "compare", "town.lua", "loose.lua", "--point", "due", "--json")
        #expect(other.status == 1)
        let json = try other.json()
        #expect(json["equal"] == false)
        let points = json["points"]?.arrayValue ?? []
        #expect(points.count == 1 && points[0]["status"] == "different" && points[0]["because"] == [])
        let region = points[0]["regions"]?.arrayValue?.first
        #expect(region?["aspect"] == "due" && region?["case"]?["point"] == "due")
        #expect(try folder.command.run("policy", "compare", "town.lua", "same.lua", "--point", "lend").status == 2)
    }

    @Test("a branch may be tighter and not looser")
    func refines() throws {
        let folder = try Self.folder()
        let tight = try folder.command.run("policy", "refines", "town.lua", "tight.lua", "--point", "fine")
        #expect(tight.status == 0 && tight.output.contains("nothing is loosened"))
        let loose = try folder.command.run("policy", "refines", "town.lua", "loose.lua", "--point", "checkout")
        #expect(loose.status == 1 && loose.output.contains("due: 2026-01-29 -> 2026-02-05"))
    }

    @Test("versions of a store are compared by their names")
    func versions() throws {
        let folder = try Self.folder()
        #expect(try folder.command.run("init").status == 0)
        var versions: [String] = []
        for file in ["town.lua", "loose.lua"] {
            let used = try folder.command.run("policy", "use", file, "--json")
            versions.append(try used.json()["policy"]?.stringValue ?? "")
        }
        let compared = try folder.command.run(
            "policy", "compare", versions[0], versions[1], "--store", "sqlite:moonshelf.db", "--point", "due")
        #expect(compared.status == 1 && compared.output.contains("due: 2026-01-29 -> 2026-02-05"))
    }
}
