import Foundation
import Reports
import Testing

@Suite("The program for PDFs")
struct PDFPrinterTests {
    /// A folder with a program of that name.
    private static func folder(_ script: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-pdf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appending(path: "weasyprint")
        try Data(("#!/bin/sh\n" + script + "\n").utf8).write(to: program)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: program.path(percentEncoded: false))
        return folder.path(percentEncoded: false)
    }

    private static func error(_ script: String, seconds: Int = 300) throws -> PDFPrinterError? {
        let folder = try folder(script)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let printer = try #require(PDFPrinter(path: folder, seconds: seconds))
        do {
            _ = try printer.pdf(of: "<p>x</p>")
            return nil
        } catch let error as PDFPrinterError {
            return error
        }
    }

    @Test("there is none where it is not installed, and none in folders that are relative")
    func none() {
        #expect(PDFPrinter(path: "/nonexistent:.:") == nil)
        #expect(throws: PDFPrinterError.missing) {
            try ReportOutput.pdf.bytes(of: ReportSample.table(["a"]), printer: nil)
        }
    }

    @Test("a program that does not end is ended")
    func endless() throws {
        #expect(try Self.error("exec sleep infinity", seconds: 1) == .timeLimit(1))
    }

    @Test("output that is not a PDF is a failure")
    func nonsense() throws {
        #expect(try Self.error("echo nonsense") == .failed(0, nil))
        #expect(try Self.error("echo first >&2; echo last >&2; exit 9") == .failed(9, "last"))
        #expect(
            try Self.error(
                "test -n \"$http_proxy\" && test -z \"$MOONSHELF_STORE\" && grep -q '<p>x' && printf '%%PDF-1.7'")
                == nil)
    }

    @Test("every form has its media type and the ending of its files")
    func forms() throws {
        for output in ReportOutput.allCases where output != .pdf {
            let data = try output.bytes(of: try ReportSample.document(), printer: nil)
            #expect(String(decoding: data, as: UTF8.self) == output.format?.render(try ReportSample.document()))
        }
        #expect(Set(ReportOutput.allCases.map(\.mediaType)).count == 6)
        #expect(ReportOutput.allCases.map(\.fileExtension) == ["txt", "json", "csv", "md", "html", "pdf"])
    }
}
