package import Circulation
import LuaSyntax
import TextFormats

/// What of two policies is the same as it is written: functions word for word, rows in the same order with the same values.
struct PolicyLikeness {
    private let one: PolicyModel
    private let other: PolicyModel
    private var functions: Set<DecisionPoint> = []
    /// Groups of fields that not the same rows set.
    private(set) var groups: [RuleGroup] = []
    /// Those of them whose rows ask functions: the desk asks these at every point, and one that fails is a failed decision.
    private var asking: Set<RuleGroup> = []
    private var limits = false
    private var notices = false
    private var membership = false
    /// Whether the `when` functions of their rows are the same, one by one.
    let hasSameConditions: Bool

    init(_ one: PolicyModel, _ other: PolicyModel) {
        (self.one, self.other) = (one, other)
        var sameness = ValueSameness(one, other)
        for point in DecisionPoint.allCases {
            let (left, right) = (one.functions[point], other.functions[point])
            switch (left, right) {
            case (nil, nil): functions.insert(point)
            case (let left?, let right?):
                if sameness.isSame(.function(left), .function(right)) { functions.insert(point) }
            default: break
            }
        }
        hasSameConditions =
            one.conditions.count == other.conditions.count
            && one.conditions.allSatisfy { when, closure in
                other.conditions[when].map { sameness.isSame(.function(closure), .function($0)) } ?? false
            }
        let (tables, others) = (one.tables.source, other.tables.source)
        limits = Self.same(tables.limits, others.limits) { left, right in
            left.saysSame(as: right) && sameness.isSame(left.conditions, right.conditions)
        }
        notices = Self.same(tables.notices, others.notices) { left, right in
            left.isSame(as: right) && sameness.isSame(left.conditions, right.conditions)
        }
        membership = Self.same(tables.membership, others.membership) { left, right in
            left.saysSame(as: right) && sameness.isSame(left.conditions, right.conditions)
        }
        let all = one.tables.groups + other.tables.groups.filter { !one.tables.groups.contains($0) }
        groups = all.filter { !Self.isSame($0, one.tables, other.tables, &sameness) }
        asking = Set(groups.filter { Self.asks($0, one.tables) || Self.asks($0, other.tables) })
    }

    /// Whether a row that sets a group asks a function.
    private static func asks(_ group: RuleGroup, _ tables: CompiledTables) -> Bool {
        tables.rows(setting: group).contains { tables.source.rules[$0].conditions.when != nil }
    }

    private static func same<Row>(_ rows: [Row], _ others: [Row], _ isSame: (Row, Row) -> Bool) -> Bool {
        rows.count == others.count && zip(rows, others).allSatisfy(isSame)
    }

    private static func isSame(
        _ group: RuleGroup, _ one: CompiledTables, _ other: CompiledTables, _ sameness: inout ValueSameness
    ) -> Bool {
        if one.ordersRowsByCase || other.ordersRowsByCase, one.source.match != other.source.match { return false }
        let (rows, others) = (one.rows(setting: group), other.rows(setting: group))
        guard rows.count == others.count else { return false }
        for (row, otherRow) in zip(rows, others) {
            let (left, right) = (one.source.rules[row], other.source.rules[otherRow])
            if left.values(of: group) != right.values(of: group) || !sameness.isSame(left.conditions, right.conditions)
            {
                return false
            }
        }
        return true
    }

    /// What is to be compared at a point; nothing where it is the same as it is written.
    func questions(at point: DecisionPoint) -> [ComparedQuestion] {
        let parts: [ComparedQuestion.Part] = point == .checkout ? [.answer, .loan] : [.whole]
        return parts.map { ComparedQuestion(point: point, part: $0) }
            .filter { !isSameBesideRules($0) || !groups($0).isEmpty }
    }

    /// Whether the same functions are asked at a point, if any are.
    func hasSameFunction(at point: DecisionPoint) -> Bool { functions.contains(point) }

    /// The functions that are asked.
    private func asked(_ question: ComparedQuestion) -> [DecisionPoint] {
        switch question.point {
        case .checkout: question.part == .loan ? [.due, .price] : [.checkout]
        case .due: [.due, .price]
        case .renew: [.renew, .price]
        default: [question.point]
        }
    }

    /// The groups that differ and matter; functions may read all of them.
    func groups(_ question: ComparedQuestion) -> [RuleGroup] {
        // It is asked before it is known what is to be lent.
        if !question.point.hasRule { return [] }
        let isFree = asked(question).contains { one.functions[$0] != nil || other.functions[$0] != nil }
        let asked = question.part == .loan ? [] : asking
        return isFree ? groups : groups.filter { question.groups.contains($0) || asked.contains($0) }
    }

    /// Whether beside the rows of `rules` nothing differs.
    func isSameBesideRules(_ question: ComparedQuestion) -> Bool {
        let point = question.point
        return asked(question).allSatisfy(functions.contains)
            && (limits || point != .checkout || question.part == .loan)
            && (notices || point != .overdue) && (membership || point != .expiry)
            && (question.part == .loan || messages)
    }

    private var messages: Bool { one.tables.source.messages == other.tables.source.messages }
}

extension ComparedQuestion {
    /// The groups of fields of which something is reckoned.
    fileprivate var groups: Set<RuleGroup> {
        if point != .checkout { return point.reckonedGroups }
        return part == .loan ? [.period, .rental] : [.lending, .period, .sameTitle]
    }
}

extension DecisionPoint {
    /// The groups of fields of which the desk itself reckons something at a point.
    package var reckonedGroups: Set<RuleGroup> {
        switch self {
        case .checkout: [.lending, .period, .sameTitle, .rental]
        case .due: [.period, .rental]
        case .renew: [.renewal, .period, .rental]
        case .hold: [.lending, .period, .hold, .sameTitle]
        case .fine: [.fine]
        case .checkin: [.suspension, .fine]
        case .lost: [.lost]
        case .price: [.rental]
        case .request, .recall, .overdue, .publish, .notify, .expiry: []
        }
    }
}

extension RuleRow {
    /// The fields of a group that it sets, and what its conditions say of their meaning.
    package func values(of group: RuleGroup) -> [String: RuleValue] {
        var values = fields.filter { (RuleField.named[$0.key]?.group ?? .free($0.key)) == group }
        if group == .hold, let types = typesOfCountedHolds {
            values[Self.countedTypes] = .free(.array(types.map { .string($0) }))
        }
        return values
    }

    /// What ``values(of:)`` has beside fields: the item types by which the row counts holds.
    package static let countedTypes = "holds_of_item_type counts"
}

extension NoticeRow {
    /// Whether everything is the same but the conditions and the place.
    fileprivate func isSame(as other: NoticeRow) -> Bool {
        var copy = other
        (copy.conditions, copy.place) = (conditions, place)
        return copy == self
    }
}

/// Whether values of two policies are the same as they are written.
struct ValueSameness {
    private let one: PolicyModel
    private let other: PolicyModel
    /// Pairs that are being looked at: what is reached from them again is the same if they are.
    private var assumed: Set<[ObjectIdentifier]> = []

    init(_ one: PolicyModel, _ other: PolicyModel) { (self.one, self.other) = (one, other) }

    mutating func isSame(_ left: RowConditions, _ right: RowConditions) -> Bool {
        var plain = right
        plain.when = left.when
        guard plain == left, (left.when == nil) == (right.when == nil) else { return false }
        guard let when = left.when.flatMap({ one.conditions[$0] }),
            let otherWhen = right.when.flatMap({ other.conditions[$0] })
        else { return left.when == nil }
        return isSame(.function(when), .function(otherWhen))
    }

    mutating func isSame(_ left: Value, _ right: Value) -> Bool {
        assumed = []
        return matches(left, right)
    }

    private mutating func matches(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.function(let left), .function(let right)): return matches(left, right)
        case (.table(let left), .table(let right)): return matches(left, right)
        case (.word(let left), .word(let right)): return left.name == right.name
        case (.null, .null), (.unlimited, .unlimited), (.nothing, .nothing), (.calendar, .calendar): return true
        case (.flag(let left), .flag(let right)): return left == right
        case (.integer(let left), .integer(let right)), (.money(let left), .money(let right)),
            (.date(let left), .date(let right)):
            return left == right
        case (.float(let left), .float(let right)): return left == right
        case (.text(let left), .text(let right)): return left == right
        case (.period(let left, let unit), .period(let right, let otherUnit)): return left == right && unit == otherUnit
        case (.percent(let left), .percent(let right)): return left == right
        case (.instant(let left, let nature), .instant(let right, let otherNature)):
            return left == right && nature == otherNature
        default: return false
        }
    }

    private mutating func matches(_ left: Table, _ right: Table) -> Bool {
        guard assumed.insert([ObjectIdentifier(left), ObjectIdentifier(right)]).inserted else { return true }
        guard left.order == right.order else { return false }
        for key in left.order where !matches(left[key], right[key]) { return false }
        return true
    }

    private mutating func matches(_ left: Closure, _ right: Closure) -> Bool {
        guard assumed.insert([ObjectIdentifier(left), ObjectIdentifier(right)]).inserted else { return true }
        guard let text = one.text(of: left), text == other.text(of: right) else { return false }
        // Of one text, so that the variables stand in the same order.
        let (variables, others) = (VariableFinder.variables(of: left.body), VariableFinder.variables(of: right.body))
        guard variables.count == others.count else { return false }
        for (variable, otherVariable) in zip(variables, others) {
            let box = variable.declaration.flatMap { left.captured[$0] }
            let otherBox = otherVariable.declaration.flatMap { right.captured[$0] }
            switch (box, otherBox) {
            case (nil, nil): continue
            case (let box?, let otherBox?): if !matches(box.value, otherBox.value) { return false }
            default: return false
            }
        }
        return true
    }
}

/// The variables in a function, in the order in which they stand.
private struct VariableFinder: LuaVisitor {
    private var variables: [Variable] = []

    static func variables(of body: FunctionBody) -> [Variable] {
        var finder = VariableFinder()
        body.block.walk(&finder)
        return finder.variables
    }

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind { variables.append(variable) }
    }
}

extension LimitRow {
    /// Whether both count alike, conditions aside.
    fileprivate func saysSame(as other: LimitRow) -> Bool {
        maximum == other.maximum && within == other.within && isPerTitle == other.isPerTitle
            && countsClaimed == other.countsClaimed && owedFor == other.owedFor
            && of == other.of && owed == other.owed
    }
}

extension MembershipRow {
    /// Whether both end memberships alike, conditions aside.
    fileprivate func saysSame(as other: MembershipRow) -> Bool {
        var copy = other
        copy.conditions = conditions
        return isSame(as: copy)
    }
}
