import Foundation
import Glibc
import TestSupport

/// A Redis of the measurement's own: at a free port of the loopback interface, with its files in a temporary folder, gone with the
/// process that started it, however that ends.
final class RedisServer {
    static let program = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
        .first(where: FileManager.default.isExecutableFile(atPath:))
    static let reason = "not installed (Debian's redis-server)"

    let connection: RedisConnection
    private let shell: Process
    private let lifeline: Pipe

    init() throws {
        guard let program = Self.program else { throw BenchFailure("Redis is \(Self.reason)") }
        let port = try PostgresServer.freePort()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("redis-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (shell, lifeline) = (Process(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        // The shell ends the server, and clears up, when the pipe to it is closed. Threads that start processes may have
        // other signals blocked for them.
        shell.arguments = [
            "-c",
            """
            trap '' INT TERM HUP
            "$@" >"$FOLDER/log" 2>&1 <&- &
            server=$!
            cat >/dev/null
            kill -KILL $server
            wait $server
            rm -rf "$FOLDER"
            """, "server", program, "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder, "--daemonize", "no",
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0",
        ]
        shell.environment = ["PATH": "/usr/bin:/bin", "FOLDER": folder]
        shell.standardInput = lifeline
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        try? lifeline.fileHandleForReading.close()
        var opened: RedisConnection?
        for _ in 0..<400 where opened == nil {
            usleep(25_000)
            opened = try? RedisConnection(port: port)
        }
        guard let opened else {
            try? lifeline.fileHandleForWriting.close()
            throw BenchFailure("Redis does not answer at port \(port)")
        }
        connection = opened
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    /// The server's own process.
    func process() throws -> Int32 {
        let text = try connection.text(["INFO", "server"])
        guard let match = text.firstMatch(of: #/process_id:(\d+)/#), let process = Int32(match.1) else {
            throw BenchFailure("Redis tells no process: \(text)")
        }
        return process
    }
}

/// A client of Redis, in its protocol (RESP).
final class RedisConnection {
    private let socket: StreamSocket

    init(port: Int) throws {
        socket = try StreamSocket(port: port)
        try command(["PING"])
    }

    /// The numbers of an answer, in order.
    @discardableResult
    func command(_ words: [String]) throws -> [Int64] {
        try send(words)
        return try numbers()
    }

    /// An answer that is one text.
    func text(_ words: [String]) throws -> String {
        try send(words)
        let line = try socket.line()
        guard line.hasPrefix("$"), let count = Int(line.dropFirst()) else {
            throw BenchFailure("Redis answered \(line)")
        }
        let text = try socket.bytes(count)
        _ = try socket.bytes(2)
        return String(decoding: text, as: UTF8.self)
    }

    private func send(_ words: [String]) throws {
        var request = "*\(words.count)\r\n"
        for word in words { request += "$\(word.utf8.count)\r\n\(word)\r\n" }
        try socket.send(request)
    }

    private func numbers() throws -> [Int64] {
        let line = try socket.line()
        let rest = line.dropFirst()
        switch line.first {
        case ":": return [Int64(rest) ?? 0]
        case "+": return []
        case "*": return try (0..<(Int(rest) ?? 0)).flatMap { _ in try numbers() }
        case "$":
            if let count = Int(rest), count >= 0 { _ = try socket.bytes(count + 2) }
            return []
        default: throw BenchFailure("Redis answered \(line)")
        }
    }
}
