import Foundation
import Testing

/// A client of BitBooks: it writes given packets as they are, and reads what comes.
///
/// What it reads it waits for, for a minute at the most.
final class LineClient: Sendable {
    private let socket: Int32

    struct Broken: Error { let what: String }

    /// - Parameters:
    ///   - buffer: how much the system keeps for it each way; nil: as much as it likes.
    ///   - home: the last byte of the address of this machine that it comes from; nil: the system's choice.
    init(port: Int, buffer: Int32? = nil, from home: UInt32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Broken(what: "socket") }
        // No measure of speed: the server shares the threads of tasks with all other tests, which may keep it waiting.
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = buffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let socket = socket
        if let home {
            let bound = Self.with(home, 0) { bind(socket, $0, $1) }
            guard bound == 0 else { throw Broken(what: "bind: \(String(cString: strerror(errno)))") }
        }
        let result = Self.with(1, UInt16(port)) { connect(socket, $0, $1) }
        guard result == 0 else { throw Broken(what: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(socket) }

    private static func with<Result>(
        _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (UInt32(0x7F00_0000) + host).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Whether something has come to be read, or the other side has ended, within so many milliseconds.
    func hasNews(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(socket, $0, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Broken(what: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    private func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
        Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    }

    /// Sends for as long as the other side takes it.
    ///
    /// - Returns: how many bytes it took, at most so many.
    func flood(with bytes: [UInt8], upTo most: Int) throws -> Int {
        var sent = 0
        while sent < most {
            let offset = sent % bytes.count
            let count = bytes[offset...].withUnsafeBytes {
                write(socket, $0, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else {
                guard errno == EAGAIN else { throw Broken(what: "flood: \(String(cString: strerror(errno)))") }
                var waiting = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                if poll(&waiting, 1, 500) == 0 { return sent }
            }
        }
        return sent
    }

    /// Says that nothing more will come.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Goes away without waiting for an answer.
    func breakOff() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Reads once, as clients of BitBooks do.
    func readOnce(_ most: Int = 4_096) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = recv(socket, &bytes, most, 0)
        guard count >= 0 else { throw Broken(what: "read: \(String(cString: strerror(errno)))") }
        return Array(bytes[..<count])
    }

    /// Reads so many bytes; fewer only if the other side ends before.
    func read(_ count: Int) throws -> String {
        var all: [UInt8] = []
        while all.count < count {
            let more = try readOnce(count - all.count)
            if more.isEmpty { break }
            all += more
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Reads what comes until the other side ends.
    func readAll() throws -> String {
        var all: [UInt8] = []
        while true {
            let more = try readOnce(1 << 16)
            if more.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += more
        }
    }

    /// Reads what comes until the other side ends or breaks the connection off, as it does to a client that goes on
    /// sending after the end.
    func readToTheEnd() -> String {
        var all: [UInt8] = []
        while let more = try? readOnce(1 << 16), !more.isEmpty { all += more }
        return String(decoding: all, as: UTF8.self)
    }

    /// Sends commands that end with a line feed and expects each one's answer before the next is sent.
    func expect(_ exchange: [(String, String)], _ place: SourceLocation = #_sourceLocation) throws {
        for (command, answer) in exchange {
            try send(command + "\n")
            let got = try read(answer.utf8.count)
            #expect(got == answer, "\(command)", sourceLocation: place)
        }
    }
}
