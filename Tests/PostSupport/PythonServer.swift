package import Foundation
import Glibc
package import TextFormats

/// A server of the tests' own in Python, on a free port of the loopback interface; it ends with whoever started it, however
/// that ends, because its standard input is closed then.
///
/// `@unchecked Sendable`: nothing of it changes after `init` but by `stop`, which the process itself makes safe.
package final class PythonServer: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Whether there is Python at all.
    package static let isMissing = !succeeds(["-c", "pass"])
    package static let reason = "python3 is not installed"
    /// Whether there is a mail server to be had.
    package static let hasNoMailServer = isMissing || !succeeds(["-c", "import aiosmtpd.smtp"])
    package static let noMailServerReason = "a mail server for tests is not installed (Debian's python3-aiosmtpd)"

    /// A folder of its own, for certificates and what it got.
    package let folder: URL
    package let port: Int
    private let process: Process
    private let lifeline: Pipe

    /// - Parameters:
    ///   - name: of the script beside this file, without `.py`.
    ///   - options: what the script reads as JSON; `folder` is added.
    package init(_ name: String, _ options: JSONObject = [:], folder given: URL? = nil) throws {
        folder = try given ?? Self.temporaryFolder()
        var options = options
        options["folder"] = .string(folder.path(percentEncoded: false))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(name).py")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path(percentEncoded: false), JSON.object(options).text()]
        (lifeline, process.standardInput) = Self.pipe()
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = Self.firstLine(of: output.fileHandleForReading)
        guard let port = Int(line) else { throw Failure(description: "The server said '\(line)' instead of its port.") }
        self.port = port
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the server, by its own process id.
    package func stop() {
        guard process.isRunning else { return }
        try? lifeline.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// What it got so far, one record for each message or request.
    package func records() throws -> [JSON] {
        guard let data = try? Data(contentsOf: folder.appending(path: "records")) else { return [] }
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONParser.parse(Array($0)) }
    }

    /// Waits until it got so many.
    ///
    /// - Throws: ``Failure`` after two minutes.
    package func wait(forRecords count: Int) throws {
        let end = ContinuousClock.now + .seconds(120)
        while try records().count < count {
            guard ContinuousClock.now < end else { throw Failure(description: "The server got too little.") }
            usleep(20_000)
        }
    }

    /// Makes a certificate for `localhost` and 127.0.0.1 that nobody but itself vouches for.
    ///
    /// - Returns: where it is; the key lies beside it as `key.pem`.
    package static func certificate(in folder: URL) throws -> String {
        let path = folder.appending(path: "certificate.pem").path(percentEncoded: false)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", path, "-keyout",
            folder.appending(path: "key.pem").path(percentEncoded: false),
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw Failure(description: "openssl made no certificate.") }
        return path
    }

    package static func temporaryFolder() throws -> URL {
        var template = Array("/tmp/moonshelf-post-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder") }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        return URL(filePath: path)
    }

    private static func pipe() -> (Pipe, Pipe) {
        let pipe = Pipe()
        // Nobody whom the tests start besides may keep it open.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        return (pipe, pipe)
    }

    private static func firstLine(of handle: FileHandle) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(handle.fileDescriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    private static func succeeds(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
