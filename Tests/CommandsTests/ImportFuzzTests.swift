import Foundation
import TestSupport
import Testing
import TextFormats

/// Damaged files through the built command. `InterchangeTests` damages far more of them in process.
@Suite("import of damaged files")
struct ImportFuzzTests {
    /// The samples of the package, and a table of BitBooks.
    static let seeds: [(name: String, bytes: [UInt8])] =
        ["titles.csv", "patrons.csv", "settings.json"].map { name in
            let data = FileManager.default.contents(
                atPath: BuiltCommand.root.appending(path: "data/\(name)").path(percentEncoded: false))
            return (name, Array((data ?? Data()).prefix(6_000)))
        } + [
            (
                "books.json",
                Array(
                    #"[{"title":"Odyssey","ISBN":"9780140449136","author":"Homer","copies":2,"given_copies":1}]"#.utf8)
            )
        ]

    /// What a program relies on in an answer, whatever the file was.
    static func check(_ result: BuiltCommand.Result, _ name: String) throws {
        #expect(result.signal == nil && (result.status == 0 || result.status == 65), "\(name): \(result)")
        if result.output.isEmpty {
            let error = try #require(try result.failure()["error"]?.objectValue, "\(name): \(result)")
            #expect(error.keys == ["code", "message", "file", "line"], "\(name)")
            #expect(error["file"]?.stringValue?.isEmpty == false, "\(name): \(result)")
            return
        }
        let report = try result.json()
        let keys = ["read", "added", "updated", "unchanged", "repaired", "rejected", "problems"]
        for key in keys { #expect(report[key] != nil, "\(name): \(key)") }
        let rejected = try #require(report["rejected"]?.integerValue)
        #expect((rejected > 0) == (result.status == 65), "\(name)")
        for problem in report["problems"]?.arrayValue ?? [] {
            let other = problem["code"] == "likely_duplicate" ? ["other"] : []
            let members = ["file", "line", "field", "code", "severity", "message"] + other
            #expect(problem.objectValue?.keys == members, "\(name)")
            #expect((problem["line"]?.integerValue ?? 0) >= 1 && problem["message"] != "", "\(name): \(problem)")
        }
    }

    @Test("each ends with 0 or 65, names what it refused, and a second time adds nothing")
    func damaged() throws {
        let library = try SmallLibrary()
        let folder = library.folder.url
        let names = try (0..<20).map { number in
            let seed = ImportFuzzTests.seeds[number % ImportFuzzTests.seeds.count]
            var mutator = ByteMutator(seed: UInt64(number))
            let name = "\(number)-\(seed.name)"
            try Data(mutator.mutate(seed.bytes)).write(to: folder.appending(path: name))
            return name
        }
        for name in names {
            let first = try library.run("import", "--json", name)
            try ImportFuzzTests.check(first, name)
            let second = try library.run("import", "--json", name)
            #expect(second.status == first.status, "\(name): \(second)")
            if !second.output.isEmpty { #expect(try second.json()["added"] == 0, "\(name): \(second)") }
        }
        #expect(try library.isSound())
    }

    @Test("a strict import of a file with a bad record keeps nothing of it")
    func strict() throws {
        let library = try SmallLibrary()
        try library.folder.write("title,authors,isbn\nGood,A,\nBad,B,1234\n", to: "t.csv")
        let result = try library.run("import", "--strict", "--json", "t.csv")
        #expect(result.status == 65)
        let report = try result.json()
        #expect(report["added"] == 0 && report["rejected"] == 1, "\(result)")
        #expect(try library.eval("return catalogue.count()") == "3")
        let kept = try library.run("import", "--json", "t.csv")
        #expect(kept.status == 65)
        #expect(try kept.json()["added"] == 1)
        #expect(try library.eval("return catalogue.count()") == "4")
    }

    @Test(
        "a malformed file of the published sets is refused or read in every format, never a crash",
        .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"), arguments: ["json", "csv", "bitbooks"])
    func malformed(format: String) throws {
        let library = try SmallLibrary()
        let folder = library.folder.url
        let files = FileManager.default.enumerator(atPath: SharedData.path("data/malformed"))?.compactMap {
            $0 as? String
        }
        let paths = (files ?? []).sorted().map { SharedData.path("data/malformed/\($0)") }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
        #expect(paths.count > 150)
        let results = try Parallel.map(paths) { path in
            (path, try BuiltCommand(folder: folder).run(["import", "--json", "--format", format, path]))
        }
        for (path, result) in results { try ImportFuzzTests.check(result, path) }
        #expect(try library.isSound())
    }

    @Test("standard input is read to its end, and the import says what every file was, in words and in JSON")
    func standardInput() throws {
        let library = try SmallLibrary()
        let table = "title;authors;isbn\nDune;Herbert;\n"
        let told = try library.command.run(["import", "-"], input: table)
        #expect(told.status == 0 && told.output.hasPrefix("1 records read, 1 added"), "\(told)")
        #expect(told.error.contains("-: csv, separator ;, table of titles"), "\(told)")
        let json = try library.command.run(["import", "--json", "-"], input: table)
        let file = try #require(try json.json()["files"]?.arrayValue?.first)
        #expect(file["file"] == "-" && file["kind"] == "csv" && file["table"] == "titles" && file["separator"] == ";")
        #expect(file["encoding"] == "UTF-8" && file["header_line"] == 1 && file["sheet"] == .null)
    }

    @Test("options of reading reach the import, and what they do not know is wrong usage")
    func options() throws {
        let library = try SmallLibrary()
        try library.folder.write("username,name,birth_date\ndan,Dan,04/03/1980\n", to: "p.csv")
        let open = try library.run("import", "p.csv")
        #expect(open.status == 65 && open.error.contains("--dates dmy"), "\(open)")
        #expect(try library.run("import", "--dates", "mdy", "p.csv").status == 0)
        #expect(try library.eval("return tostring(patrons.get('dan').birth_date)") == "1980-04-03")
        #expect(try library.run("import", "--dates", "dym", "p.csv").status == 2)
        #expect(try library.run("import", "--encoding", "klingon", "p.csv").status == 2)
        #expect(try library.run("import", "--sheet", "A", "p.csv").status == 65)
    }
}
