import Circulation

/// A record of the case, or of a decision: its fields become values when they are read.
final class Record {
    /// As messages call it: `case.patron`.
    let name: String
    /// Where it stands in the case: `patron.loans[1]`; nil: in none.
    let place: String?
    let names: [String]?
    /// Whether it is one of several elements of a list, by what holds of them.
    private(set) var isOneOfSeveral = false
    private let read: (String) throws -> Value
    private var values: [String: (value: Value, choice: Journal.Choice?)] = [:]
    private let journal: Journal

    /// - Parameter names: its fields; nil: any, absent ones are nil.
    init(
        _ name: String, at place: String? = nil, names: [String]?, _ journal: Journal,
        read: @escaping (String) throws -> Value
    ) {
        self.name = name
        self.place = place
        self.names = names
        self.journal = journal
        self.read = read
    }

    /// The first of some elements of a list whose condition holds, of which one does. A field is put together of those of all of
    /// them, so that the way at hand forks only where that cannot be done.
    ///
    /// - Parameter change: what the field of the element at an index is taken for.
    convenience init(
        firstOf elements: [(condition: Condition, record: Record)], _ path: Path, _ texts: Texts,
        _ change: @escaping (Int, Value) -> Value = { $1 }
    ) {
        let last = elements[elements.count - 1].record
        self.init(last.name, names: last.names, path.journal) { field in
            func read() throws -> Value {
                let chosen = try elements.dropLast().firstIndex { try path.holds($0.condition) } ?? elements.count - 1
                return change(chosen, try elements[chosen].record.value(field) ?? .null)
            }
            let outcomes = try path.outcomes(changing: []) { Explorer.Outcome(values: [try read()]) }
            let value = outcomes.flatMap { outcomes in
                Value.joined(outcomes.map { ($0.way, $0.values[0]) }, from: .null, texts)
            }
            return try value ?? read()
        }
        isOneOfSeveral = true
    }

    /// nil if there is no such field.
    func value(_ field: String) throws -> Value? {
        if let known = values[field] {
            // What was found by a choice is known of the way that chose it.
            if let choice = known.choice { journal.use(choice) }
            return known.value
        }
        if let names, !names.contains(field) { return nil }
        let before = journal.decisions
        let value = try read(field)
        values[field] = (value, journal.decisions == before ? nil : journal.choice)
        journal.note { [self] in values[field] = nil }
        return value
    }
}

/// A list of the case, of which not everything need be known.
final class List {
    let name: String
    let length: () throws -> Number
    /// The element at a place, from 1; only asked where the list is so long.
    let element: (Int64) throws -> Value
    /// Whether the list has a text; nil for lists of records.
    let contains: ((Text) throws -> Condition)?
    /// How many elements a loop looks at one by one, before one stands for all that are left.
    var rounds: Int64 { Self.rounds(of: name) }

    /// The same of a list that is called so.
    static func rounds(of name: String) -> Int64 {
        // Of what is paid for few lines differ.
        name == "lines" ? 1 : Interpreter.mostRounds
    }

    /// The place of the element that stands for all.
    static let any: Int64 = -1
    /// The places of those that are the first of which something holds go down from here.
    static let firstWitness: Int64 = -10
    /// The places of those that stand for all in one loop alone go down from here.
    static let firstOfRounds: Int64 = -1_000_000_000

    /// In the names of its variables.
    static let standing = "[\(any)]"
    /// In the names of variables of all elements that are not looked at one by one.
    static let behind = "[-"

    init(
        _ name: String, length: @escaping () throws -> Number, element: @escaping (Int64) throws -> Value,
        contains: ((Text) throws -> Condition)? = nil
    ) {
        self.name = name
        self.length = length
        self.element = element
        self.contains = contains
    }

    /// As names of variables tell an element from others.
    func element(named place: Int64) -> String { "\(name)[\(place)]" }

    /// The place of which a loop knows only which element stands there; nil for what is no such place.
    func place(called words: String) -> Int64? {
        let start = "\(Value.placeName)\(name)["
        return words.hasPrefix(start) ? Int64(words.dropFirst(start.count).dropLast()) : nil
    }
}

/// What a record of the case has, without the types of its parts.
struct RecordShape: Sendable {
    enum Content: Sendable {
        case value(FieldKind)
        case record(RecordShape)
        case list(RecordShape)
        case calendar
    }

    struct Field: Sendable {
        let name: String
        let content: Content
        let mayBeAbsent: Bool
        let meaning: CaseMeaning?
    }

    let name: String
    let fields: [Field]

    /// - Parameter record: as the case declares it.
    init(_ record: CaseRecord<some Any>) {
        name = record.name
        fields = record.fields.filter(\.isForPolicies).map { field in
            let content: Content
            switch field.content {
            case .value(let kind, _): content = .value(kind)
            case .nested(let nesting): content = Self.nested(nesting)
            case .calendar: content = .calendar
            }
            return Field(
                name: field.name, content: content, mayBeAbsent: field.mayBeAbsent, meaning: field.meaning)
        }
    }

    private static func nested(_ nesting: some CaseNesting) -> Content {
        nesting.isList ? .list(RecordShape(nesting.record)) : .record(RecordShape(nesting.record))
    }
}
