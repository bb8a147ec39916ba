import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Who answers for a patron and who lives with them, on the patron's page.
enum PatronLinks {
    static func shown(_ id: Int64, _ call: PageCall) throws -> [[String: Any]] {
        try call.list("/patrons/\(id)/links").map { link in
            let relation = LinkedPatron.Relation(rawValue: link["kind"]?.stringValue ?? "") ?? .household
            return [
                "other": link["patron"]?.integerValue ?? 0, "relation": relation.rawValue,
                "words": words(relation), "name": PageWords.safe(link["name"]) ?? say("Patron"),
                "username": PageWords.safe(link["username"]) ?? "",
            ]
        }
    }

    /// What patrons see of their own: who it is and what they are to each other, and no username.
    static func own(_ patron: Patron, _ call: PageCall) throws -> [[String: Any]] {
        try call.context.look { try $0.patrons.links(of: .id(patron.id)) }.map { link in
            var fields: [String: Any] = ["relation": words(link.relation)]
            let name = PageWords.safe(link.patron.fullName)
            fields["name"] = link.patron.name.isEmpty && link.patron.surname.isEmpty ? say("Patron") : name
            fields["since"] = call.words.moment(.string(link.since.description))
            return fields
        }
    }

    static func inputs(_ call: PageCall) -> [[String: Any]] {
        let other = PageField(name: "other", label: "Username or number", most: 100, isRequired: true)
        var relation = PageField(name: "relation", label: "Relationship")
        relation.choices = LinkedPatron.Relation.allCases.map { ($0.rawValue, words($0)) }
        return PageField.inputs([other, relation], call, form: "link")
    }

    static func add(_ id: Int64, _ call: PageCall) throws -> PageOutcome {
        guard let text = call.form.text("other"), let other = try PatronFields.named(text, call) else {
            throw Problem.input("No patron has this username or number.", argument: "other")
        }
        return try change("links", id, other.id, call) { say("The link to \($0) has been added.") }
    }

    static func remove(_ id: Int64, _ call: PageCall) throws -> PageOutcome {
        guard let other = call.form.text("other").flatMap(Int64.init) else { throw Problem.notFound }
        return try change("unlink", id, other, call) { say("The link to \($0) has been removed.") }
    }

    /// A dependent is linked by what the patron is to them.
    private static func change(
        _ what: String, _ id: Int64, _ other: Int64, _ call: PageCall, saying: (String) -> String
    ) throws -> PageOutcome {
        guard let relation = LinkedPatron.Relation(rawValue: call.form.text("relation") ?? "") else {
            throw Problem.input("Choose a relationship.", argument: "relation")
        }
        let (patron, linked) = relation == .dependent ? (other, id) : (id, other)
        let kind: PatronLink.Kind = relation == .household ? .household : .guardian
        let name = try PatronFields.name(of: other, call) ?? say("Patron")
        return try call.act(
            .post, "/patrons/\(patron)/\(what)", ["other": .integer(linked), "kind": .string(kind.rawValue)],
            back: "/desk/patrons/\(id)"
        ) { _ in saying(name) }
    }

    private static func words(_ relation: LinkedPatron.Relation) -> String {
        switch relation {
        case .guardian: say("Guardian")
        case .dependent: say("Dependent")
        case .household: say("Same household")
        }
    }
}
