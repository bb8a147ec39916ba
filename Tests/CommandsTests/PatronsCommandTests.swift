import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("patrons duplicates and merge")
struct PatronsCommandTests {
    @Test("likely duplicates are listed with both rows and why, and merged by the line that is shown")
    func duplicates() throws {
        let library = try SmallLibrary()
        let none = try library.run("patrons", "duplicates")
        #expect(none.status == 0 && none.output == "No likely duplicates were found.\n", "\(none)")
        try library.folder.write(
            "username,name,surname,birth_date,email\n2001,Ada,Hall,2014-03-24,ada@example.org\n"
                + "2002,Ada,Hal,2014-03-24,\n2003,A.,Hall,,ADA@example.org\n", to: "p.csv")
        #expect(try library.run("import", "p.csv").status == 0)
        let told = try library.run("patrons", "duplicates")
        #expect(
            told.status == 0
                && told.output.contains("nearly the same name and the same date of birth:\n  2001  Ada Hall"))
        let json = try library.run("patrons", "duplicates", "--json").json()
        let found = try #require(json["found"]?.arrayValue)
        #expect(found.count == 2 && json["next"] == .null && (json["looked_at"]?.integerValue ?? 0) > 2)
        #expect(found[0]["why"] == "near_name_and_birth_date" && found[1]["why"] == "same_email")
        #expect(found.allSatisfy { $0["other"]?["username"] == "2001" })
        let first = try library.run("patrons", "duplicates", "--json", "--limit", "1").json()
        #expect(first["found"]?.arrayValue?.count == 1)
        let next = try #require(first["next"]?.stringValue)
        let second = try library.run("patrons", "duplicates", "--json", "--after", next).json()
        #expect(second["found"]?.arrayValue == [found[1]])
        #expect(told.output.contains("\n  moonshelf patrons merge 2002 --into 2001\n"))
        let merge = try #require(told.output.split(separator: "\n").first { $0.contains("patrons merge") })
        let words = merge.split(separator: " ").dropFirst().map(String.init)
        let merged = try library.command.run(words)
        #expect(merged.status == 0 && merged.output.hasPrefix("The records are one now: 2001"), "\(merged)")
        let last = try library.run("patrons", "merge", "2003", "--into", "2001", "--json", "--reason", "twice")
        #expect(try last.status == 0 && last.json()["username"] == "2001", "\(last)")
        #expect(try library.run("patrons", "duplicates").output == none.output)
        #expect(try library.isSound())
    }

    @Test("where a list goes on is said as a shell takes it, with an apostrophe in the address too")
    func quoting() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "username,name,surname,email\n1,A,A,o'brien@example.org\n2,B,B,o'brien@example.org\n3,C,C,o'brien@example.org\n",
            to: "p.csv")
        #expect(try library.run("import", "p.csv").status == 0)
        let first = try library.run("patrons", "duplicates", "--limit", "1")
        let told = try #require(first.error.firstMatch(of: /--after (.+) goes on\./)?.1)
        #expect(told.contains(#"'\''"#), "\(first)")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \(told)"]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        shell.waitUntilExit()
        let place = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let next = try library.run("patrons", "duplicates", "--json", "--after", place).json()
        #expect(next["found"]?.arrayValue?.compactMap { $0["patron"]?["username"]?.stringValue } == ["3"], "\(place)")
    }

    @Test("what cannot be done is said, by its exit status too")
    func refused() throws {
        let library = try SmallLibrary()
        #expect(try library.run("patrons", "merge", "nobody", "--into", "p1").status == 1)
        #expect(try library.run("patrons", "merge", "p1", "--into", "p1").status == 1)
        #expect(try library.run("patrons", "merge", "p1").status == 2)
        #expect(try library.run("patrons", "duplicates", "--limit", "0").status == 2)
        #expect(try library.run("patrons", "duplicates", "--after", "nowhere").status == 2)
        let json = try library.run("patrons", "merge", "nobody", "--into", "p1", "--json")
        #expect(try json.failure()["error"]?["code"] == "unknown_patron", "\(json)")
    }
}
