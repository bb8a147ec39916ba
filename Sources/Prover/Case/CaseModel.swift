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
    var blockChecks = BlockChecks()
    /// The one combination of which cases are looked at; nil: all.
    var known: KnownCombination?

    /// What functions of Lua's libraries make of texts of the case.
    var library: Library?

    static let texts: ClosedRange<Int64> = 0...1_000_000

    struct Read {
        /// `patron.loans[1].title`
        let path: String
        let value: Value
        /// On which ways it was read.
        var way = Condition.constant(true)
    }

    /// The case that this one is made of.
    let origin: CaseModel?
    /// Makes of the case as it is written the one that it is held against.
    var beside: ((JSONObject, Assignment) -> JSONObject?)?

    init(_ path: Path, _ domain: ProofDomain, _ point: DecisionPoint, _ texts: Texts) {
        (self.path, self.domain, self.point, self.texts, origin) = (path, domain, point, texts, nil)
    }

    /// The case in which the desk asks what a loan costs, as ``MatchedRule/rentalQuestion(of:until:)`` makes it.
    ///
    /// - Parameters:
    ///   - start: from when on it costs something.
    ///   - end: when it is due.
    init(pricing origin: CaseModel, from start: Number, until end: Number) throws {
        (path, domain, point, texts) = (origin.path, origin.domain, .price, origin.texts)
        self.origin = origin
        let loan = try origin.part("loan")
        var fields: [String: Value] = [
            "lent_at": .instant(start, .plain), "due_at": .instant(end, .plain), "days_overdue": .integer(0),
            "hours_overdue": .integer(0), "open_days_overdue": .integer(0),
        ]
        if case .integer(let renewals)? = try loan?.value("renewals") {
            fields["renewals"] = .integer(renewals + .constant(1))
        } else {
            let isOnSite = origin.point == .price ? .constant(false) : try origin.flag("request", "on_site")
            fields.merge([
                ("id", .integer(0)), ("original_due_at", .instant(end, .plain)), ("renewals", .integer(0)),
                ("unseen_renewals", .integer(0)), ("on_site", .flag(isOnSite)),
            ]) { known, _ in known }
        }
        fields["notices"] = .table(Table())
        let names = loan?.names ?? RecordShape(CaseRecords.loan).fields.map(\.name)
        let priced = Record("case.loan", names: names, path.journal) { name in
            try fields[name] ?? loan?.value(name) ?? .null
        }
        root = Record(origin.root.name, at: nil, names: origin.root.names, path.journal) { name in
            switch name {
            case "point": .text(DecisionPoint.price.rawValue)
            case "loan": .record(priced)
            case "request", "lines": .null
            default: try origin.root.value(name) ?? .null
            }
        }
    }

    /// The case whose loan was due earlier than another's, all else being alike.
    init(laterThan origin: CaseModel) throws {
        (path, domain, point, texts) = (origin.path, origin.domain, origin.point, origin.texts)
        self.origin = origin
        let due = try path.instant("an earlier due time", ProofDomain.days)
        try path.assume(due <= origin.dueAt())
        guard let loan = try origin.part("loan") else { return }
        let earlier = Record(loan.name, at: nil, names: loan.names, path.journal) { [unowned self] name in
            if name == "due_at" { return .instant(due, .plain) }
            return try lateness(name) ?? loan.value(name) ?? .null
        }
        root = Record(origin.root.name, at: nil, names: origin.root.names, path.journal) { name in
            try name == "loan" ? .record(earlier) : origin.root.value(name) ?? .null
        }
        origin.beside = { question, values in
            guard let moment = values.value(due), var loan = question["loan"]?.objectValue else { return nil }
            loan["due_at"] = .string(Instant(microseconds: moment).description)
            var other = question
            other["loan"] = .object(loan)
            return other
        }
    }

    /// The case of a patron of a category below the one of another case, which nothing of the policy names; nil where the
    /// categories of the library have none such.
    ///
    /// - Parameter named: the category of the other case.
    init?(below named: String, of origin: CaseModel) throws {
        var code = "below \(named)"
        if let tree = origin.domain.codes.categories {
            let all = tree.keys.sorted().filter { word in
                !origin.texts.isKnown(word) && tree[word]?.first(where: origin.texts.isKnown) == named
            }
            guard let first = all.first else { return nil }
            code = first
        }
        (path, domain, point, texts) = (origin.path, origin.domain, origin.point, origin.texts)
        self.origin = origin
        guard let patron = try origin.part("patron"), case .list(let above)? = try patron.value("categories") else {
            return nil
        }
        // Those behind the ones that are looked at one by one are others than those of the other case.
        let list = "\(above.name) and one below"
        let categories = List(
            list,
            length: { [unowned self] in
                let length = try path.number("#\(list)", ProofDomain.listLength)
                try path.assume(length.equals(above.length() + .constant(1)))
                return length
            },
            element: { [unowned self] place in
                if place == 1 { return .text(code) }
                if place > 0 { return try above.element(place - 1) }
                return .text(.symbol(try path.number("\(list)[\(place)]", Self.texts)))
            },
            contains: { try ($0 == .known(code) ? .constant(true) : above.contains?($0)) ?? .constant(false) })
        let lower = Record(patron.name, at: nil, names: patron.names, path.journal) { name in
            switch name {
            case "category": .text(code)
            case "categories": .list(categories)
            default: try patron.value(name) ?? .null
            }
        }
        root = Record(origin.root.name, at: nil, names: origin.root.names, path.journal) { name in
            try name == "patron" ? .record(lower) : origin.root.value(name) ?? .null
        }
        origin.beside = { question, _ in
            guard var patron = question["patron"]?.objectValue, let category = patron["category"] else { return nil }
            patron["category"] = .array([.string(code)] + (category.arrayValue ?? [category]))
            var other = question
            other["patron"] = .object(patron)
            return other
        }
    }

    /// What a policy's functions are handed.
    private(set) lazy var root = record(domain.shape, at: "")

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

    /// Notes what was read of the case, so that a case is written with it.
    func note(_ path: String, _ value: Value) {
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
        if let value = try reckoned(field, path) {
            if case .integer(let number) = value, number.constant == nil { self.path.say(number, "`\(path)`") }
            return value
        }
        if prefix.hasPrefix("lines["), field.name == "amount" { return .money(try amount(of: prefix)) }
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
        if path == "copy", known != nil { return false }
        // A copy is of some type.
        guard field.mayBeAbsent, field.name != "item_type" else { return false }
        return try !self.path.holds(try self.path.condition("\(path) is there"))
    }

    private func there(_ field: RecordShape.Field, _ path: String, _ prefix: String) throws -> Value {
        switch field.content {
        case .calendar: return .calendar
        case .record(let shape): return .record(record(shape, at: path))
        case .list(let shape): return .list(try records(shape, at: path))
        case .value(let kind):
            let isCounted = field.meaning == .itemType || field.name == "claimed"
            if isCounted, prefix.hasPrefix("patron.loans[") { try loanCounts?.relate() }
            if let chain = chain(field, prefix) {
                return kind.isList ? .list(chain.list) : .text(try chain.text())
            }
            let value = try plain(kind, field.name, path)
            try bound(value, field.name, of: prefix)
            return value
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
        if let origin { return origin.chain(name, meaning) }
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
        case .texts: return .list(texts(at: path))
        case .actions: return .list(texts(at: path, among: Self.actions))
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
        let number = try self.path.instant(path, name == "now" ? ProofDomain.today : ProofDomain.days)
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
        case "patron.birth_date": return try birthDate()
        case _ where path.hasPrefix("loan."): return try lateness(field.name)
        default: return nil
        }
    }

    private func lateness(_ name: String) throws -> Value? {
        switch name {
        case "days_overdue": return .integer(try daysOverdue())
        case "hours_overdue":
            let late = try now() - dueAt()
            return .integer(late.greatest(.constant(0)).divided(by: 3_600_000_000))
        case "open_days_overdue":
            let due = try dueAt().divided(by: ProofDomain.microsecondsPerDay)
            return .integer(try Calendar(path: path).openDays(after: due, to: today()).greatest(.constant(0)))
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
        // A list within an element of another is seldom looked at by people.
        if path.contains("[") { self.path.wish(length.equals(.constant(0))) }
        self.path.wish(length <= .constant(3))
        return length
    }

    private func list(_ list: List, at path: String) -> List {
        self.path.looks.lists[path] = list.contains != nil
        return list
    }

    private func records(_ shape: RecordShape, at path: String) throws -> List {
        let list = list(
            List(
                path, length: { [unowned self] in try length(of: path) },
                element: { [unowned self] in .record(record(shape, at: "\(path)[\($0)]")) }), at: path)
        if path == Self.blocks { try relateBlocks() }
        return list
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

    /// The words that a list of actions has.
    static let actions = BlockFacts.Action.allCases.map(\.rawValue)

    /// - Parameter words: those that the list can have; nil: any.
    func texts(at path: String, among words: [String]? = nil) -> List {
        let list = TextList(path, self, words)
        return self.list(
            List(
                path, length: { [unowned self] in try length(of: path) }, element: list.element,
                contains: list.contains), at: path)
    }
}
