import Circulation
import TextFormats

/// The case on one way through a question: what is read of it becomes variables.
final class CaseModel {
    let path: Path
    let domain: ProofDomain
    let point: DecisionPoint
    let texts: Texts
    private(set) var chains: [String: Chain] = [:]
    /// What may be absent, by its path.
    private(set) var optionals: [String: (isThere: Condition, value: Value)] = [:]
    /// How many loans meet which rows of `limits`.
    var loanCounts: LoanCounts?

    static let texts: ClosedRange<Int64> = 0...1_000_000

    struct Read {
        /// `patron.loans[1].title`
        let path: String
        let value: Value
        /// On which ways it was read.
        var way = Condition.constant(true)
    }

    init(_ path: Path, _ domain: ProofDomain, _ point: DecisionPoint, _ texts: Texts) {
        (self.path, self.domain, self.point, self.texts) = (path, domain, point, texts)
    }

    /// What a policy's functions are handed.
    lazy var root = record(domain.shape, at: "")

    /// A part of the case, nil where it has none on this way.
    func part(_ name: String) throws -> Record? {
        guard case .record(let record)? = try root.value(name) else { return nil }
        return record
    }

    func value(_ part: String, _ field: String) throws -> Value {
        try self.part(part)?.value(field) ?? .null
    }

    func number(_ part: String, _ field: String) throws -> Number? {
        switch try value(part, field) {
        case .integer(let number), .money(let number), .date(let number), .instant(let number, _): number
        default: nil
        }
    }

    /// A number of the patron that may be absent, without a way for either: whether it is there, and what it is then.
    func optional(_ part: String, _ field: String) throws -> (isThere: Condition, value: Number) {
        let name = "\(part).\(field)"
        let isThere = try path.condition("\(name) is there")
        let number = try path.number(name, ProofDomain.days)
        optionals[name] = (isThere, .date(number))
        return (isThere, number)
    }

    func flag(_ part: String, _ field: String) throws -> Condition {
        if case .flag(let condition) = try value(part, field) { condition } else { .constant(false) }
    }

    // MARK: - Records

    private func note(_ path: String, _ value: Value) {
        self.path.looks.reads.append(Read(path: path, value: value))
    }

    private func record(_ shape: RecordShape, at prefix: String) -> Record {
        let fields = Dictionary(shape.fields.map { ($0.name, $0) }) { first, _ in first }
        return Record(shape.name, at: prefix, names: shape.fields.map(\.name), path.journal) { [unowned self] name in
            guard let field = fields[name] else { return .null }
            return try read(field, of: prefix)
        }
    }

    private func read(_ field: RecordShape.Field, of prefix: String) throws -> Value {
        let path = prefix.isEmpty ? field.name : "\(prefix).\(field.name)"
        if let value = try reckoned(field, path) { return value }
        let value = try isAbsent(field, path, isTop: prefix.isEmpty) ? .null : there(field, path, prefix)
        note(path, value)
        return value
    }

    private func isAbsent(_ field: RecordShape.Field, _ path: String, isTop: Bool) throws -> Bool {
        if isTop, let isThere = ProofDomain.isThere(field.name, at: point) { return !isThere }
        // One of the two is what it is about.
        if isTop, let other = ProofDomain.other(of: field.name, at: point) {
            return try self.path.holds(try self.path.condition("\(other) is there"))
        }
        // A copy is of some type.
        guard field.mayBeAbsent, field.name != "item_type" else { return false }
        return try !self.path.holds(try self.path.condition("\(path) is there"))
    }

    private func there(_ field: RecordShape.Field, _ path: String, _ prefix: String) throws -> Value {
        switch field.content {
        case .calendar: return .calendar
        case .record(let shape): return .record(record(shape, at: path))
        case .list(let shape): return .list(records(shape, at: path))
        case .value(let kind):
            if let chain = chain(field, prefix) {
                return kind.isList ? .list(chain.list) : .text(.symbol(try chain.first()))
            }
            return try plain(kind, field.name, path)
        }
    }

    /// The chain that a field of codes belongs to.
    private func chain(_ field: RecordShape.Field, _ prefix: String) -> Chain? {
        guard let meaning = field.meaning, let name = Self.chains[field.name] else { return nil }
        return chain(prefix.isEmpty ? name : "\(prefix).\(name)", meaning)
    }

    private static let chains = [
        "category": "category", "categories": "category", "home_branch": "home_branch",
        "home_branches": "home_branch", "branch": "branch", "branches": "branch", "item_type": "item_type",
        "item_types": "item_type", "copy_branch": "copy_branch", "copy_branches": "copy_branch",
    ]

    func chain(_ name: String, _ meaning: CaseMeaning) -> Chain {
        // The category of a hold is a code alone.
        path.looks.chains[name] = meaning
        if let chain = chains[name] { return chain }
        let chain = Chain(name, meaning, self)
        chains[name] = chain
        return chain
    }

    private func plain(_ kind: FieldKind, _ name: String, _ path: String) throws -> Value {
        switch kind {
        case .integer: return .integer(try self.path.number(path, ProofDomain.bounds(of: name)))
        case .number: return .opaque(path)
        case .text: return .text(.symbol(try self.path.number(path, Self.texts)))
        case .choice(let words): return .text(.symbol(try choice(words, path)))
        case .flag: return .flag(try self.path.condition(path))
        case .instant: return .instant(try instant(name, path), .plain)
        case .date: return .date(try self.path.number(path, ProofDomain.days))
        case .money: return .money(try self.path.number(path, ProofDomain.amounts(of: name)))
        case .texts, .actions: return .list(texts(at: path))
        case .object: return .record(extra(at: path))
        case .period: return .period(try self.path.number(path, 0...100_000), .days)
        case .integers: return .list(integers(at: path))
        default: return .opaque(path)
        }
    }

    private func choice(_ words: [String], _ path: String) throws -> Number {
        let number = try self.path.number(path, Self.texts)
        try self.path.assume(.some(words.map { number.equals(.constant(texts.number(of: $0))) }))
        return number
    }

    // MARK: - Moments

    private func instant(_ name: String, _ path: String) throws -> Number {
        let (days, day) = (name == "now" ? ProofDomain.today : ProofDomain.days, ProofDomain.microsecondsPerDay)
        let number = try self.path.number(path, (days.lowerBound * day)...(days.upperBound * day))
        if path != "now" && (name == "lent_at" || name == "placed_at") {
            try self.path.assume(number <= now())
        }
        return number
    }

    func now() throws -> Number {
        guard case .instant(let now, _)? = try root.value("now") else { return .constant(0) }
        return now
    }

    func today() throws -> Number { try now().divided(by: ProofDomain.microsecondsPerDay) }

    /// A field that others say.
    private func reckoned(_ field: RecordShape.Field, _ path: String) throws -> Value? {
        switch path {
        case "point": return .text(point.rawValue)
        case "loan.days_overdue": return .integer(try daysOverdue())
        case "loan.hours_overdue":
            let late = try now() - dueAt()
            return .integer(late.greatest(.constant(0)).divided(by: 3_600_000_000))
        case "loan.open_days_overdue":
            let due = try dueAt().divided(by: ProofDomain.microsecondsPerDay)
            return .integer(try Calendar(path: self.path).openDays(after: due, to: today()).greatest(.constant(0)))
        default: return nil
        }
    }

    func dueAt() throws -> Number { try number("loan", "due_at") ?? .constant(0) }

    private func daysOverdue() throws -> Number {
        let due = try dueAt().divided(by: ProofDomain.microsecondsPerDay)
        return (try today() - due).greatest(.constant(0))
    }

    // MARK: - Lists

    private func length(of path: String) throws -> Number {
        let length = try self.path.number("#\(path)", ProofDomain.listLength)
        self.path.wish(length <= .constant(3))
        return length
    }

    private func list(_ list: List, at path: String) -> List {
        self.path.looks.lists[path] = list.contains != nil
        return list
    }

    private func records(_ shape: RecordShape, at path: String) -> List {
        list(
            List(
                path, length: { [unowned self] in try length(of: path) },
                element: { [unowned self] in .record(record(shape, at: "\(path)[\($0)]")) }), at: path)
    }

    private func integers(at path: String) -> List {
        list(
            List(
                path, length: { [unowned self] in try length(of: path) },
                element: { [unowned self] index in
                    let element = "\(path)[\(index)]"
                    let value = Value.integer(try self.path.number(element, ProofDomain.bounds(of: "id")))
                    note(element, value)
                    return value
                }), at: path)
    }

    private func texts(at path: String) -> List {
        let list = TextList(path, self)
        return self.list(
            List(
                path, length: { [unowned self] in try length(of: path) }, element: list.element,
                contains: list.contains), at: path)
    }

    // MARK: - Fields of the library's own

    private func extra(at prefix: String) -> Record {
        Record(prefix, at: prefix, names: nil, path.journal) { [unowned self] name in
            let path = "\(prefix).\(name)"
            let value = try undeclared(path)
            note(path, value)
            return value
        }
    }

    /// A value of any kind that JSON has.
    private func undeclared(_ path: String) throws -> Value {
        func isOf(_ kind: String) throws -> Bool {
            try self.path.holds(try self.path.condition("\(path) is \(kind)"))
        }
        // What is plainest to look at.
        self.path.wish(try self.path.condition("\(path) is a text"))
        if try !isOf("there") { return .null }
        if try isOf("a text") { return .text(.symbol(try self.path.number(path, Self.texts))) }
        if try isOf("a whole number") {
            return .integer(try self.path.number("\(path) as a number", -1_000_000...1_000_000))
        }
        if try isOf("true or false") { return .flag(try self.path.condition("\(path) is true")) }
        if try isOf("a number") { return .opaque(path) }
        return .list(texts(at: path))
    }
}

/// A list of texts: which it has, and which stand where.
private final class TextList {
    private let path: String
    private unowned let model: CaseModel
    private var members: [Int64: Condition] = [:]
    private var elements: [Int64: Number] = [:]

    init(_ path: String, _ model: CaseModel) {
        self.path = path
        self.model = model
    }

    func element(_ index: Int64) throws -> Value {
        if let known = elements[index] { return .text(.symbol(known)) }
        let number = try model.path.number("\(path)[\(index)]", CaseModel.texts)
        elements[index] = number
        model.path.journal.note { [self] in elements[index] = nil }
        for (word, member) in members.sorted(by: { $0.key < $1.key }) {
            try model.path.assume(number.equals(.constant(word)).implies(member))
        }
        return .text(.symbol(number))
    }

    func contains(_ text: Text) throws -> Condition {
        let wanted = model.texts.number(of: text)
        guard let word = wanted.constant else { return try model.path.condition("\(path) has \(wanted.smt)") }
        if let member = members[word] { return member }
        let member = try model.path.condition("\(path) has \(model.texts.word(word))")
        members[word] = member
        model.path.journal.note { [self] in members[word] = nil }
        // Such a list is not empty.
        let length = try model.path.number("#\(path)", ProofDomain.listLength)
        try model.path.assume(member.implies(.constant(1) <= length))
        for number in elements.sorted(by: { $0.key < $1.key }).map(\.value) {
            try model.path.assume(number.equals(.constant(word)).implies(member))
        }
        return member
    }
}
