import Glibc

/// A connection to a port of the loopback interface, read by lines and by bytes.
final class StreamSocket {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var place = 0
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter patience: seconds that an answer may take.
    init(port: Int, patience: Int = 60) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw BenchFailure("nobody listens at port \(port)")
        }
        var (isOn, limit) = (Int32(1), timeval(tv_sec: patience, tv_usec: 0))
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { throw BenchFailure("a connection ended") }
                sent += count
            }
        }
    }

    /// A line without its end, which is a carriage return and a line feed.
    func line() throws -> String {
        var end = place
        while true {
            if let found = buffer[end...].firstIndex(of: 10) {
                defer { place = found + 1 }
                return String(decoding: buffer[place..<max(place, found - 1)], as: UTF8.self)
            }
            end = buffer.count - place
            try fill()
        }
    }

    func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count - place < count { try fill() }
        defer { place += count }
        return Array(buffer[place..<place + count])
    }

    private func fill() throws {
        buffer.removeFirst(place)
        place = 0
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { throw BenchFailure("a connection ended, or was silent for too long") }
        buffer += piece[..<count]
    }
}
