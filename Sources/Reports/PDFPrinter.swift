package import Foundation

/// Makes a PDF of a page by WeasyPrint (Debian's package `weasyprint`), which need not be there.
///
/// It runs as a process of its own, with arguments as a list, an environment of its own and a limit of time. A page of ours names
/// nothing that would be loaded; a proxy that is not there keeps the process from the network all the same.
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
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "page.html")
        let target = folder.appending(path: "page.pdf")
        let messages = folder.appending(path: "messages")
        try Data(page.utf8).write(to: source)
        try Data().write(to: messages)
        let status = try run(source, target, in: folder, messages: FileHandle(forWritingTo: messages))
        guard status == 0, let pdf = try? Data(contentsOf: target), pdf.starts(with: Data("%PDF-".utf8)) else {
            // 124 is how timeout says that it ended the program.
            if status == 124 || status == 137 { throw PDFPrinterError.timeLimit(seconds) }
            let last = (try? String(contentsOf: messages, encoding: .utf8))?.split(separator: "\n").last
            throw PDFPrinterError.failed(status, last.map { SafeText.line(String($0.prefix(300))) })
        }
        return pdf
    }

    private func run(_ source: URL, _ target: URL, in folder: URL, messages: FileHandle) throws -> Int32 {
        let process = Process()
        // Ends the program in time even if nobody is left to wait for it.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments =
            ["--kill-after=5", "\(seconds)", program, "--quiet", "--encoding", "utf-8"]
            + [source, target].map { $0.path(percentEncoded: false) }
        process.currentDirectoryURL = folder
        let nowhere = "http://127.0.0.1:9"
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path(percentEncoded: false), "LC_ALL": "C.UTF-8",
            "http_proxy": nowhere, "https_proxy": nowhere, "ftp_proxy": nowhere, "all_proxy": nowhere,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// Why there is no PDF.
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
