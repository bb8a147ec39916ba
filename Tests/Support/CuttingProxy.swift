import Foundation
import Glibc
import Synchronization

/// Stands between libpq and a server's socket, and loses connections: when a commit passes, or somewhere.
///
/// `@unchecked Sendable`: what changes is atomic or set before the first thread starts.
package final class CuttingProxy: @unchecked Sendable {
    package enum Cut: Int, CaseIterable, Sendable {
        /// The server is never told to commit.
        case before
        /// The server commits, and its answer is lost.
        case after
    }

    package let folder: String
    private let server: String
    private let listener: Int32
    /// What to do with the next commit: a ``Cut``, or -1 to let it pass.
    private let next = Atomic<Int>(-1)
    /// How many more messages of clients may pass before one takes its connection with it; negative: all of them.
    private let messagesLeft = Atomic<Int>(-1)
    private let count = Atomic<Int>(0)

    /// - Parameter server: the folder of the server's socket.
    package init(to server: String) throws {
        self.server = server + "/.s.PGSQL.5432"
        var template = Array("/tmp/moonshelf-cut-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.call(bind, listener, folder + "/.s.PGSQL.5432") == 0, listen(listener, 16) == 0 else {
            throw POSIXError(.EIO)
        }
        let listener = listener
        let thread = Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    Glibc.close(client)
                    return
                }
                self.serve(client)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// How many messages of clients have come.
    package var messages: Int { count.load(ordering: .sequentiallyConsistent) }

    package func cutNextCommit(_ cut: Cut) {
        next.store(cut.rawValue, ordering: .sequentiallyConsistent)
    }

    /// Loses the connection that sends the message after so many others, before or after the server has it.
    package func cutOne(after messages: Int) {
        messagesLeft.store(max(0, messages), ordering: .sequentiallyConsistent)
    }

    /// What to do with a message of a client, nil to let it pass.
    private func cut(for message: Data) -> Cut? {
        count.add(1, ordering: .sequentiallyConsistent)
        let left = messagesLeft.subtract(1, ordering: .sequentiallyConsistent).oldValue
        if left == 0 { return Bool.random() ? .before : .after }
        if left < 0 { messagesLeft.store(-1, ordering: .sequentiallyConsistent) }
        // As a statement of its own, in a message of the extended protocol: that is how a writer commits.
        guard message.contains("\0COMMIT\0") else { return nil }
        return Cut(rawValue: next.exchange(-1, ordering: .sequentiallyConsistent))
    }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.call(connect, upstream, server) == 0 else {
            Glibc.close(client)
            return
        }
        let isCut = AnswerGate()
        Thread { [self] in
            Self.copy(from: client, to: upstream) { bytes in
                guard let cut = cut(for: bytes) else { return true }
                isCut.close()
                return cut == .after
            }
            if isCut.isClosed {
                // The answer never comes: the client sees its connection end, the server has all the time it wants.
                shutdown(client, Int32(SHUT_RDWR))
            }
            shutdown(upstream, Int32(SHUT_WR))
        }.start()
        Thread {
            Self.copy(from: upstream, to: client) { _ in
                if !isCut.isClosed { return true }
                shutdown(client, Int32(SHUT_RDWR))
                return false
            }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(upstream, Int32(SHUT_RDWR))
        }.start()
    }

    private final class AnswerGate: Sendable {
        private let state = Atomic<Bool>(false)
        var isClosed: Bool { state.load(ordering: .sequentiallyConsistent) }
        func close() { state.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Passes bytes on until one end closes or `mayPass` says no.
    private static func copy(from source: Int32, to target: Int32, _ mayPass: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0, mayPass(Data(buffer[..<count])) else { return }
            var sent = 0
            while sent < count {
                let part = buffer[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard part > 0 else { return }
                sent += part
            }
        }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32, _ path: String
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension Data {
    fileprivate func contains(_ word: String) -> Bool { firstRange(of: Data(word.utf8)) != nil }
}
