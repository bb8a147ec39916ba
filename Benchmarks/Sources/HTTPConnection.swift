/// A client of HTTP at the loopback interface, one request after the other on one connection.
final class HTTPConnection {
    private let socket: StreamSocket
    private let port: Int
    private let token: String?

    init(port: Int, token: String? = nil) throws {
        socket = try StreamSocket(port: port)
        self.port = port
        self.token = token
    }

    /// - Returns: the status and the body of the answer.
    func ask(_ method: String, _ path: String, _ body: String = "") throws -> (status: Int, body: String) {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: \(body.utf8.count)\r\n"
        if !body.isEmpty { head += "Content-Type: application/json\r\n" }
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        try socket.send(head + "\r\n" + body)
        let first = try socket.line()
        guard let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchFailure("a server answered \(first)")
        }
        var (length, isChunked) = (0, false)
        while true {
            let line = try socket.line().lowercased()
            if line.isEmpty { break }
            if line.hasPrefix("content-length:") { length = Int(line.dropFirst(15).filter(\.isNumber)) ?? 0 }
            if line.hasPrefix("transfer-encoding: chunked") { isChunked = true }
        }
        return (status, String(decoding: try isChunked ? chunks() : socket.bytes(length), as: UTF8.self))
    }

    private func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let length = Int(try socket.line(), radix: 16) ?? 0
            body += try socket.bytes(length)
            _ = try socket.bytes(2)
            if length == 0 { return body }
        }
    }
}
