import Foundation
import TestSupport
import Testing

@Suite("Reports as files")
struct ReportOutputTests {
    private static let script =
        "report.title('A <report>') report.table{ rows = { { a = 1, b = 'x' }, { a = 2, b = '</td>' } } }"
    private static let hasPrinter = FileManager.default.isExecutableFile(atPath: "/usr/bin/weasyprint")

    @Test("a page is written whole, and never onto a store")
    func page() throws {
        let library = try SmallLibrary()
        let written = try library.run("eval", "--format", "html", "--output", "report.html", Self.script)
        #expect(written.status == 0 && written.output.isEmpty, "\(written)")
        let page = try String(contentsOfFile: library.folder.path("report.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<h1>A &lt;report&gt;</h1>"))
        #expect(!page.contains("</td></td>"))
        let refused = try library.run("eval", "--format", "html", "--output", "moonshelf.db", Self.script)
        #expect(refused.status == 73 && refused.error.contains("is a store"), "\(refused)")
        #expect(try library.isSound())
    }

    @Test("a page has the library's logo, and leads to its own pages where their address is known; to patrons never")
    func look() throws {
        let library = try SmallLibrary()
        let script =
            #"report.table{ rows = { { a = report.link("title", 1, "x"), b = report.link("patron", 1, "y") } } }"#
        let plain = try library.run("eval", "--format", "html", script)
        #expect(plain.output.contains("<td>x</td>") && !plain.output.contains("<img"), "\(plain)")
        try FileManager.default.createDirectory(
            atPath: library.folder.path("pages"), withIntermediateDirectories: true)
        try library.folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "pages/logo.svg")
        let address = "[server]\nurl = \"https://books.example.org/\"\n"
        try library.folder.write("\(address)[pages]\nfolder = \"pages\"\n", to: "moonshelf.toml")
        let page = try library.run("eval", "--format", "html", script)
        #expect(page.output.contains("<a href=\"https://books.example.org/titles/1\">x</a>"), "\(page)")
        #expect(page.output.contains("<td>y</td>") && page.output.contains("<img src=\"data:image/svg+xml;base64,"))
        #expect(try library.run("eval", "--format", "csv", script).output == "a,b\r\nx,y\r\n")
        // A mistake in how the server's pages look is no reason for no report.
        try library.folder.write("[pages]\nlanguage = \"xx\"\n", to: "moonshelf.toml")
        #expect(try library.run("eval", "--format", "html", script).output.contains("<td>x</td>"))
    }

    @Test("nothing is written over what SQLite keeps beside a store", arguments: ["-wal", "-shm", "-journal"])
    func besideStore(ending: String) throws {
        let library = try SmallLibrary()
        let name = "moonshelf.db\(ending)"
        for arguments in [
            ["eval", "--format", "html", "--output", name, Self.script], ["export", "--format", "json", name],
        ] {
            let refused = try library.command.run(arguments)
            #expect(refused.status == 73 && refused.error.contains("belongs to a store"), "\(refused)")
        }
        #expect(try library.isSound())
    }

    @Test("a form that there is not is refused with the list of those there are")
    func unknown() throws {
        let library = try SmallLibrary()
        let result = try library.run("eval", "--format", "xls", Self.script)
        #expect(result.status == 2 && result.output.isEmpty)
        for name in ["'xls'", "table", "json", "csv", "md", "html", "pdf"] {
            #expect(result.error.contains(name), "\(result)")
        }
    }

    @Test(
        "a PDF is made of the page", .enabled(if: hasPrinter, "WeasyPrint is not installed (Debian's weasyprint)"))
    func pdf() throws {
        let library = try SmallLibrary()
        let written = try library.run("eval", "--format", "pdf", "--output", "report.pdf", Self.script)
        #expect(written.status == 0 && written.output.isEmpty, "\(written)")
        let data = try Data(contentsOf: URL(filePath: library.folder.path("report.pdf")))
        #expect(data.starts(with: Data("%PDF-".utf8)) && data.count > 2000)
        let refused = try library.run("eval", "--format", "pdf", "--output", "moonshelf.db", Self.script)
        #expect(refused.status == 73, "\(refused)")
        let piped = try library.run("eval", "--format", "pdf", Self.script)
        #expect(piped.status == 0 && piped.output.hasPrefix("%PDF-"))
    }

    @Test("without the program for it a PDF is refused before anything is run, with the package to install")
    func missing() throws {
        let library = try SmallLibrary()
        var command = library.command
        command.environment["PATH"] = library.folder.path("")
        let result = try command.run([
            "eval", "--allow", "patrons.write", "--format", "pdf", "--output", "report.pdf",
            "patrons.add{ username = 'late', name = 'L', surname = 'Ate' }",
        ])
        #expect(result.status == 69 && result.error.contains("apt-get install weasyprint"), "\(result)")
        #expect(try library.eval("return patrons.get('late') == nil") == "true")
        #expect(!FileManager.default.fileExists(atPath: library.folder.path("report.pdf")))
    }

    @Test("whatever ends the command ends what makes its PDF", arguments: [SIGINT, SIGTERM, SIGKILL])
    func ended(signal: Int32) throws {
        let library = try SmallLibrary()
        try library.folder.write("#!/bin/sh\necho $$ > \"${0%/*}/began\"\nexec sleep 600\n", to: "weasyprint")
        let program = library.folder.path("weasyprint")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        var command = library.command
        command.environment["PATH"] = library.folder.path("")
        let running = try command.start(["eval", "--format", "pdf", "--output", "report.pdf", Self.script])
        var child: pid_t?
        try Waiting.until("the printer has begun") {
            let text = try? String(contentsOfFile: library.folder.path("began"), encoding: .utf8)
            child = text.flatMap { $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil }
            return child != nil
        }
        kill(running.process.processIdentifier, signal)
        #expect(running.wait().signal == signal)
        // It gets its own signal a moment later.
        let printer = try #require(child)
        try Waiting.until("the printer has ended") { kill(printer, 0) != 0 }
        #expect(!FileManager.default.fileExists(atPath: library.folder.path("report.pdf")))
    }

    @Test("a PDF that cannot be made is a clear failure, and leaves the file that was there")
    func failing() throws {
        let library = try SmallLibrary()
        try library.folder.write("#!/bin/sh\necho 'no \u{1B}[31mfonts' >&2\nexit 3\n", to: "weasyprint")
        let program = library.folder.path("weasyprint")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try library.folder.write("old", to: "report.pdf")
        var command = library.command
        command.environment["PATH"] = String(library.folder.path("").dropLast(0))
        let result = try command.run("eval", "--format", "pdf", "--output", "report.pdf", Self.script)
        #expect(
            result.status == 69 && result.error.contains("WeasyPrint failed with status 3: no [31mfonts"), "\(result)")
        #expect(try String(contentsOfFile: library.folder.path("report.pdf"), encoding: .utf8) == "old")
    }
}
