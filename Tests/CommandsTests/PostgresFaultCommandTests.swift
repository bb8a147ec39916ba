import Foundation
import TestSupport
import Testing
import TextFormats

@Suite(
    "Databases that cannot be used", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresFaultCommandTests {
    @Test(
        "a database that is not there is said so, with 69, by every command", arguments: ["doctor", "init", "export -"])
    func missing(line: String) throws {
        let folder = try TemporaryFolder()
        let url = try PostgresServer.shared.url("there_is_no_such_database")
        let result = try folder.command.run(["--store", url] + line.split(separator: " ").map(String.init))
        #expect(result.status == 69, "\(result)")
        #expect(result.error.contains("there_is_no_such_database"), "\(result)")
    }

    @Test("a store of a newer program says its version, and nothing of it is changed")
    func newer() throws {
        let library = try SmallLibrary(.postgres)
        let name = try #require(library.address?.split(separator: "/").last?.split(separator: "?").first).description
        try PostgresServer.shared.execute("UPDATE moonshelf_schema SET version = 99", in: name)
        for arguments in [["doctor"], ["init"], ["backup", "b.db"], ["copy", library.address ?? "", "sqlite:c.db"]] {
            let result = try library.command.run(arguments)
            #expect(result.status == 65, "\(result)")
            #expect(result.error.contains("99") && result.error.contains("newer"), "\(result)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.path(""))
        #expect(!names.contains { $0.hasSuffix("b.db") || $0.hasSuffix("c.db") || $0.contains(".part") })
    }

    @Test("a role that may only read backs up, and ends with 73 when it writes")
    func readOnly() throws {
        let library = try SmallLibrary(.postgres)
        let server = try PostgresServer.shared
        let name = try #require(library.address?.split(separator: "/").last?.split(separator: "?").first).description
        let role = "reader_\(name)"
        try server.execute(
            """
            CREATE ROLE \(role) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role);
            GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO \(role)
            """, in: name)
        let url = server.url(name, user: role)
        let made = try library.run("--store", url, "backup", "b.db")
        #expect(made.status == 0, "\(made)")
        let lend = "return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"
        let refused = try library.run("--store", url, "eval", "--format", "json", "--allow", "loans.write", lend)
        #expect(refused.status == 73, "\(refused)")
        #expect(try library.run("--store", "sqlite:b.db", "doctor").status == 0)
    }
}
