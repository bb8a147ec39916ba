import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Files that the command explains")
struct ExplainCommandTests {
    private static let list = "Ausweis;Name;Geb.-Datum;Notiz\n1;Hall, Ada;24.03.2014;x\n2;Moss, Bob;04.11.2013;\n"

    @Test("a proposal is shown, written, and imports as it was shown, after which the same file adds nothing")
    func proposal() throws {
        let library = try SmallLibrary()
        try library.folder.write(Self.list, to: "list.csv")
        let before = try library.run("export", "-").output
        let explained = try library.run("import", "--explain", "--json", "--write-mapping", "m.json", "list.csv")
        #expect(explained.status == 0, "\(explained)")
        let file = try #require(try explained.json()["files"]?.arrayValue?.first)
        #expect(file["recognised_by"] == "none")
        #expect(file["rows"]?.arrayValue?.count == 2)
        #expect(file["columns"]?.arrayValue?.first?["fields"] == ["patrons.username"])
        #expect(try explained.json()["would"]?["added"] == 2)
        #expect(try library.run("export", "-").output == before)
        #expect(try library.run("import", "list.csv").status != 0)
        let imported = try library.run("import", "--json", "--mapping", "m.json", "list.csv")
        #expect(imported.status == 0, "\(imported)")
        #expect(try imported.json()["added"] == 2)
        #expect(try library.run("import", "--json", "--mapping", "m.json", "list.csv").json()["unchanged"] == 2)
        let again = try library.run("import", "--explain", "--mapping", "m.json", "list.csv")
        #expect(again.output.contains("Notiz -> not taken (the mapping file says nothing of it; left out)"), "\(again)")
    }

    @Test("no file is written over, and none for what is no table or for several files")
    func refusals() throws {
        let library = try SmallLibrary()
        try library.folder.write(Self.list, to: "list.csv")
        try library.folder.write("{\"title\": \"Momo\"}\n", to: "a.json")
        try library.folder.write("mine", to: "m.json")
        for arguments in [
            ["--write-mapping", "m.json", "--explain", "list.csv"], ["--write-mapping", "n.json", "list.csv"],
            ["--write-mapping", "n.json", "--explain", "a.json"],
            ["--write-mapping", "n.json", "--explain", "list.csv", "a.json"],
        ] {
            let result = try library.command.run(["import"] + arguments)
            #expect(result.status == 2, "\(arguments): \(result)")
        }
        #expect(
            try String(contentsOf: library.folder.url.appending(path: "m.json"), encoding: .utf8) == "mine")
    }

    @Test("a file that cannot be read on says where, as an import does, and the fields of mappings are listed")
    func problems() throws {
        let library = try SmallLibrary()
        try library.folder.write("username,name,shoe\n1,Ada,7\n2,\"Bob,8\n", to: "p.csv")
        let result = try library.run("import", "--explain", "p.csv")
        #expect(
            result.status == 0 && result.output.contains("shoe -> not taken (nothing reads it; left out)"), "\(result)")
        #expect(result.output.contains("p.csv:3"), "\(result)")
        let fields = try library.run("import", "--fields", "--json").json()
        #expect(fields["patrons"]?.arrayValue?.contains { $0["field"] == "username" && $0["required"] == true } == true)
        #expect(try library.run("import", "--fields").output.contains("## holds"))
    }
}
