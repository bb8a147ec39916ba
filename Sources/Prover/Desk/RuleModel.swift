import Circulation
import TextFormats

/// Which rows of a policy's tables a case matches: each is asked about when it first matters.
final class RuleModel {
    let policy: PolicyModel
    private let model: CaseModel
    private let interpreter: Interpreter
    private var rows: [RuleGroup: Int?] = [:]
    private var whens: [Int: Bool] = [:]

    init(_ policy: PolicyModel, _ model: CaseModel, _ interpreter: Interpreter) {
        (self.policy, self.model, self.interpreter) = (policy, model, interpreter)
    }

    /// Asks the functions of rows as the desk does before it decides, where one of them may fail: for all groups, also
    /// those that do not matter to the answer.
    func askConditions() throws {
        let whens = policy.tables.source.rules.compactMap(\.conditions.when)
        if whens.isEmpty || !model.point.hasRule { return }
        for when in whens {
            guard let closure = policy.conditions[when] else { continue }
            let condition = try interpreter.summary("when \(when)") { [interpreter, model] in
                let values = try interpreter.call(.function(closure), [.record(model.root)], at: closure.site)
                guard case .null? = values.first ?? .null else { return values.first }
                return .flag(false)
            }
            if condition != nil { continue }
            for group in policy.tables.groups { _ = try row(setting: group) }
            return
        }
    }

    /// The row of `rules` that sets a group; nil if none does.
    func row(setting group: RuleGroup) throws -> Int? {
        if let known = rows[group] { return known }
        let found: Int?
        if let combination = model.known {
            let rules = policy.tables.source.rules
            found = try combination.rows(group, of: policy.tables).first { try matches(rules[$0].conditions.beyond) }
        } else {
            found = try first(of: policy.tables.rows(setting: group))
        }
        rows[group] = .some(found)
        model.path.journal.note { [self] in rows[group] = nil }
        return found
    }

    /// The row that counts of some, in the order in which they are read.
    ///
    /// With `match` on item types a row that names a type nearer to the copy's own goes first among those that have the same
    /// conditions up to the item type.
    private func first(of rows: [Int]) throws -> Int? {
        let (rules, dimensions) = (policy.tables.source.rules, policy.tables.source.match?.dimensions ?? [])
        let weighed = dimensions.prefix { $0 != Self.itemType }.count + 1
        func names(_ row: Int) -> [Bool] { dimensions.prefix(weighed).map(rules[row].conditions.has) }
        var best: Int?
        for row in rows {
            if let best, names(best) != names(row) { break }
            guard try matches(rules[row].conditions) else { continue }
            guard policy.tables.ordersRowsByCase, let types = rules[row].conditions.itemTypes else {
                return best ?? row
            }
            if let known = best.flatMap({ rules[$0].conditions.itemTypes }) {
                let chain = chain("copy", Self.itemType, .itemType)
                guard try model.path.holds(chain.distance(to: types) < chain.distance(to: known)) else { continue }
            }
            best = row
        }
        return best
    }

    private static let itemType = "item_type"

    func terms(_ group: RuleGroup) throws -> RuleTerms { policy.tables.terms(ofRow: try row(setting: group)) }

    /// Where a group was set, for errors; the policy's first line where nothing sets it.
    func site(_ group: RuleGroup) throws -> Site {
        guard let row = try row(setting: group) else { return Site(file: policy.file, line: 1) }
        let place = policy.tables.source.rules[row].place
        return Site(file: place.file, line: place.line)
    }

    /// Whether a case meets all conditions of a row.
    func matches(_ conditions: RowConditions) throws -> Bool {
        try model.path.asking {
            guard try model.path.holds(meets(conditions)) else { return false }
            guard let when = conditions.when else { return true }
            return try holds(when)
        }
    }

    /// The conditions of a row but its `when`.
    func meets(_ conditions: RowConditions) throws -> Condition {
        var all: [Condition] = []
        if let words = conditions.categories {
            all.append(try chain("patron", "category", .category).containsAny(words))
        }
        if let words = conditions.branches { all.append(try model.chain("branch", .branch).containsAny(words)) }
        if let words = conditions.homeBranches {
            all.append(try chain("patron", "home_branch", .branch).containsAny(words))
        }
        if let words = conditions.itemTypes { all.append(try ofCopy("item_type", .itemType, words)) }
        if let words = conditions.copyBranches { all.append(try ofCopy("branch", .branch, words)) }
        if let words = conditions.locations { all.append(try stands(words)) }
        if let words = conditions.channels, case .text(let channel) = try model.value("actor", "channel") {
            let number = model.texts.number(of: channel)
            all.append(.some(words.map { number.equals(.constant(model.texts.number(of: $0))) }))
        }
        if let wanted = conditions.onSite {
            let isOnSite = try model.isOnSite
            all.append(wanted ? isOnSite : isOnSite.negated)
        }
        return .every(all)
    }

    private func chain(_ part: String, _ name: String, _ meaning: CaseMeaning) -> Chain {
        model.chain("\(part).\(name)", meaning)
    }

    /// Whether the copy stands in one of some places.
    private func stands(_ words: [String]) throws -> Condition {
        guard case .text(let location) = try model.value("copy", "location") else { return .constant(false) }
        let number = model.texts.number(of: location)
        return .some(words.map { number.equals(.constant(model.texts.number(of: $0))) })
    }

    private func ofCopy(_ name: String, _ meaning: CaseMeaning, _ words: [String]) throws -> Condition {
        guard try model.part("copy") != nil else { return .constant(false) }
        return try chain("copy", name, meaning).containsAny(words)
    }

    /// Whether the function of a row says so.
    func holds(_ when: Int) throws -> Bool {
        if let known = whens[when] { return known }
        guard let closure = policy.conditions[when] else { return false }
        let site = closure.site
        let answer = try interpreter.call(.function(closure), [.record(model.root)], at: site).first ?? .null
        let isSo: Bool
        switch answer {
        case .null: isSo = false
        case .flag(let condition): isSo = try model.path.holds(condition)
        default: throw Failure(code: "bad_answer", message: "when must answer true or false", site: site)
        }
        whens[when] = isSo
        model.path.journal.note { [self] in whens[when] = nil }
        return isSo
    }

    // MARK: - As functions read it

    /// The record `rule` of a policy's functions.
    lazy var record: Record = {
        let free = policy.tables.groups.compactMap { if case .free(let name) = $0 { name } else { nil } }
        return Record("rule", names: RuleField.all.map(\.name) + free, model.path.journal) { [unowned self] name in
            try value(name)?.symbolic ?? .null
        }
    }()

    /// What holds of a field; nil for nothing.
    func value(_ name: String) throws -> RuleValue? {
        let field = RuleField.named[name]
        guard let row = try row(setting: field?.group ?? .free(name)),
            let value = policy.tables.source.rules[row].fields[name]
        else { return field?.standard }
        return value == .none ? nil : value
    }

    /// What rows set of a field, `none` included.
    func setValue(_ name: String) throws -> Value {
        guard let row = try row(setting: RuleField.named[name]?.group ?? .free(name)) else { return .null }
        return policy.tables.source.rules[row].fields[name].map { $0 == .none ? .nothing : $0.symbolic } ?? .null
    }
}

extension CaseModel {
    /// Whether it is about use in the library.
    var isOnSite: Condition {
        get throws {
            if try part("loan") != nil { return try flag("loan", "on_site") }
            return try part("request") == nil ? .constant(false) : flag("request", "on_site")
        }
    }
}

extension RuleValue {
    var symbolic: Value {
        switch self {
        case .none: .nothing
        case .unlimited: .unlimited
        case .boolean(let value): .flag(value)
        case .integer(let value): .integer(value)
        case .text(let value): .text(value)
        case .period(let period): .period(.constant(period.count), period.unit)
        case .money(let money): .money(.constant(money.minorUnits))
        case .date(let date): .date(.constant(Int64(date.dayNumber)))
        case .fineSteps(let steps):
            .table(
                Table(
                    list: steps.map { step in
                        .table(
                            Table([
                                ("from", RuleValue.period(step.from).symbolic),
                                ("to", step.to.map { RuleValue.period($0).symbolic } ?? .null),
                                ("fine", RuleValue.money(step.fine).symbolic),
                            ]))
                    }))
        case .free(let json): json.symbolic
        }
    }
}

extension JSON {
    fileprivate var symbolic: Prover.Value {
        switch self {
        case .null: .null
        case .bool(let value): .flag(value)
        case .integer(let value): .integer(value)
        case .number(let value): .float(value)
        case .string(let value): .text(value)
        case .array(let values): .table(Table(list: values.map(\.symbolic)))
        case .object(let object): .table(Table(object.map { ($0.key, $0.value.symbolic) }))
        }
    }
}
