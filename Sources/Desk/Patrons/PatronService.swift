package import Circulation
import Storage
import TextFormats

/// The people who borrow.
package struct PatronService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    package func get(_ key: PatronKey) throws -> Patron? {
        switch key {
        case .id(let id): try transaction.patrons.get(id)
        case .username(let username): try transaction.patrons.find(username: username)
        }
    }

    /// The patrons of those ids that there are, in no order.
    package func get(_ ids: Set<Int64>) throws -> [Patron] { try transaction.patrons.get(ids) }

    /// Finds by the beginning of words of name, surname, username or e-mail, ordered by surname and name.
    package func search(_ words: String, limit: Int = 50, offset: Int = 0) throws -> [Patron] {
        try transaction.patrons.search(words, limit: Int64(max(0, limit)), offset: Int64(max(0, offset)))
    }

    /// Those who are called so: the patron of this username, or else all of this name, or of this name and surname, in any
    /// case and with any accents.
    package func called(_ name: String) throws -> [Patron] {
        if let patron = try get(.username(name)) { return [patron] }
        let wanted = TextFolding.folded(name)
        return try search(name, limit: 1_000).filter { patron in
            [patron.name, patron.fullName].contains { TextFolding.folded($0) == wanted }
        }
    }

    /// Streams patrons by id; the body may write, and ends the reading by returning false.
    package func each(category: String? = nil, _ body: (Patron) throws -> Bool) throws {
        try transaction.patrons.forEach { patron in
            if let category, patron.category != category { return true }
            return try body(patron)
        }
    }

    package func count() throws -> Int64 {
        try transaction.patrons.count()
    }

    /// Refused with `exists` if the username is taken, `reserved_username` if it is an ``ActorName``, `reserved_name`, `invalid_email`, `unknown_category`,
    /// `unknown_branch`, and with `policy_failed` where the policy is asked when the membership ends and cannot say.
    ///
    /// - Parameter source: who says when the membership ends.
    package func add(_ patron: Patron, endsBy source: MembershipSource = .policy) throws -> Outcome<Patron> {
        try session.request("patrons.add") {
            if let refusal = Self.refusal(ofEmail: patron.email) { throw Refused(refusal) }
            return try insert(patron, endsBy: source)
        }
    }

    /// Refused with `unknown_patron`, `exists`, `reserved_username`, `reserved_name`, `invalid_email`, `unknown_category`,
    /// `unknown_branch`, and with `not_allowed` where patrons change of themselves what is the library's to say.
    package func update(_ key: PatronKey, _ change: (inout Patron) throws -> Void) throws -> Outcome<Patron> {
        let trail = RequestTrail(session.actor.isSelf ? "patrons.update_own" : "patrons.update")
        return try session.request(trail) {
            let before = try known(key, trail)
            try session.checkOwner(trail)
            var patron = before
            try change(&patron)
            patron.id = before.id
            guard !session.actor.isSelf || patron.isUnchangedByLibrary(since: before) else {
                throw DeskSession.notAllowed
            }
            if session.actor.isSelf, patron.username != before.username, Username.isNumber(patron.username) {
                throw Self.reserved
            }
            try check(&patron, before: before)
            if patron.email != before.email {
                if let refusal = Self.refusal(ofEmail: patron.email) { throw Refused(refusal) }
                guard !isOwn(before) else {
                    throw Refused(
                        "password_needed",
                        "To change your e-mail address, you must also enter your password.")
                }
                try session.accounts.endLinks(of: before.id)
            }
            if patron != before {
                try session.record(
                    .patronUpdated, PatronChange(patron, fields: patron.changedPersonalFields(since: before)))
            }
            return patron
        }
    }

    /// Refused with `open_loans`, `fees_owed`, or as a ``DeskExtension`` says; else the patron's name and all that is
    /// personal goes, statistics stay. Holds are cancelled.
    ///
    /// - Returns: the patron's id. After the commit what was deleted is taken out of the files too.
    package func remove(_ key: PatronKey) throws -> Outcome<Int64> {
        let trail = RequestTrail(session.actor.isSelf ? "patrons.remove_own" : "patrons.remove")
        return try session.request(trail) {
            let patron = try known(key, trail)
            try session.checkOwner(trail)
            let loans = try transaction.loans.open(patron: patron.id).count
            guard loans == 0 else {
                throw Refused(
                    "open_loans",
                    loans == 1 ? "The patron still has a loan." : "The patron still has \(loans) loans.")
            }
            let owed = try session.fees.balance(of: patron.id)
            guard !owed.isPositive else {
                throw Refused(Refusal.Code.feesOwed, "The patron still owes \(owed).")
            }
            for part in session.extensions { try part.checkRemovable(patron.id, in: session) }
            try session.holds.closeAll(
                try transaction.holds.open(patron: patron.id), reason: "The patron was removed.")
            for part in session.extensions { try part.forget(patron, in: session) }
            try forget(patron)
            try session.customFields.forget(.patron, patron.id)
            try session.record(.patronRemoved, RemovedPatron(patron.id))
            session.erasesTraces = true
            return patron.id
        }
    }
}

extension PatronService {
    /// The patron of a key, whom the request is about.
    ///
    /// - Throws: ``Refused`` with `unknown_patron`, or `not_allowed` for an account above the actor.
    package func known(_ key: PatronKey, _ trail: RequestTrail) throws -> Patron {
        guard let patron = try get(key) else {
            throw try unknown(key)
        }
        trail.patron = patron.id
        if RoleTable.isOfAccount(trail.name) {
            // As they are before anything is done: afterwards they may be gone.
            try session.checkRank(over: patron)
            trail.ranked.insert(patron.id)
        }
        return patron
    }

    /// Whether it is the actor's own record.
    private func isOwn(_ patron: Patron) -> Bool { !session.actor.isOperator && session.actor.ownPatron == patron.id }

    static let unknown = Refused(Refusal.Code.unknownPatron, "There is no such patron.")

    /// The refusal of a patron that there is none of; it names the record that one's became part of.
    private func unknown(_ key: PatronKey) throws -> Refused {
        guard case .id(let id) = key, let survivor = try survivor(of: id) else { return Self.unknown }
        return Refused(
            Refusal(
                code: Refusal.Code.unknownPatron, message: "Patron \(id) has been merged into patron \(survivor).",
                figures: ["merged_into": .integer(survivor)]))
    }

    /// Adds a patron within a request, under an id that is free, or under a new one.
    ///
    /// - Parameter source: who says when the membership ends.
    func insert(_ patron: Patron, id: Int64 = 0, endsBy source: MembershipSource = .record) throws -> Patron {
        var patron = patron
        try check(&patron, before: nil)
        patron.id = 0
        let asked = try source == .policy && patron.expiresOn == nil ? membershipAsked(of: patron) : nil
        if let end = asked?.decision.membership { patron.expiresOn = end.date }
        patron.id = id
        let blank = Patron(username: "", category: "", homeBranch: "")
        let fields = patron.changedPersonalFields(since: blank)
        guard let (added, event) = try session.record(.patronAdded, PatronChange(patron, fields: fields)) else {
            throw DeskError.input(nil, "The patron could not be added.")
        }
        if let asked { try session.log(asked, under: event) }
        return added.patron
    }

    static let reserved = Refused(
        "reserved_username",
        "That username could be mistaken for a program or a patron's number. Please choose another one.")

    /// Why a text is not kept as a person's address; nil where it is, and for none at all. Files of other systems are taken in as
    /// they are, and what is kept already is not looked at again: a message to such an address is undeliverable.
    static func refusal(ofEmail email: String?) -> Refusal? {
        guard let email, !email.isEmpty, let problem = EmailAddress.problem(of: email) else { return nil }
        return Refusal(code: "invalid_email", message: problem, figures: ["field": "email"])
    }

    /// Checks a record that is to be written, and brings the library's own fields into form.
    func check(_ patron: inout Patron, before: Patron?) throws {
        if patron.extra != before?.extra {
            patron.extra = try session.customFields.checked(patron.extra, before: before?.extra, of: .patron)
        }
        if patron.role != before?.role ?? .patron { try session.checkRole(for: "patrons.set_role") }
        if patron.username != before?.username {
            guard !ActorName.isReserved(patron.username) else { throw Self.reserved }
            if let problem = Username.problem(of: patron.username) { throw DeskError.input("username", problem) }
            guard try transaction.patrons.ids(usernamesLike: patron.username).allSatisfy({ $0 == before?.id }),
                try transaction.patrons.find(username: patron.username) == nil,
                try transaction.patrons.id(displayNameLike: patron.username).map({ $0 == before?.id }) ?? true
            else { throw Refused("exists", "That username is already taken. Please choose another one.") }
        }
        if patron.displayName?.isEmpty == true { patron.displayName = nil }
        if let name = patron.displayName, name != before?.displayName { try check(displayName: name, of: before?.id) }
        if patron.category != before?.category { _ = try session.settings.known(category: patron.category) }
        if patron.homeBranch != before?.homeBranch { _ = try session.settings.known(branch: patron.homeBranch) }
    }
}

extension Patron {
    /// The names of the personal fields in which two records differ: all that events tell of them.
    func changedPersonalFields(since before: Patron) -> [String] {
        var fields: [String] = []
        if username != before.username { fields.append("username") }
        if name != before.name { fields.append("name") }
        if surname != before.surname { fields.append("surname") }
        if displayName != before.displayName { fields.append("display_name") }
        if email != before.email { fields.append("email") }
        if phone != before.phone { fields.append("phone") }
        if birthDate != before.birthDate { fields.append("birth_date") }
        if extra != before.extra { fields.append("extra") }
        return fields
    }
}

extension Actor {
    /// Whether they are a patron who acts for themselves.
    fileprivate var isSelf: Bool { role == .patron && ownPatron != nil && !isOperator }
}

extension Patron {
    /// Whether all is as before that the library says of a patron.
    fileprivate func isUnchangedByLibrary(since before: Patron) -> Bool {
        category == before.category && role == before.role && expiresOn == before.expiresOn
            && birthDate == before.birthDate && extra == before.extra
    }
}
