import Circulation
import Interchange
import Languages
import Scripting

/// What pages call kinds of records and their fields where files are imported.
enum ImportFieldNames {
    /// The routes that list the codes of which a field is one.
    static let codes: [String: String] = [
        "category": "/categories", "home_branch": "/branches", "branch": "/branches", "pickup_branch": "/branches",
        "item_type": "/item-types",
    ]

    /// The fields of a kind for which a file that lacks them gets one value.
    static func constants(of kind: String) -> [String] {
        switch kind {
        case "patron": ["category", "home_branch"]
        case "copy": ["branch", "item_type"]
        case "hold": ["pickup_branch"]
        default: []
        }
    }

    static func kind(_ kind: String) -> String {
        FieldLabels.kinds.first { $0.0 == kind }.map { say($0.1) } ?? KnownHeadings.plural(kind) ?? kind
    }

    static func label(_ field: String, _ kind: String) -> String {
        if let label = FieldLabels.label(of: field, in: kind) { return say(label) }
        guard field.hasPrefix("extra.") else { return field }
        return say("A further detail: “\(PageWords.safe(String(field.dropFirst("extra.".count))))”")
    }

    /// How sure a proposal is.
    static func words(_ confidence: FileExplanation.Column.Confidence) -> String {
        switch confidence {
        case .certain: say("Certain")
        case .likely: say("Likely")
        case .possible: say("Possible")
        case .none: ""
        }
    }

    /// The choices of a column, by kinds.
    static func groups(_ call: PageCall) -> [(name: String, fields: [(value: String, name: String)])] {
        FieldLabels.kinds.map { kind, label in
            let plural = KnownHeadings.plural(kind) ?? kind
            var fields = FieldLabels.fields(of: kind).map { (value: "\(plural).\($0.name)", name: say($0.label)) }
            if kind == "patron", let place = fields.firstIndex(where: { $0.value == "patrons.surname" }) {
                fields.insert(
                    ("patrons.surname,name", say("Last name, first name (with a comma between)")), at: place + 1)
                fields.insert(("patrons.name,surname", say("First names and last name")), at: place + 2)
            }
            if let owner = CustomField.Owner(rawValue: kind) {
                fields += call.context.api.fields[owner].map { field in
                    ("\(plural).extra.\(field.name)", PageWords.safe(field.label))
                }
            }
            return (say(label), fields)
        }
    }

    /// A heading as the name of a detail of the library's own; nil: nothing is left of it.
    static func ownName(_ heading: String) -> String? {
        var name = ""
        for character in TextFolding.folded(heading) {
            if character.isLetter || character.isNumber {
                name.append(character)
            } else if !name.isEmpty, name.last != "_" {
                name.append("_")
            }
        }
        while name.last == "_" { name.removeLast() }
        return name.isEmpty ? nil : String(name.prefix(40))
    }
}
