import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Patrons as staff see them.
enum PatronFields {
    /// How many patrons a search shows.
    private static let many: Int64 = 30

    /// The patron that a text names: by username, or by number.
    ///
    /// - Throws: what the store throws.
    static func named(_ text: String, _ call: PageCall) throws -> Patron? {
        try call.context.look { session in
            try session.patrons.get(.username(text)) ?? Int64(text).flatMap { try session.patrons.get(.id($0)) }
        }
    }

    /// Patrons by the beginnings of words.
    ///
    /// - Parameter path: where each of them leads, up to their number.
    /// - Throws: ``Problem``.
    static func found(_ words: String, leadingTo path: String, _ call: PageCall) throws -> [[String: Any]] {
        try call.list("/patrons", ["query": .string(words), "limit": .integer(many)]).map { patron in
            var fields: [String: Any] = [
                "id": patron["id"]?.integerValue ?? 0, "to": path, "name": name(patron),
                "username": PageWords.safe(patron["username"]) ?? "",
            ]
            fields["email"] = PageWords.safe(patron["email"])
            fields["category"] = PageWords.safe(patron["category"])
            return fields
        }
    }

    /// First and last name; the username where there are none.
    static func name(_ patron: JSON) -> String {
        let names = [PageWords.safe(patron["name"]), PageWords.safe(patron["surname"])].compactMap(\.self)
        return names.isEmpty ? PageWords.safe(patron["username"]) ?? say("Patron") : names.joined(separator: " ")
    }

    /// The name of the patron with an id; nil for a removed patron.
    ///
    /// - Throws: what the store throws.
    static func name(of id: Int64?, _ call: PageCall) throws -> String? {
        guard let id, let patron = try call.context.look({ try $0.patrons.get(.id(id)) }) else { return nil }
        return PageWords.safe(patron.fullName)
    }

    /// The names of patrons, by their ids, with one statement; removed ones are left out.
    ///
    /// - Throws: what the store throws.
    static func names(of ids: some Sequence<Int64>, _ call: PageCall) throws -> [Int64: String] {
        let patrons = try call.context.look { try $0.patrons.get(Set(ids)) }
        return Dictionary(patrons.map { ($0.id, PageWords.safe($0.fullName)) }) { first, _ in first }
    }

    /// What the desk has to know before it lends: who it is, what speaks against it, what they have and what waits for
    /// them.
    ///
    /// - Throws: ``Problem`` if the patron does not exist.
    static func card(_ id: Int64, _ call: PageCall) throws -> [String: Any] {
        let patron = try call.record("/patrons/\(id)")
        var fields: [String: Any] = [
            "id": id, "patronNumber": id, "name": name(patron), "username": PageWords.safe(patron["username"]) ?? "",
            "category": PageWords.safe(
                try call.context.look { try $0.settings.category(patron["category"]?.stringValue ?? "")?.name }
                    ?? patron["category"]?.stringValue ?? ""),
            "branch": PageWords.safe(try call.branchName(patron["home_branch"]?.stringValue) ?? ""),
            "blocks": try call.list("/patrons/\(id)/blocks").map { block($0, call) },
            "loans": try call.list("/patrons/\(id)/loans").map { try loan($0, call) },
            "holds": try call.list("/patrons/\(id)/holds").map {
                try HoldForms.shown($0, below: "/desk/patrons/\(id)/holds", call)
            },
        ]
        fields["own"] = try OwnFields.shown(patron, .patron, call, withPatrons: true)
        fields["fieldsPath"] = OwnFieldsPage.link(.patron, String(id), call)
        for name in ["email", "phone", "display_name"] { fields[name] = PageWords.safe(patron[name]) }
        if let ends = patron["expires_on"] {
            fields["expires"] = call.words.date(ends)
            fields["isExpired"] = (ends.stringValue ?? "") < call.library.zone.date(of: call.now).description
        }
        let owed = try call.record("/patrons/\(id)/fees").stringValue ?? ""
        if !owed.hasPrefix("-"), owed.contains(where: { ("1"..."9").contains($0) }) {
            fields["owed"] = PageWords.money(.string(owed))
        }
        return fields
    }

    private static func loan(_ loan: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields = try LoanFields.loan(loan, call)
        if let copy = loan["copy"]?.integerValue {
            fields["barcode"] = try call.context.look { try $0.catalogue.copy(id: copy)?.barcode }
        }
        return fields
    }

    private static func block(_ block: JSON, _ call: PageCall) -> [String: Any] {
        var fields = LoanFields.block(block, call)
        fields["id"] = block["id"]?.integerValue ?? 0
        fields["kind"] = PageWords.safe(block["kind"])
        let actions = TitleFields.texts(block["actions"])
        fields["actions"] = actions.isEmpty ? nil : actions.joined(separator: ", ")
        return fields
    }
}
