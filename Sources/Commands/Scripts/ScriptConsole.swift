import Circulation
import Foundation
import Reports
import Scripting
import TextFormats

/// A script's lines on the console: as they come where a person reads the answer, kept for the report otherwise.
final class ScriptConsole: ScriptOutput {
    private let console: Console
    let showsLines: Bool

    /// - Parameter showsLines: the answer is a table on standard output; in every other form nothing but the answer may
    ///   stand there.
    init(_ console: Console, showsLines: Bool) {
        self.console = console
        self.showsLines = showsLines
    }

    func print(_ line: String) {
        if showsLines { console.print(SafeText.lines(line)) }
    }

    func log(_ level: ScriptLogLevel, _ line: String) {
        console.note("\(level.rawValue): \(line)")
    }

    func progress(_ done: Int64, of total: Int64?) {
        console.progress(total.map { "\(done) of \($0)" } ?? "\(done)")
    }
}

/// Where the answer of a script goes, and in which form.
struct ScriptDocument {
    let console: Console
    let format: ReportOutput
    let path: String?
    /// Mails it; nil if it is not mailed.
    private let mailing: ReportMailing?
    private let printer: PDFPrinter?
    private let look: ReportLook

    /// - Parameters:
    ///   - environment: of the process; its `PATH` says where the program for PDFs may be.
    ///   - look: how its pages look and what it speaks.
    ///   - mailing: who gets it by mail.
    /// - Throws: ``CommandFailure``, before anything was run, if the answer could not be written in that form or there.
    init(
        console: Console, settings: AnswerSettings, environment: [String: String], look: ReportLook,
        mailing: ReportMailing?
    ) throws {
        self.console = console
        self.look = look
        self.mailing = mailing
        format = settings.format
        path = settings.output
        printer = format == .pdf ? PDFPrinter(path: environment["PATH"] ?? "/usr/bin:/bin") : nil
        guard format == .pdf else { return }
        if printer == nil { throw CommandFailure(PDFPrinterError.missing) }
        if path == nil && mailing == nil && console.output.isTerminal {
            throw CommandFailure.usage("A PDF cannot be shown here; --output FILE writes it into a file.")
        }
    }

    /// Writes a report, or mails it; a file appears whole or not at all. What cannot be mailed is written.
    func write(_ document: ReportDocument) throws {
        guard let path else {
            guard let mailing else { return try show(document) }
            do {
                return try mailing.send(try bytes(of: document, RenderOptions()), document, format, nil, console)
            } catch {
                if format != .pdf || !console.output.isTerminal { try show(document) }
                throw error
            }
        }
        let data = try bytes(of: document, RenderOptions())
        try WholeFile.write(to: path) { try $0.write(contentsOf: data) }
        try mailing?.send(data, document, format, path, console)
    }

    /// Writes a value as JSON.
    func write(_ json: JSON) throws {
        let isSeen = path == nil && console.output.isTerminal
        let text = SafeText.escapedJSON(json.text(pretty: path != nil || isSeen)) + "\n"
        guard let path else { return console.write(text) }
        try WholeFile.write(text, to: path)
    }

    private func show(_ document: ReportDocument) throws {
        let options = RenderOptions(
            usesColour: console.output.usesColour, width: console.output.isTerminal ? console.output.width : nil)
        console.write(bytes: try bytes(of: document, options))
    }
}

extension ScriptDocument {
    private func bytes(of document: ReportDocument, _ options: RenderOptions) throws -> Data {
        do {
            let options = format == .html || format == .pdf ? look.forPages(options) : options
            return try document.spoken(in: look.languages) {
                try format.bytes(of: document, options: options, printer: printer)
            }
        } catch let error as PDFPrinterError {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// A program that is not installed, or does not answer, is a service that cannot be reached (`EX_UNAVAILABLE`).
    init(_ error: PDFPrinterError) {
        self.init(.unreachable, code: error == .missing ? "no_weasyprint" : "pdf_failed", message: error.description)
    }
}

/// Writes files beside their place and renames them.
enum WholeFile {
    /// - Parameter isPublic: whether others on this machine may read a new file, as far as the mask lets them.
    static func write(_ text: String, to path: String, isPublic: Bool = false) throws {
        try write(to: path, isPublic: isPublic) { try $0.write(contentsOf: Data(text.utf8)) }
    }

    /// Writes a page that goes with an answer, and says where it is.
    static func write(page: String, to path: String, _ console: Console) throws {
        try write(page, to: path)
        console.note("The page is in \(SafeText.line(path)).")
    }

    /// Exports, reports and pages may name people: a new file is for its owner alone (0600) unless it is said to be
    /// public. A file that is replaced keeps its mode, but for the rights of all others on this machine.
    ///
    /// - Parameter body: writes what the file is to hold; if it throws, nothing is left behind.
    static func write(to path: String, isPublic: Bool = false, _ body: (FileHandle) throws -> Void) throws {
        let target = URL(filePath: path)
        try checkReplaceable(path)
        guard !isStore(path) else {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write", message: "\(path) is a store; choose another file.")
        }
        guard !isBesideStore(path) else {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write", message: "\(path) belongs to a store; choose another file.")
        }
        let part = target.deletingLastPathComponent().appending(path: ".\(target.lastPathComponent).\(getpid()).part")
        let place = part.path(percentEncoded: false)
        func fail(_ why: String) -> CommandFailure {
            CommandFailure(.cannotWrite, code: "cannot_write", message: "\(path) cannot be written: \(why)")
        }
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fail(String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try body(handle)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(place)
            if let failure = error as? CommandFailure { throw failure }
            throw (error as NSError).domain == NSCocoaErrorDomain ? fail(error.localizedDescription) : error
        }
        var present = stat()
        if stat(path, &present) == 0 {
            chmod(place, present.st_mode & (isPublic ? 0o777 : 0o770))
        } else if isPublic {
            let mask = umask(0)
            umask(mask)
            chmod(place, 0o666 & ~mask)
        }
        guard rename(place, path) == 0 else {
            let why = String(cString: strerror(errno))
            unlink(place)
            throw fail(why)
        }
    }

    /// A file can be replaced. A folder, a device and a pipe cannot, and what cannot be read may be anything, a store
    /// too.
    private static func checkReplaceable(_ path: String) throws {
        var present = stat()
        guard stat(path, &present) == 0 else { return }
        let why: String
        switch present.st_mode & S_IFMT {
        case S_IFREG:
            guard access(path, R_OK) != 0 else { return }
            why = "there is a file that cannot be read"
        case S_IFDIR: why = "it is a folder"
        default: why = "it is not a file that can be replaced; what is not written into a file goes to standard output"
        }
        throw CommandFailure(.cannotWrite, code: "cannot_write", message: "\(path) cannot be written: \(why).")
    }

    /// Whether it is one of the files in which SQLite keeps what is not in the store's own file yet, under whatever
    /// name.
    private static func isBesideStore(_ path: String) -> Bool {
        for name in [path, URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)] {
            for ending in ["-wal", "-shm", "-journal"]
            where name.hasSuffix(ending) && isStore(String(name.dropLast(ending.count))) {
                return true
            }
        }
        return false
    }

    private static func isStore(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }
}
