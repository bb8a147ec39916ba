import Circulation
import LuaSyntax

/// Carries Lua out on values of which a case has not been chosen: where it comes to a condition, the path says which way.
final class Interpreter {
    let path: Path
    let texts: Texts
    let currency: Currency
    let library: Library
    /// Words beside those of the library; they are looked up first.
    var words: [String: Value] = [:]
    /// The statements that were carried out.
    private(set) var ran: Set<Site> = []
    /// The answer that was given last.
    var answeredAt: Site?
    /// Is called where a way through a condition that is put together ends.
    var wayEnds: (() throws -> Void)?
    private var predicates: [FunctionBody: Bool] = [:]
    private var choices: [FunctionBody: Bool] = [:]
    private var steps = 0
    private var depth = 0
    /// The lists of the case by their length, where that was asked.
    var measured: [Number: List] = [:]
    /// How many loops were followed by a round that stands for all.
    var loops = 0
    /// After so many such rounds something is made now.
    var age = 0
    /// Within such a round: what was made before this age stays as it is, but for these variables.
    var guarded: (age: Int, but: Set<ObjectIdentifier>)?

    /// Whether the way does not fork by which entry of a table a text or a number of the case is the key of, nor by which of its
    /// values a function answers. Where differences are told by ways it does.
    var joinsLookUps = false

    private static let mostSteps = 200_000
    private static let mostDepth = 150
    /// How often a loop goes round whose end the case decides.
    static let mostRounds: Int64 = 4

    init(_ path: Path, _ texts: Texts, _ currency: Currency, _ library: Library) {
        (self.path, self.texts, self.currency, self.library) = (path, texts, currency, library)
    }

    /// What a function comes to that was called.
    enum Flow {
        case next, leave
        case answer([Value])
    }

    /// How much of the limits is used up.
    struct Carried {
        let steps, depth: Int
    }

    /// What has been used up so far; it is set back where one way after the other is gone from one point.
    var carried: Carried {
        get { Carried(steps: steps, depth: depth) }
        set { (steps, depth) = (newValue.steps, newValue.depth) }
    }

    /// The variables that a function, or a file, sees.
    final class Scope {
        let file: String
        var boxes: [Int: Box]
        var extra: [Value]

        init(file: String, boxes: [Int: Box] = [:], extra: [Value] = []) {
            (self.file, self.boxes, self.extra) = (file, boxes, extra)
        }

        func site(_ range: SourceRange) -> Site { Site(file: file, line: range.start.line) }
    }

    // MARK: - Calls

    /// A function that is made on the way at hand.
    func made(_ body: FunctionBody, _ scope: Scope) -> Closure {
        let closure = Closure(body, file: scope.file, captured: scope.boxes)
        path.made(closure)
        return closure
    }

    /// Runs a file's own statements.
    func run(_ chunk: Chunk) throws -> [Value] {
        if case .answer(let values) = try execute(chunk.block, Scope(file: chunk.name)) { return values }
        return []
    }

    func call(_ function: Value, _ arguments: [Value], at site: Site) throws -> [Value] {
        switch function {
        case .function(let closure): return try call(closure, arguments, at: site)
        case .word(let word): return try word.call(self, arguments, site)
        default: throw Raised("attempt to call a \(function.kind) value", at: site)
        }
    }

    private func call(_ closure: Closure, _ arguments: [Value], at site: Site) throws -> [Value] {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.mostDepth { throw site.unsettled("functions call each other without end, as far as is seen") }
        if try isPredicate(closure.body),
            let condition = try summary(
                key(closure, arguments),
                {
                    let values = try self.carryOut(closure, arguments)
                    return values.count == 1 ? values[0] : nil
                })
        {
            return [.flag(condition)]
        }
        return try joined(closure, arguments) ?? carryOut(closure, arguments)
    }

    /// The value that a function answers, put together of all its ways; nil where that cannot be done.
    private func joined(_ closure: Closure, _ arguments: [Value]) throws -> [Value]? {
        guard joinsLookUps, closure.isFrozen, isChoice(closure.body) else { return nil }
        let before = carried
        let outcomes = try path.outcomes(named: key(closure, arguments), in: library.summaries) {
            carried = before
            guard let values = try answer(closure, arguments) else {
                return Explorer.Outcome(values: [.null], flow: .leave)
            }
            let value = values.first ?? .null
            guard values.count <= 1, value.isPlain else { return nil }
            try wayEnds?()
            return Explorer.Outcome(values: [value])
        }
        guard let outcomes else { return nil }
        let (answers, others) = (outcomes.filter(\.flow.isNext), outcomes.filter { !$0.flow.isNext })
        if answers.isEmpty { return nil }
        let known = answers.filter { !$0.values[0].isNull }
        let value = Value.joined(known.map { ($0.way, $0.values[0]) }, from: .null, texts)
        if value == nil, !known.isEmpty { return nil }
        // Where it raises an error it is carried out by itself.
        if !others.isEmpty, try path.holds(.some(others.map(\.way))) { return nil }
        guard let value else { return [.null] }
        if known.count == answers.count { return [value] }
        return try path.holds(.some(known.map(\.way))) ? [value] : [.null]
    }

    /// What a function answers; nil where it raises an error, or cannot be followed.
    private func answer(_ closure: Closure, _ arguments: [Value]) throws -> [Value]? {
        do {
            return try carryOut(closure, arguments)
        } catch is Raised {
            return nil
        } catch is Unsettled {
            return nil
        }
    }

    /// Whether a function answers one of several values, as far as that is seen.
    private func isChoice(_ body: FunctionBody) -> Bool {
        if let known = choices[body] { return known }
        var finder = AnswerFinder()
        body.block.walk(&finder)
        let isChoice =
            !finder.asksDesk && finder.branches > 0 && !finder.answers.isEmpty && !finder.hasSeveralValues
            && finder.answers.allSatisfy(\.looksPlain)
        choices[body] = isChoice
        return isChoice
    }

    private func carryOut(_ closure: Closure, _ arguments: [Value]) throws -> [Value] {
        let scope = Scope(file: closure.file, boxes: closure.captured)
        for (index, parameter) in closure.body.parameters.enumerated() {
            scope.boxes[parameter.id] = box(index < arguments.count ? arguments[index] : .null)
        }
        if closure.body.isVararg { scope.extra = Array(arguments.dropFirst(closure.body.parameters.count)) }
        if case .answer(let values) = try execute(closure.body.block, scope) { return values }
        return []
    }

    /// A new variable.
    func box(_ value: Value) -> Box { Box(value, depth: path.journal.depth, age: age) }

    // MARK: - Conditions of several ways

    /// Whether each answer of a function looks like true or false, so that its ways can be put together.
    private func isPredicate(_ body: FunctionBody) throws -> Bool {
        if let known = predicates[body] { return known }
        var finder = AnswerFinder()
        body.block.walk(&finder)
        // What the desk would answer depends on more than the case.
        let isPredicate = !finder.asksDesk && !finder.answers.isEmpty && finder.answers.allSatisfy(\.looksTrueOrFalse)
        predicates[body] = isPredicate
        return isPredicate
    }

    /// What all ways through something come to; nil where that is not true or false on each.
    ///
    /// - Parameter name: tells it from others; nil: it may depend on what went before.
    func summary(_ name: String? = nil, _ body: () throws -> Value?) throws -> Condition? {
        let before = carried
        func condition() throws -> Condition? {
            carried = before
            guard case .flag(let condition) = try body() else { return nil }
            try wayEnds?()
            return condition
        }
        guard let name else { return try path.summary(condition) }
        return try path.summary(named: name, in: library.summaries, condition)
    }

    /// What a call comes to depends on nothing else; nil where it does.
    private func key(_ closure: Closure, _ arguments: [Value]) -> String? {
        guard closure.isFrozen else { return nil }
        // Two functions of one text may have other variables around them.
        var key = "\(closure.file) \(ObjectIdentifier(closure))"
        for argument in arguments {
            switch argument {
            case .record(let record):
                guard let place = record.place else { return nil }
                key += " [\(place)]"
            case .null, .flag(.constant), .integer(.constant), .text(.known): key += " \(name(of: argument))"
            default: return nil
            }
        }
        return key
    }

    func note(_ site: Site) { ran.insert(site) }

    func count(_ site: Site) throws {
        steps += 1
        if steps > Self.mostSteps { throw site.unsettled("it takes too many steps") }
    }

    // MARK: - Truth

    /// Whether a value counts as true.
    func isTrue(_ value: Value) throws -> Bool {
        switch value {
        case .null: false
        case .flag(let condition): try path.holds(condition)
        default: true
        }
    }
}

/// A value that Lua itself can be handed.
enum PlainValue: Hashable {
    case null
    case flag(Bool)
    case integer(Int64)
    case float(Double)
    case text(String)

    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .flag(.constant(let value)): self = .flag(value)
        case .integer(.constant(let value)): self = .integer(value)
        case .float(let value): self = .float(value)
        case .text(.known(let text)): self = .text(text)
        default: return nil
        }
    }

    var value: Value {
        switch self {
        case .null: .null
        case .flag(let value): .flag(value)
        case .integer(let value): .integer(value)
        case .float(let value): .float(value)
        case .text(let text): .text(text)
        }
    }
}

/// Finds the answers of a function, but not those of functions inside it.
private struct AnswerFinder: LuaVisitor {
    var answers: [Expression] = []
    /// Whether it calls `standard`.
    var asksDesk = false
    /// Whether an answer has more values than one.
    var hasSeveralValues = false
    /// How many statements it has that choose.
    var branches = 0
    private var depth = 0

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.name == "standard" { asksDesk = true }
    }

    mutating func enter(_ function: FunctionBody) { depth += 1 }
    mutating func leave(_ function: FunctionBody) { depth -= 1 }

    mutating func enter(_ statement: Statement) {
        guard depth == 0 else { return }
        switch statement.kind {
        case .return(let values):
            answers += values.prefix(1)
            if values.count > 1 { hasSeveralValues = true }
        case .conditional, .whileLoop, .repeatLoop, .numericFor, .genericFor: branches += 1
        default: break
        }
    }
}

extension Expression {
    /// Whether it may be a number, an amount, a moment, a text or nothing: no table, no function, no answer of a policy.
    fileprivate var looksPlain: Bool {
        switch withoutParentheses.kind {
        case .table, .function, .vararg: false
        case .suffixed(let suffixed): !suffixed.isAnswer
        case .binary(let binary): binary.links.allSatisfy(\.operand.looksPlain)
        default: true
        }
    }

    /// Whether it is a comparison, a negation, `true` or `false`, or put together of such and of calls.
    var looksTrueOrFalse: Bool {
        switch withoutParentheses.kind {
        case .boolean, .unary(.not, _): return true
        case .binary(let binary):
            return binary.looksTrueOrFalse
        case .suffixed(let suffixed): return suffixed.isPlainCall
        default: return false
        }
    }
}

extension BinaryExpression {
    var looksTrueOrFalse: Bool {
        guard let last = links.last else { return false }
        switch last.operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return true
        case .and, .or: return last.operand.looksTrueOrFalse
        default: return false
        }
    }

    /// Whether it is nothing but `and`s and `or`s, so that its ways can be put together.
    var isChoice: Bool { looksTrueOrFalse && links.allSatisfy { $0.operation == .and || $0.operation == .or } }
}

extension SuffixedExpression {
    /// What a policy answers with.
    private static let answers: Set<String> = [
        "deny", "allow", "confirm", "review", "notice", "charge", "suspend", "declare_lost", "exact",
    ]

    /// `deny(code, message)` or another word of answers.
    fileprivate var isAnswer: Bool {
        guard case .variable(let variable) = base.kind else { return false }
        return Self.answers.contains(variable.name)
    }

    /// `has(list, value)`, `within(code, above)` or another function by its name alone.
    fileprivate var isPlainCall: Bool {
        guard case .variable = base.kind, suffixes.count == 1, case .call = suffixes[0].kind else { return false }
        return true
    }
}
