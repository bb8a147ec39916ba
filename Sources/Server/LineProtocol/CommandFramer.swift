/// Finds commands in what a client of BitBooks sends.
///
/// Its server took whatever one read gave for a command. Here a line feed ends one, or silence, for clients that send no
/// line feed; when there was silence its caller knows. What packets the bytes come in does not matter.
struct CommandFramer {
    enum Piece: Equatable {
        /// The bytes of a command, without what ended it.
        case command([UInt8])
        case tooLong
    }

    private let longest: Int
    private var bytes: [UInt8] = []
    /// Where what was not taken yet begins, and how far there is no line feed.
    private var start = 0
    private var searched = 0
    /// A command was ended by silence: a line feed that comes late ends no other one.
    private var awaitsLineFeed = false

    /// - Parameter longest: the most bytes of a command.
    init(longest: Int) {
        self.longest = longest
    }

    /// How many bytes wait.
    var count: Int { bytes.count - start }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next command that is ended by a line feed; nil: what is there is none yet.
    mutating func next() -> Piece? {
        while let piece = nextLine() {
            if awaitsLineFeed {
                awaitsLineFeed = false
                if piece == .command([]) || piece == .command([0x0D]) { continue }
            }
            return piece
        }
        return nil
    }

    private mutating func nextLine() -> Piece? {
        guard let end = bytes[max(start, searched)...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            guard count > longest else { return nil }
            drop()
            return .tooLong
        }
        defer {
            start = end + 1
            searched = start
            if start == bytes.count { drop() }
        }
        guard end - start <= longest else { return .tooLong }
        return .command(Array(bytes[start..<end]))
    }

    /// What is there is all that comes for now: the command that it is; nil if it is nothing but blanks and NUL.
    mutating func silence() -> Piece? {
        defer { drop() }
        let rest = bytes[start...]
        guard rest.contains(where: { $0 != 0 && !LineCommand.isBlank($0) }) else { return nil }
        awaitsLineFeed = true
        return .command(Array(rest))
    }

    private mutating func drop() {
        bytes.removeAll(keepingCapacity: bytes.count <= longest)
        start = 0
        searched = 0
    }
}
