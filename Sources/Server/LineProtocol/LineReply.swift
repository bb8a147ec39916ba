/// What a client is answered: bytes without a terminator, as BitBooks sends them.
struct LineReply: Sendable {
    var bytes: [UInt8]
    /// What follows once these bytes are out; it works on the desk.
    var rest: (@Sendable () throws -> LineReply)?
    /// The connection ends with it.
    var closes = false

    init(_ text: String, closes: Bool = false) {
        bytes = Array(text.utf8)
        self.closes = closes
    }

    init(bytes: [UInt8], rest: (@Sendable () throws -> LineReply)? = nil) {
        self.bytes = bytes
        self.rest = rest
    }
}

/// The words of BitBooks' server, and ours where it had none.
enum LineWords {
    static let added = "User added successfully"
    static let taken = "Username already exists"
    static let loggedIn = "Successfully logged"
    static let notLoggedIn = "Failed login"
    static let lent = "Loan confirmed"
    static let unreadable = "Failed to read JSON file"
    static let unknown = "Unknown command"

    static func tooMany(_ limit: Int64) -> String { "Request less than \(limit) books" }

    static func noneLeft(_ limit: Int64) -> String { "You have already made \(limit) loans" }

    static func someLeft(_ open: Int64, of limit: Int64) -> String {
        "You have already made \(open) loans, you can only apply for \(limit - open) more"
    }

    static func noCopies(_ title: String?) -> String {
        "No more copies available for the book: \(title ?? "Unknown book")"
    }

    // Ours. A client compares with the words of success and shows whatever else comes, or that it failed.
    static let fourFields = "ADD_USER takes four words: name surname username password"
    static let noSignUp = "Users are added at the library's desk"
    static let busy = "The library is busy; try again later"
    static let slower = "Too many attempts; try again later"
}
