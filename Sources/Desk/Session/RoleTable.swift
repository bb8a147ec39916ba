import Circulation

/// Who may ask the desk for what: the one table of roles, from which `docs/roles.md` is written and which every session
/// looks at before it carries out a request.
package struct RoleTable: Sendable {
    /// What an asker may reach.
    package enum Reach: String, Hashable, Sendable {
        case no = "-"
        /// What is their own.
        case own
        case yes
    }

    /// The kinds of askers. Patrons at a self-check machine have the copies at hand, online they do not.
    package enum Asker: String, Hashable, Sendable, CaseIterable {
        case online = "patron, online"
        case machine = "patron, at a machine"
        case staff, admin
        case job = "a job"
    }

    /// A line of the table: requests that are granted to the same people.
    package struct Row: Sendable {
        package let what: String
        package let requests: [String]
        let reaches: [Reach]
        /// Whether the service that carries the requests out knows better what is whose, as of a seller's and a buyer's
        /// parts in one order.
        let isJudgedByService: Bool
        /// Whether the requests change an account: identity, credentials, blocks, or what belongs to the patron
        /// alone. An asker cannot do so to an account with a higher role.
        package let isOfAccount: Bool

        /// - Parameter reaches: in the order of ``Asker``.
        fileprivate init(
            _ what: String, _ requests: [String], _ reaches: Reach..., isJudgedByService: Bool = false,
            isOfAccount: Bool = false
        ) {
            self.what = what
            self.requests = requests
            self.reaches = reaches
            self.isJudgedByService = isJudgedByService
            self.isOfAccount = isOfAccount
        }

        package func reach(of asker: Asker) -> Reach {
            guard let index = Asker.allCases.firstIndex(of: asker), reaches.indices.contains(index) else { return .no }
            return reaches[index]
        }
    }

    package static let rows: [Row] = [
        Row("look for titles and copies", ["catalogue.read"], .yes, .yes, .yes, .yes, .yes),
        Row("see loans, holds, fees and messages", ["patrons.read"], .own, .own, .yes, .yes, .yes),
        Row("borrow, renew", ["checkout", "renew"], .own, .own, .yes, .yes, .yes),
        Row("hand copies in", ["checkin"], .no, .yes, .yes, .yes, .yes),
        Row(
            "place, cancel, suspend and resume holds, and say where to fetch them",
            ["holds.place", "holds.cancel", "holds.suspend", "holds.resume", "holds.set_pickup"],
            .own, .own, .yes, .yes, .yes),
        Row(
            "fill a cart, empty it, check it out",
            ["cart.add", "cart.set", "cart.remove", "cart.clear", "cart.total", "cart.checkout"],
            .own, .own, .yes, .yes, .yes),
        Row(
            "keep titles and listings in mind", ["favourites.add", "favourites.remove"], .own, .own, .yes, .yes, .yes,
            isOfAccount: true),
        Row(
            "rate titles, take that back, and report what others wrote",
            ["ratings.rate", "ratings.remove", "ratings.report"], .own, .own, .yes, .yes, .yes, isOfAccount: true),
        Row(
            "make lists of titles, change and remove them",
            ["lists.make", "lists.change", "lists.remove", "lists.add_title", "lists.remove_title"], .own, .own, .yes,
            .yes, .yes, isOfAccount: true),
        Row(
            "hide what patrons wrote of titles, or let it stand", ["ratings.hide", "ratings.show"], .no, .no, .yes,
            .yes, .yes),
        Row(
            "take down lists that patrons show to others, or let them be shared again",
            ["lists.take_down", "lists.restore"], .no, .no, .yes, .yes, .yes),
        Row(
            "write to others on the market, and take no messages from them",
            ["messages.write", "messages.mark_read", "messages.block", "messages.unblock"], .own, .own, .yes, .yes, .no,
            isOfAccount: true),
        Row(
            "offer, buy and rent on the market, and suggest titles",
            [
                "market.publish", "market.update", "market.withdraw", "market.quote", "market.buy", "market.rent",
                "market.rent_out", "market.give_back",
                "market.hand_over", "market.cancel", "market.contact", "suggestions.submit",
            ], .own, .own, .yes, .yes, .yes, isJudgedByService: true),
        Row(
            "log in, set the password, have keys for programs",
            ["accounts.log_in", "accounts.set_password", "accounts.issue_key", "accounts.revoke"],
            .own, .own, .yes, .yes, .no, isOfAccount: true),
        Row(
            "change one's own name, address, language and branch, and leave",
            ["patrons.update_own", "patrons.remove_own"], .own, .own, .yes, .yes, .no, isOfAccount: true),
        Row(
            "mark a message as read", ["notifications.mark_read"], .own, .own, .yes, .yes, .yes, isOfAccount: true),
        Row(
            "move holds in a queue, set due dates, tell what is lost or found, count uses in the house",
            [
                "holds.move", "holds.arrange", "set_due", "mark_lost", "mark_found", "claim_returned",
                "loans.use_in_house",
            ], .no, .no,
            .yes, .yes, .yes),
        Row(
            "charge, take payments, waive, refund", ["fees.charge", "fees.pay", "fees.waive", "fees.refund"],
            .no, .no, .yes, .yes, .yes),
        Row(
            "write messages, send the notice of a stage by hand",
            ["notifications.send", "notifications.preview", "notifications.remind"], .no, .no, .yes, .yes, .yes),
        Row(
            "see to the delivery of messages",
            ["notifications.cancel", "notifications.retry", "notifications.sent", "notifications.failed"],
            .no, .no, .yes, .yes, .yes, isOfAccount: true),
        Row(
            "add, change, block, link, remove and merge patrons",
            [
                "patrons.add", "patrons.update", "patrons.block", "patrons.unblock", "patrons.remove", "patrons.merge",
                "patrons.renew_membership",
                "patrons.link", "patrons.unlink",
            ], .no, .no, .yes, .yes, .yes, isOfAccount: true),
        Row(
            "keep the catalogue, decide on suggestions and listings",
            [
                "suggestions.approve", "suggestions.reject", "market.approve", "market.reject", "catalogue.add",
                "catalogue.update", "catalogue.remove",
                "catalogue.enrich", "catalogue.set_cover", "catalogue.remove_cover", "catalogue.add_copies",
                "catalogue.update_copy", "catalogue.withdraw_copy",
            ], .no, .no, .yes, .yes, .yes),
        Row("empty the catalogue", ["catalogue.remove_all"], .no, .no, .no, .yes, .no),
        Row(
            "make a person staff or admin, or no longer", ["patrons.set_role"], .no, .no, .no, .yes, .no,
            isOfAccount: true),
        Row(
            "close and open accounts", ["accounts.close", "accounts.open"], .no, .no, .no, .yes, .no,
            isOfAccount: true),
        Row(
            "change branches, categories, item types, locations, calendars, name, zone and currency",
            Declarations.branches.requests + Declarations.categories.requests + Declarations.itemTypes.requests
                + Declarations.locations.requests + ["calendar.change", "calendar.close", "settings.library"], .no, .no,
            .no, .yes, .no),
        Row(
            "put a policy into force or beside the one that is, or the one before; take back one that is to come",
            ["policies.activate", "policies.rollback", "policies.shadow", "policies.withdraw"],
            .no, .no, .no, .yes, .no),
        Row(
            "put a plugin into force, or the version before; set it up, switch it off and on, remove it; have it try again",
            [
                "plugins.use", "plugins.rollback", "plugins.configure", "plugins.disable", "plugins.enable",
                "plugins.remove", "plugins.retry",
            ],
            .no, .no, .no, .yes, .no),
        Row(
            "have programs outside told what happens; have requests sent again",
            ["webhooks.add", "webhooks.remove", "webhooks.resume", "webhooks.test", "outbox.retry"],
            .no, .no, .no, .yes, .no),
        Row("shorten the log of decisions", ["policies.prune"], .no, .no, .no, .yes, .no),
    ]

    private static let rowsByRequest = Dictionary(
        rows.flatMap { row in row.requests.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })

    /// How far an asker may go with a request. One that the table does not name is for staff.
    package static func reach(of asker: Asker, with request: String) -> Reach {
        if let row = rowsByRequest[request] { return row.reach(of: asker) }
        return asker == .staff || asker == .admin ? .yes : .no
    }

    /// Whether a request changes an account. One that the table does not name counts as such.
    package static func isOfAccount(_ request: String) -> Bool { rowsByRequest[request]?.isOfAccount ?? true }

    static func isJudgedByService(_ request: String) -> Bool { rowsByRequest[request]?.isJudgedByService ?? false }
}

extension Actor {
    /// What the table of roles takes them for; nil: it does not bind them.
    var asker: RoleTable.Asker? {
        if isOperator { return nil }
        switch role {
        case .patron: return channel == .`self` ? .machine : .online
        case .staff: return .staff
        case .admin: return .admin
        case .job: return .job
        }
    }

    /// Whose record is their own: that of the patron who acts for themselves.
    package var ownPatron: Int64? { ActorName.patronID(name) }

    /// How far they may go with a request of the table.
    package func reach(of request: String) -> RoleTable.Reach {
        asker.map { RoleTable.reach(of: $0, with: request) } ?? .yes
    }
}

extension DeskSession {
    /// Refuses what the actor's role does not allow.
    func checkRole(for request: String) throws {
        guard actor.reach(of: request) != .no else { throw Self.notAllowed }
    }

    /// Refuses a request that turned out to be about another patron.
    package func checkOwner(_ trail: RequestTrail) throws {
        guard actor.reach(of: trail.name) == .own, !RoleTable.isJudgedByService(trail.name) else { return }
        guard let own = actor.ownPatron, trail.patron == own else {
            throw Refused(Refusal.Code.notOwner, "That belongs to another patron.")
        }
    }

    static let notAllowed = Refused(Refusal.Code.notAllowed, "Your role does not allow that.")
}
