import Circulation
import Desk
import Interchange
import TextFormats

/// The verbs of BitBooks at the desk. It works where it is called, which takes as long as the desk does.
struct LineCommands: Sendable {
    /// Who logged in on a connection.
    struct Visitor: Sendable {
        let patron: Int64
        let token: Int64
        let digest: String
    }

    let desk: Desk
    let accounts: AccountManager
    let settings: LineProtocolSettings

    /// Titles of one part of a catalogue: up to so many it is of one moment.
    static let titlesOfPart = 200
    /// The most messages of one answer; the next has those that follow.
    static let mostNotifications = 500

    /// - Parameter desk: the desk with its actor; here patrons act for themselves.
    init(desk: Desk, accounts: AccountManager, settings: LineProtocolSettings) {
        self.desk = desk.acting(as: Actor(name: "bitbooks", role: .patron, channel: .web))
        self.accounts = accounts
        self.settings = settings
    }

    func desk(of patron: Int64) -> Desk {
        desk.acting(as: Actor(name: "patron:\(patron)", role: .patron, channel: .web))
    }

    /// Answers every verb but those that ask for passwords.
    func answer(_ command: LineCommand, for visitor: Visitor?) throws -> LineReply {
        let first = command.arguments.first
        switch command.verb {
        case .books: return try books()
        case .book: return try book(first)
        case .lend:
            guard let patron = try person(first, visitor) else { return LineReply(LineWords.notLoggedIn) }
            return LineReply(try lend(Array(command.arguments.dropFirst()), to: patron))
        case .loans:
            guard let patron = try person(first, visitor) else { return LineReply(LineWords.notLoggedIn) }
            return try loans(of: patron)
        case .notifications:
            // BitBooks never looked at the name.
            guard let patron = try person(first, visitor, orSelf: true) else {
                return LineReply(LineWords.notLoggedIn)
            }
            return try notifications(of: patron)
        case .addUser, .logIn: return LineReply(LineWords.unknown)
        }
    }

    /// What is said where the desk fails.
    static func fault(of verb: LineCommand.Verb) -> String {
        switch verb {
        case .books, .book, .loans, .notifications: LineWords.unreadable
        case .addUser, .logIn, .lend: LineWords.busy
        }
    }

    /// The user for whom a command acts; nil if it may not act for that name, whether or not a user has it.
    private func person(_ username: String?, _ visitor: Visitor?, orSelf: Bool = false) throws -> Patron? {
        try desk.read { session in
            if let username, settings.isOpen { return try session.patrons.get(.username(username)) }
            guard let visitor, let holder = try session.accounts.holder(of: visitor.digest, [.session]),
                holder.patron.username == username || orSelf && username == nil
            else { return nil }
            return holder.patron
        }
    }
}

// MARK: - The catalogue

extension LineCommands {
    /// The catalogue by id, part after part, so that a large one needs no more memory than a small one.
    private func books(after last: Int64? = nil) throws -> LineReply {
        let (text, next) = try desk.read { session -> ([UInt8], Int64?) in
            var text: [UInt8] = []
            let page = try session.catalogue.page(after: last ?? .min, limit: Self.titlesOfPart)
            for (index, title) in page.enumerated() {
                text += (last == nil && index == 0 ? "[" : ", ").utf8
                let counts = try session.catalogue.counts(of: title.id)
                BitBooksShape.book(title, counts, name: BitBooksShape.name(of: title))
                    .appendTabbed(to: &text, depth: 1)
            }
            let next = page.count == Self.titlesOfPart ? page.last?.id : nil
            if next == nil { text += (last == nil && page.isEmpty ? "[]" : "]").utf8 }
            return (text, next)
        }
        guard let next else { return LineReply(bytes: text) }
        return LineReply(bytes: text) { try books(after: next) }
    }

    private func book(_ name: String?) throws -> LineReply {
        try desk.read { session in
            guard let name, let title = try session.catalogue.get(BitBooksShape.key(name)) else {
                return LineReply("{}")
            }
            let counts = try session.catalogue.counts(of: title.id)
            return LineReply(BitBooksShape.book(title, counts, name: BitBooksShape.name(of: title)).tabbedText())
        }
    }
}

// MARK: - What a user has

extension LineCommands {
    private func loans(of patron: Patron) throws -> LineReply {
        try desk.read { session in
            let zone = try session.settings.library().zone
            let rows = try session.loans.active(of: .id(patron.id)).map { loan in
                let title = try loan.title.flatMap { try session.catalogue.get(.id($0)) }
                var row = BitBooksShape.loan(
                    loan, of: patron.username, isbn: title.map(BitBooksShape.name) ?? "", zone: zone)
                row["title"] = .string(title?.title ?? BitBooksShape.unknownTitle)
                row["cover"] = .string(title?.coverURL ?? "")
                return JSON.object(row)
            }
            return LineReply(JSON.array(rows).tabbedText())
        }
    }

    /// Sends the unread messages and marks them as read: each message goes to one connection.
    private func notifications(of patron: Patron) throws -> LineReply {
        guard try desk.read({ try !unread(of: patron, $0).isEmpty }) else { return LineReply("[]") }
        let rows = try desk(of: patron.id).write(isRepeatable: true) { session in
            try unread(of: patron, session).compactMap { notice -> JSON? in
                guard case .done = try session.notices.markRead(notice.id) else { return nil }
                return BitBooksShape.notification(
                    to: patron.username, isbn: try name(of: notice, session), message: notice.body, isRead: false)
            }
        }
        return LineReply(JSON.array(rows).tabbedText())
    }

    /// The oldest first. What is still to be sent by mail is left to it: reading it here would keep the mail back.
    private func unread(of patron: Patron, _ session: DeskSession) throws -> [Notice] {
        try session.notices.first(Self.mostNotifications, NoticeQuery(patron: patron.id, states: [.sent]))
    }

    private func name(of notice: Notice, _ session: DeskSession) throws -> String {
        let loan = try notice.loan.flatMap { try session.loans.get(.id($0)) }
        let title = try loan?.title.flatMap { try session.catalogue.get(.id($0)) }
        return title.map(BitBooksShape.name) ?? BitBooksShape.isbn(ofImported: notice)?.digits13 ?? ""
    }
}
