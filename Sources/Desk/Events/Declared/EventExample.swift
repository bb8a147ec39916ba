package import Circulation
import TextFormats

// What stands for a value where none is given: in the reference, and in events that tests make up. The same name has the
// same value wherever it stands, so that examples fit together.

extension EventDeclaration {
    /// Values of the fields, in their order: what such an event has as a rule.
    package var example: [EventValue] { fields.map(\.example) }
}

extension EventField {
    /// A plausible value. What is there only later in the life of a record is absent.
    package var example: EventValue {
        switch type {
        case .entries(let fields): return .entries([fields.map(\.example)])
        case .record(let reference):
            return mayBeAbsent && name != reference.rawValue ? .absent : .plain(.integer(reference.exampleID))
        case .plain(let kind):
            let isLater = mayBeAbsent && (kind == .instant || kind == .date) && !name.hasPrefix("due_")
            return isLater ? .absent : .plain(.example(kind, name))
        }
    }
}

extension EventReference {
    /// The id of the record in examples.
    package var exampleID: Int64 {
        switch self {
        case .title: 203
        case .copy: 417
        case .patron: 62
        case .loan: 1_204
        case .hold: 88
        case .notice: 930
        case .listing: 12
        case .order: 7
        case .rental: 5
        case .suggestion: 31
        case .conversation: 9
        }
    }
}

extension NumberedRecord {
    /// A record as examples have it.
    package static func example(id: Int64) -> Self {
        var record = blank
        for field in declaration.fields {
            let isLater = field.mayBeAbsent && (field.kind == .instant || field.kind == .date)
            if case .reference(let reference) = field.meaning {
                let reference = EventReference(reference)
                if field.name == reference.rawValue { _ = field.set(&record, .integer(reference.exampleID)) }
            } else if !isLater && !field.isInternal && field.name != "id" {
                _ = field.set(&record, .example(field.kind, field.name))
            }
        }
        record.id = id
        return record
    }
}

extension FieldValue {
    private static let morning = Instant(seconds: 1_796_115_600)  // 2026-12-01, 09:00 UTC
    private static let dueAt = Instant(seconds: 1_798_156_800)  // 2026-12-25, 00:00 UTC
    private static let dueOn = Zone.utc.date(of: Instant(seconds: 1_798_070_400))  // 2026-12-24

    /// A plausible value of a field of this kind and name.
    package static func example(_ kind: FieldKind, _ name: String) -> FieldValue {
        switch kind {
        case .integer: .integer(numbers[name] ?? 1)
        case .text: .text(texts[name] ?? name.replacing("_", with: " "))
        case .choice(let words): .text(words.first { $0 == texts[name] } ?? words.first ?? "")
        case .flag: .flag(false)
        case .instant: .instant(name.hasPrefix("due_") ? dueAt : morning)
        case .date: .date(dueOn)
        case .money: .money(Money(minorUnits: name == "replacement_price" ? 2_500 : 150, currency: .eur))
        case .isbn: (try? ISBN("9780441013593")).map { .isbn($0) } ?? .absent
        case .period: .period(.weeks(2))
        case .texts: .texts(lists[name] ?? [])
        case .integers: .integers([])
        case .object: .object([:])
        case .due: .due(DueTime(instant: dueAt, date: dueOn, isExact: false))
        case .courses: .courses([])
        case .actions: .actions(Set(BlockFacts.Action.allCases.prefix(1)))
        case .priceLines: .priceLines([])
        case .items: .items([])
        case .digest, .number, .proposal: .absent
        }
    }

    private static let numbers: [String: Int64] = [
        "year": 1965, "renewals": 0, "unseen_renewals": 0, "repetition": 0, "tries": 0, "priority": 0, "quantity": 1,
        "line": 12, "activation": 3, "from": 63,
    ]

    private static let lists: [String: [String]] = [
        "authors": ["Frank Herbert"], "genres": ["Science fiction"], "personal": ["email"], "codes": ["limit"],
        "reserved_names": ["library", "staff"], "gathered_notices": ["overdue", "hold_ready"],
    ]

    private static let digest = String(repeating: "7d865e959b2466918c9863afca942d0f", count: 2)

    private static let texts: [String: String] = [
        "title": "Dune", "title_name": "Dune", "barcode": "30012345", "branch": "main", "home_branch": "main",
        "pickup_branch": "main", "item_type": "book", "category": "undergraduate", "language": "en", "role": "patron",
        "username": "ada", "name": "Ada", "surname": "Lovelace", "email": "ada@example.org", "phone": "",
        "kind": "overdue", "stage": "first", "subject_key": "loan:1204", "key": "fine:1204", "label": "Fine: Dune",
        "policy": digest, "policy_name": "university", "was": digest, "is": digest, "code": "limit",
        "request": "checkout", "message": "You have reached your limit.", "reason": "seen on the shelf",
        "library_name": "City Library", "branch_name": "Main library", "category_name": "Undergraduates",
        "item_type_name": "Book", "location": "ref", "location_name": "Reference room", "zone": "Europe/Berlin",
        "currency": "EUR", "file": "university.lua",
        "channel": "email", "state": "queued", "status": "available", "failure": "no_address", "publisher": "Ace",
        "import_key": "old:1204", "decision": "Welcome.", "note": "as agreed", "condition": "good", "edition": "2nd",
    ]
}
