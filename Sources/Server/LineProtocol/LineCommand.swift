/// A command of BitBooks: words between blanks, as C's `scanf` reads them.
struct LineCommand: Equatable {
    enum Verb: String, CaseIterable {
        case addUser = "ADD_USER"
        case logIn = "LOGIN"
        case lend = "LOAN"
        case books = "GET_BOOKS"
        case book = "GET_BOOK"
        case loans = "GET_LOANS"
        case notifications = "CHECK_NOTIFICATIONS"

        /// Whether a patron changes something by it: notifications count as read once they were shown.
        var changes: Bool { self == .lend || self == .notifications }
    }

    let verb: Verb
    let arguments: [String]

    /// - Parameter bytes: a command; as in C a NUL ends it, but for those before it, which some clients send behind the
    ///   command before.
    /// - Returns: nil for an unknown verb, and for what is not UTF-8.
    init?(_ bytes: [UInt8]) {
        let text = bytes.drop { $0 == 0 }.prefix { $0 != 0 }
        var words: [String] = []
        for word in text.split(whereSeparator: Self.isBlank) {
            guard let word = String(validating: word, as: UTF8.self) else { return nil }
            words.append(word)
        }
        guard let verb = words.first.flatMap(Verb.init(rawValue:)) else { return nil }
        self.verb = verb
        arguments = Array(words.dropFirst())
    }

    /// What C's `isspace` says of a byte.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
