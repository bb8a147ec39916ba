import Foundation
import Glibc
import TextFormats

/// A server on this machine that plugins speak to: it hears which event is in whose hands, and takes messages. Some of them it
/// takes without an answer.
///
/// `@unchecked Sendable`: what changes is behind the lock.
final class Receiver: @unchecked Sendable {
    /// One message in so many is not answered.
    private static let silence = 300

    private let listener: Int32
    private let port: Int
    private let lock = NSLock()
    /// The keys under which an event came, by its sequence.
    private var keys: [Int64: Set<String>] = [:]
    private var posts = 0
    private var again = 0
    /// The connection on which a plugin's hand is heard of, while it is answered.
    private var hands: [String: Int32] = [:]
    private var problems: [Finding] = []

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw TortureFailure("no port of this machine can be listened at") }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread {
                    self?.answer(connection)
                    close(connection)
                }.start()
            }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)/" }

    /// How many messages came, and how many of them came once more.
    var figures: (posts: Int, again: Int) { lock.withLock { (posts, again) } }

    /// What must not be: events that never came, or under two keys, or under the key of another; an event in two hands.
    func findings(_ wanted: [Int64]) -> [Finding] {
        lock.withLock {
            var findings = problems
            for event in wanted where keys[event] == nil {
                findings.append(Finding("message lost", "the message about event \(event) never came"))
            }
            for (event, keys) in keys.sorted(by: { $0.key < $1.key }) where keys.count > 1 {
                findings.append(Finding("message under two keys", "event \(event) came under \(keys.sorted())"))
            }
            let all = keys.values.flatMap { $0 }
            if Set(all).count != all.count {
                findings.append(Finding("message under another's key", "two events came under one key"))
            }
            let unknown = Set(keys.keys).subtracting(wanted)
            return findings + unknown.sorted().map { Finding("nobody asked", "a message came about event \($0)") }
        }
    }

    private func answer(_ connection: Int32) {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(connection, &room, room.count)
            guard count > 0 else { return }
            bytes += room[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let head = text[..<end.lowerBound].split(separator: "\r\n")
            let body = text[end.upperBound...]
            guard let first = head.first,
                body.utf8.count >= Self.field("content-length", head).flatMap({ Int($0) }) ?? 0
            else { continue }
            let words = first.split(separator: " ")
            let path = words.count > 1 ? words[1].split(separator: "/") : []
            if path.count == 3, path[0] == "hand" {
                hear(String(path[1]), connection)
            } else if !take(body, Self.field("webhook-id", head)) {
                return
            }
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            return
        }
    }

    private static func field(_ name: String, _ head: [Substring]) -> String? {
        head.first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// - Returns: whether it is answered.
    private func take(_ body: Substring, _ key: String?) -> Bool {
        guard let event = (try? JSONParser.parse(Array(body.utf8)))?["event"]?.integerValue, let key else {
            lock.withLock { problems.append(Finding("message", "one came that no plugin sent: \(body.prefix(200))")) }
            return true
        }
        return lock.withLock {
            posts += 1
            if !keys[event, default: []].insert(key).inserted { again += 1 }
            return posts % Self.silence != 0
        }
    }

    /// A plugin has an event in hand. Where another hand is heard of before this one has its answer, this one is of a process
    /// that was killed, and its connection ends; threads of such a process end one after the other.
    private func hear(_ plugin: String, _ connection: Int32) {
        lock.withLock { hands[plugin] = connection }
        usleep(1_000)
        let isAlone = lock.withLock {
            guard hands[plugin] == connection else { return false }
            hands[plugin] = nil
            return true
        }
        if isAlone { return }
        for _ in 0..<400 where !Self.isOver(connection) { usleep(5_000) }
        guard !Self.isOver(connection) else { return }
        lock.withLock {
            problems.append(Finding("in two hands", "an event of \(plugin) was in two hands at once"))
        }
    }

    private static func isOver(_ connection: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }
}
