package import Foundation
import TextFormats

/// Makes a PDF of a page by WeasyPrint (Debian's package `weasyprint`), which need not be there.
///
/// It runs as a process of its own, with arguments as a list, an environment of its own and a limit of time, and ends
/// with this one; page and PDF go through files without a name, so that an interruption leaves nothing behind. A page
/// of ours names nothing that would be loaded; a proxy that is not there keeps the process from the network all the
/// same.
package struct PDFPrinter: Sendable {
    /// Debian's package that has the program.
    package static let package = "weasyprint"

    private let program: String
    private let seconds: Int

    /// The program on the path, nil where it is not installed.
    ///
    /// - Parameters:
    ///   - path: the folders to look in, as `PATH` lists them.
    ///   - seconds: how long a page may take.
    package init?(path: String, seconds: Int = 300) {
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        let found = folders.map { "\($0)/weasyprint" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        program = found
        self.seconds = seconds
    }

    /// The bytes of the PDF.
    ///
    /// - Throws: ``PDFPrinterError``; what the file system throws.
    package func pdf(of page: String) throws -> Data {
        let (source, target, messages) = (try NamelessFile(), try NamelessFile(), try NamelessFile())
        try source.handle.write(contentsOf: Data(page.utf8))
        try source.handle.seek(toOffset: 0)
        let status = try run(source, target, messages)
        let pdf = try target.contents()
        guard status == 0, pdf.starts(with: Data("%PDF-".utf8)) else {
            // 124 is how timeout says that it ended the program.
            if status == 124 || status == 137 { throw PDFPrinterError.timeLimit(seconds) }
            let last = String(decoding: try messages.contents(), as: UTF8.self).split(separator: "\n").last
            throw PDFPrinterError.failed(status, last.map { SafeText.line(String($0.prefix(300))) })
        }
        return pdf
    }

    private func run(_ source: NamelessFile, _ target: NamelessFile, _ messages: NamelessFile) throws -> Int32 {
        let process = Process()
        // It ends with us, however that is, and in time if we do not. Each process ends with its own parent: timeout does not
        // pass on a signal that arrives just after it started its child.
        let setpriv = "/usr/bin/setpriv"
        process.executableURL = URL(filePath: setpriv)
        process.arguments = [
            "--pdeathsig", "TERM", "/usr/bin/timeout", "--kill-after=5", "\(seconds)", setpriv, "--pdeathsig", "KILL",
            program, "--quiet", "--encoding", "utf-8", "--base-url", "about:blank", "-", "-",
        ]
        process.currentDirectoryURL = URL(filePath: "/")
        let nowhere = "http://127.0.0.1:9"
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
            "http_proxy": nowhere, "https_proxy": nowhere, "ftp_proxy": nowhere, "all_proxy": nowhere,
        ]
        process.standardInput = source.handle
        process.standardOutput = target.handle
        process.standardError = messages.handle
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// A temporary file without a name: no other process can open it, and it disappears however this one ends.
private struct NamelessFile {
    let handle: FileHandle

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/moonshelf-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        _ = template.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// All that was written.
    func contents() throws -> Data {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd() ?? Data()
    }
}

/// Why no PDF was made.
package enum PDFPrinterError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing
    case timeLimit(Int)
    /// The program's exit status, and the last line that it said.
    case failed(Int32, String?)

    package var description: String {
        switch self {
        case .missing:
            "A PDF is made by WeasyPrint, which is not installed here: install the package '\(PDFPrinter.package)' "
                + "('apt-get install \(PDFPrinter.package)'), or take '--format html' and print that."
        case .timeLimit(let seconds): "WeasyPrint did not make the PDF within \(seconds) seconds."
        case .failed(let status, let message):
            "WeasyPrint failed with status \(status)\(message.map { ": \($0)" } ?? "")."
        }
    }
}
