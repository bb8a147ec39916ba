import Circulation

/// What the desk would decide on one way through a question.
struct DecisionModel {
    /// One reason against a request.
    struct Reason {
        enum Weight { case refuses, overridable, asks }

        let code: Text
        let message: Value
        var weight = Weight.refuses
        /// When it is one.
        var condition: Condition

        init(_ code: String, _ message: Value? = nil, _ weight: Weight = .refuses, when condition: Condition) {
            self.init(.known(code), message ?? Self.ownWords, weight, when: condition)
        }

        init(_ code: Text, _ message: Value, _ weight: Weight, when condition: Condition = .constant(true)) {
            (self.code, self.message, self.weight, self.condition) = (code, message, weight, condition)
        }

        static let ownText = "The desk's own words."

        /// The desk's words as a function is handed them: any text.
        ///
        /// - Parameter place: the reason's among the others.
        func ownWords(_ place: Int, on path: Path) throws -> Value {
            guard case .text(.known(Self.ownText)) = message, case .known(let code) = code else { return message }
            return .text(.symbol(try path.number("\(Self.ownName)\(code), \(place)", CaseModel.texts)))
        }

        /// Whether the desk gives it once for each block that stops the patron.
        var isOfBlocks: Bool { code == .known(Self.ofBlocks) && (hasOwnWords || isOfDesk) }

        /// Whether the desk itself gives it.
        private var isOfDesk: Bool {
            if case .text(.known(Self.ownText)) = message { true } else { false }
        }

        static let ofBlocks = "blocked"

        /// Whether its words are those that the desk gave.
        var hasOwnWords: Bool { ownName != nil }

        /// The name of the variable that stands for the desk's words.
        fileprivate var ownName: String? {
            guard case .text(.symbol(.variable(let variable))) = message, variable.name.hasPrefix(Self.ownName) else {
                return nil
            }
            return variable.name
        }

        private static let ownName = "the desk's words for "
        private static var ownWords: Value { .text(ownText) }
    }

    struct Due {
        let instant: Number
        let date: Number
        let isExact: Bool

        var value: Value { isExact ? .instant(instant, .exact) : .date(date) }
    }

    struct Notice {
        let stage: Value
        var repetition: Value = .integer(0)
        let channel: Value
        let subject: Value
        let body: Value
        var charge: Value = .null
        var isSuperseded: Value = .flag(false)
        /// The row of the table that it is of; nil: a function's.
        var row: Int?
    }

    struct Charge {
        let key: Value
        let amount: Number
        let label: Value
    }

    struct Line {
        let label: Value
        let amount: Number
        /// Of which any number of lines it is the sum; nil: it is one.
        var tail: Table.Tail?
    }

    /// `allow`, `review` or `failed` where no reason speaks against it.
    var answer = "allow"
    var verdict = VerdictModel()
    var due: Due?
    /// Reckons the due time where it is asked for.
    var pending: PendingDue?
    var priority: Value?
    var fine: Number?
    var notices: [Notice] = []
    var charges: [Charge] = []
    /// The last day.
    var suspendedUntil: Number?
    var isLost = false
    var lostFee: Number?
    var rental: [Line] = []
    var lines: [Line]?
    /// The same as the policy's own table.
    var lineTable: Value?
    var message: Value?
    /// When a membership ends: a date, unlimited, or nil for nothing said.
    var membership: Value?
    var failure: Failure?
    /// What cannot be said of the notices.
    var unsettledNotices: Unsettled?
    /// Why it can be any decision; nil: it is known.
    private(set) var unsettled: Unsettled?

    /// The decision of a way that cannot be followed to its end.
    static func unsettled(_ why: Unsettled) -> DecisionModel {
        var decision = DecisionModel()
        decision.unsettled = why
        return decision
    }
}

/// What speaks against a request, and what it comes to.
struct VerdictModel {
    var reasons: [DecisionModel.Reason]

    init(_ reasons: [DecisionModel.Reason] = []) {
        self.reasons = reasons.filter { $0.condition != .constant(false) }
    }

    mutating func add(_ more: [DecisionModel.Reason]) { reasons += more.filter { $0.condition != .constant(false) } }

    /// A function may hand on what `standard` gave it: then the reason weighs what the function says.
    mutating func add(_ reason: DecisionModel.Reason) {
        let same = reasons.indices.first { place in
            let known = reasons[place]
            guard known.code == reason.code, case .text(let one) = known.message, case .text(let other) = reason.message
            else { return false }
            guard let name = reason.ownName, case .known(let code) = known.code else { return one == other }
            return name.hasSuffix("\(code), \(place)")
        }
        if let same {
            reasons[same].weight = reason.weight
            reasons[same].condition = .constant(true)
        } else {
            reasons.append(reason)
        }
    }

    mutating func setAside(_ codes: [String]) {
        reasons.removeAll { reason in
            if case .known(let code) = reason.code { codes.contains(code) } else { false }
        }
    }

    /// Whether nothing speaks against it.
    var isAllowed: Condition { isWithout { _ in true } }
    /// Whether there is something, and all of it only asks.
    var isQuestion: Condition { isAllowed.negated && isWithout { $0 != .asks } }
    /// Whether there is something, and staff may go on in spite of all of it.
    var mayBeOverridden: Condition { isAllowed.negated && isWithout { $0 == .refuses } }
    /// Whether it comes to a loan, at once or when staff say so.
    var mayBecomeLoan: Condition { isWithout { $0 == .refuses } }

    private func isWithout(_ weighs: (DecisionModel.Reason.Weight) -> Bool) -> Condition {
        .every(reasons.filter { weighs($0.weight) }.map(\.condition.negated))
    }

    /// The first reason there is on a way; nil if there is none.
    func first(on path: Path) throws -> DecisionModel.Reason? {
        for reason in reasons where try path.holds(reason.condition) { return reason }
        return nil
    }

    /// What `standard` gives inside a function.
    func standard(on path: Path, due: () throws -> DecisionModel.Due? = { nil }) throws -> Value {
        guard let place = try reasons.indices.first(where: { try path.holds(reasons[$0].condition) }) else {
            return try due().map { .table(Table([("answer", .text("allow")), ("due", $0.value)])) } ?? .null
        }
        let reason = reasons[place]
        let word = try path.holds(isQuestion) ? "confirm" : "deny"
        return .table(
            Table([
                ("answer", .text(word)), ("code", .text(reason.code)),
                ("message", try reason.ownWords(place, on: path)),
            ]))
    }
}

/// A due time that has not been reckoned yet: seldom does a property read it, and then only whether it can be reckoned at all
/// matters.
final class PendingDue {
    /// Whether the way at hand is one on which that fails.
    let fails: Bool
    private let reckon: () throws -> (due: DecisionModel.Due?, rental: [DecisionModel.Line])
    private var known: (due: DecisionModel.Due?, rental: [DecisionModel.Line])?

    init(fails: Bool, _ reckon: @escaping () throws -> (due: DecisionModel.Due?, rental: [DecisionModel.Line])) {
        (self.fails, self.reckon) = (fails, reckon)
    }

    /// - Throws: ``Abandoned`` where it cannot be reckoned, but the way is one on which it can.
    func value(_ path: Path) throws -> (due: DecisionModel.Due?, rental: [DecisionModel.Line]) {
        if let known { return known }
        do {
            let found = try reckon()
            if fails { throw Abandoned() }
            known = found
            path.journal.note { [self] in known = nil }
            return found
        } catch let failure as Failure {
            if fails { throw failure }
            throw Abandoned()
        } catch let raised as Raised {
            if fails { throw raised }
            throw Abandoned()
        }
    }
}
