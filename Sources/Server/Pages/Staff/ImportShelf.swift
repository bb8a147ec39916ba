import Circulation
import Secrets
import Synchronization

/// Files that administrators had tried on the page of imports, kept in memory for a while: what was tried is imported without being
/// chosen anew, and the rows that were refused are there to be mended.
final class ImportShelf: Sendable {
    struct File: Hashable, Sendable {
        var name: String
        var bytes: [UInt8]
    }

    private struct Kept {
        let token: String
        let owner: Int64
        /// nil once it is imported.
        var file: File?
        var refused: File?
        let end: Instant
    }

    /// So many files are kept, one of each person; then the oldest goes.
    private static let most = 4
    static let minutes: Int64 = 30

    private let kept = Mutex<[Kept]>([])

    /// - Returns: the word by which its owner gets it.
    func keep(_ file: File, of owner: Int64, at now: Instant) -> String {
        let token = SecretToken(kind: "import").digest
        let end = (try? now.adding(minutes: Self.minutes)) ?? now
        kept.withLock { kept in
            kept.removeAll { $0.owner == owner || $0.end <= now }
            if kept.count >= Self.most { kept.removeFirst() }
            kept.append(Kept(token: token, owner: owner, file: file, end: end))
        }
        return token
    }

    /// nil: there is none of that word, or no longer.
    func file(_ token: String, of owner: Int64, at now: Instant) -> File? { find(token, owner, now)?.file }

    /// The rows that the last trial or import of a file refused; nil: there are none, or no longer.
    func refused(_ token: String, of owner: Int64, at now: Instant) -> File? { find(token, owner, now)?.refused }

    private func find(_ token: String, _ owner: Int64, _ now: Instant) -> Kept? {
        kept.withLock { kept in
            kept.removeAll { $0.end <= now }
            return kept.first { $0.token == token && $0.owner == owner }
        }
    }

    /// Puts the refused rows of a file beside it.
    ///
    /// - Parameter isImported: whether the file itself is not needed any more.
    func put(_ refused: File?, beside token: String, of owner: Int64, isImported: Bool) {
        kept.withLock { kept in
            guard let place = kept.firstIndex(where: { $0.token == token && $0.owner == owner }) else { return }
            kept[place].refused = refused
            if isImported { kept[place].file = nil }
        }
    }
}
