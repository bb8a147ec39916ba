import Circulation
import Desk
import Interchange
import TestSupport
import Testing

@Suite("Display names and reserved words in files")
struct DisplayNameImportTests {
    private static let lines = """
        {"library":{"name":"City","zone":"Etc/UTC","currency":"EUR","reserved_names":["beadle"]}}
        {"patron":{"username":"ada","display_name":"Countess"}}
        {"patron":{"username":"bob"}}

        """

    @Test("names are taken in once, an export gives them back, and a file that is silent on them leaves them")
    func roundTrip() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("names.jsonl", Self.lines))
        #expect(report.rejected == 0, "\(report.problems)")
        #expect(try bench.desk.read { try $0.patrons.member(named: "countess")?.username } == "ada")
        #expect(try bench.desk.read { try $0.settings.library().reservedNames } == ["beadle"])
        try bench.importing(bench.file("silent.csv", "username,name\nada,Augusta\n"))
        let ada = try bench.desk.read { try $0.patrons.get(.username("ada")) }
        #expect(ada?.name == "Augusta" && ada?.displayName == "Countess")
        let exported = try bench.export()
        let other = try ImportBench()
        try other.importing(other.file("all.jsonl", exported))
        #expect(try other.export() == exported)
        #expect(try other.desk.read { try $0.patrons.member(named: "Countess")?.username } == "ada")
    }

    @Test("which notices go together is a setting that files have; of other kinds none do")
    func gathered() throws {
        let bench = try ImportBench()
        let head = #"{"library":{"name":"City","zone":"Etc/UTC","currency":"EUR""#
        let given = head + #","gathered_notices":["hold_ready","overdue"]}}"# + "\n"
        #expect(try bench.importing(bench.file("on.jsonl", given)).rejected == 0)
        #expect(try bench.desk.read { try $0.settings.library().gatheredKinds } == [.overdue, .holdReady])
        try bench.importing(bench.file("silent.jsonl", head + "}}\n"))
        #expect(try bench.desk.read { try $0.settings.library().gatheredNotices } == ["overdue", "hold_ready"])
        let exported = try bench.export()
        #expect(exported.contains(#""gathered_notices":["overdue","hold_ready"]"#))
        let other = try ImportBench()
        try other.importing(other.file("all.jsonl", exported))
        #expect(try other.export() == exported)
        #expect(try other.desk.examine().isSound)
        let wrong = try bench.importing(
            bench.file("wrong.jsonl", head + #","gathered_notices":["overdue","order"]}}"# + "\n"))
        #expect(wrong.rejected == 1 && wrong.problems.first?.field == "library.gathered_notices", "\(wrong.problems)")
        let off = try bench.importing(bench.file("off.jsonl", head + #","gathered_notices":[]}}"# + "\n"))
        #expect(off.rejected == 0)
        #expect(try bench.desk.read { try $0.settings.library().gatheredKinds } == [])
    }

    @Test("a name that another has, that is reserved or that is none is refused and named")
    func malformed() throws {
        let bench = try ImportBench()
        let names = ["countess", "Beadle Bob", "ada", "cyd@example.org", "x"]
        let lines = names.enumerated().map {
            #"{"patron":{"username":"p\#($0.offset)","display_name":"\#($0.element)"}}"#
        }
        let report = try bench.importing(
            bench.file("bad.jsonl", Self.lines + lines.joined(separator: "\n") + "\n"))
        #expect(report.rejected == names.count, "\(report.problems)")
        #expect(report.problems.filter { $0.field == "display_name" }.count == names.count, "\(report.problems)")
    }
}
