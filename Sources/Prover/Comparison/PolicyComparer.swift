package import Circulation
package import LuaSyntax
package import TextFormats

/// Compares what two policies decide, for every case that there can be. Used by one thread.
package final class PolicyComparer {
    private let prover: PolicyProver
    private let one: PolicyModel
    private let other: PolicyModel
    private let likeness: PolicyLikeness

    /// How many cases of one way are put to the desk.
    private static let attempts = 6

    /// Whether the desk itself decides a case differently in an aspect, and how.
    package typealias Confirm = (JSONObject, DecisionAspect) -> DecisionChange?

    /// - Parameters:
    ///   - prover: has the first policy.
    ///   - chunks: the other policy's file, then those that it requires.
    ///   - tables: what was read of it.
    /// - Throws: ``Unsettled`` where its files cannot be followed.
    package init(_ prover: PolicyProver, with chunks: [Chunk], tables: CompiledTables) throws {
        guard let one = prover.policy, let other = try prover.model(of: chunks, tables) else {
            throw ProofError.solver("no policy")
        }
        (self.prover, self.one, self.other) = (prover, one, other)
        likeness = PolicyLikeness(one, other)
    }

    /// Whether at a point nothing differs even as it is written.
    package func isSame(at point: DecisionPoint) -> Bool { likeness.questions(at: point).isEmpty }

    /// Whether both have the same function for a point, or none: word for word, with the same values around it.
    package func hasSameFunction(at point: DecisionPoint) -> Bool { likeness.hasSameFunction(at: point) }

    /// Whether either has a function for a point.
    package func hasFunction(at point: DecisionPoint) -> Bool {
        one.functions[point] != nil || other.functions[point] != nil
    }

    /// Whether the conditions that rows have as functions are the same in both, one by one.
    package var hasSameConditions: Bool { likeness.hasSameConditions }

    /// All cases of a point that may be decided differently, without asking the desk about any.
    ///
    /// - Parameters:
    ///   - records: the parts of a case as the library has them.
    ///   - deadline: when it is to end.
    /// - Returns: a failure where not all ways through both policies can be gone in time. Where one of them cannot be
    ///   followed to its end all its cases are taken in; see ``DifferingCases/open``.
    package func differingCases(
        at point: DecisionPoint, records: LibraryCase = .plain, until deadline: ContinuousClock.Instant
    ) throws(ProofError) -> Result<DifferingCases, Unsettled> {
        let limits = one.tables.source.limits + other.tables.source.limits
        let cases = DifferingCases(prover.texts, records, limits, prover.library)
        for question in likeness.questions(at: point) {
            do {
                try prover.explorer(until: deadline).explore { path in
                    let model = CaseModel(path, prover.domain, question.point, prover.texts)
                    do {
                        guard let pair = try decided(model, question), try pair.difference() != nil else { return true }
                        if try path.isPossible() { cases.add(path.literals) }
                    } catch let found as Unsettled {
                        if try path.isPossible() { cases.add(path.literals, open: found) }
                    } catch let raised as Raised {
                        if try path.isPossible() { cases.add(path.literals, open: raised.unsettled) }
                    }
                    return true
                }
            } catch let error as ProofError {
                throw error
            } catch let exhausted as Exhausted {
                return .failure(Unsettled(file: other.file, line: 1, message: exhausted.what))
            } catch {
                return .failure(Unsettled(file: other.file, line: 1, message: "\(error)"))
            }
        }
        return .success(cases)
    }

    /// Finds all cases of a point that are decided differently.
    ///
    /// - Parameters:
    ///   - isUntilFirst: whether one case is enough.
    ///   - deadline: when it is to end.
    ///   - confirm: has the desk itself decide a case; nil where it does not bear out what was found.
    package func compare(
        at point: DecisionPoint, by judgement: PolicyJudgement = .differs, untilFirst isUntilFirst: Bool = false,
        until deadline: ContinuousClock.Instant, confirm: Confirm
    ) throws(ProofError) -> PointComparison {
        var ways = ComparedWays()
        for question in likeness.questions(at: point) where !isUntilFirst || ways.found == nil {
            var judged = question
            (judged.judgement, judged.endsWithFirst) = (judgement, isUntilFirst)
            try explore(judged, deadline, confirm, &ways)
        }
        return ways.comparison(at: point)
    }

    /// Proves that some cases of a point are decided alike, or finds one that is not. The words of refusals are not looked at: those of
    /// the desk's own have numbers in them that a proof does not follow.
    ///
    /// - Parameters:
    ///   - scope: the cases.
    ///   - deadline: when it is to end.
    ///   - confirm: has the desk itself decide a case; nil where it does not bear out what was found.
    package func prove(
        at point: DecisionPoint, in scope: CaseScope, until deadline: ContinuousClock.Instant, confirm: Confirm
    ) throws(ProofError) -> Proof {
        var ways = ComparedWays()
        for question in likeness.questions(at: point) where ways.found == nil {
            var scoped = question
            (scoped.scope, scoped.endsWithFirst, scoped.comparesWords) = (scope, true, false)
            try explore(scoped, deadline, confirm, &ways)
        }
        let outcome = ways.found.map { ProofOutcome.refuted($0, beside: nil) } ?? ways.open.map { .unknown($0) }
        return Proof(outcome: outcome ?? .proved, paths: ways.paths)
    }

    private func explore(
        _ question: ComparedQuestion, _ deadline: ContinuousClock.Instant, _ confirm: Confirm,
        _ ways: inout ComparedWays
    ) throws(ProofError) {
        let explorer = prover.explorer(until: deadline)
        do {
            try explorer.explore { path in
                do {
                    try look(path, question, confirm, &ways)
                } catch let found as Unsettled {
                    if try path.isPossible() { ways.fail(found) }
                } catch let raised as Raised {
                    if try path.isPossible() { ways.fail(raised.unsettled) }
                }
                return !question.endsWithFirst || ways.found == nil
            }
        } catch let exhausted as Exhausted {
            ways.fail(Unsettled(file: other.file, line: 1, message: exhausted.what))
        } catch let error as ProofError {
            throw error
        } catch {
            ways.fail(Unsettled(file: other.file, line: 1, message: "\(error)"))
        }
        ways.end(explorer.paths)
    }

    /// Looks at one way through both policies.
    private func look(
        _ path: Path, _ question: ComparedQuestion, _ confirm: Confirm, _ ways: inout ComparedWays
    ) throws {
        let model = CaseModel(path, prover.domain, question.point, prover.texts)
        guard try path.holds(model.isIn(question.scope)) else { return }
        guard let pair = try decided(model, question), let aspect = try pair.difference() else {
            return ways.addSame(path.literals)
        }
        guard try path.isPossible() else { return }
        model.wishForPlainness()
        var literals = path.literals
        if question.part == .loan {
            path.say(.variable(Self.lent), "it may be lent", nil)
            literals.append(Literal(condition: .variable(Self.lent), holds: true))
        }
        var tried: [Assignment] = []
        while tried.count < Self.attempts, let values = try path.assignment(but: tried) {
            tried.append(values)
            guard let json = model.json(values), let change = confirm(json, aspect) else { continue }
            var known = values
            if question.part == .loan { known.conditions[Self.lent] = true }
            ways.add(literals, change, json, known, CaseWords(model), path.words)
            return
        }
        var open = path.approximation ?? Unsettled(file: other.file, line: 1, message: "")
        if open.message.isEmpty { open.message = "a case that the desk does not confirm (\(aspect.rawValue))" }
        ways.fail(aspect, on: literals, open)
    }

    private static let lent = "it may be lent"
    private static let otherLoops = 1_000_000

    /// What both decide; nil where the same rows and functions do so on this way.
    private func decided(_ model: CaseModel, _ question: ComparedQuestion) throws -> DecisionPair? {
        let limits = one.tables.source.limits + other.tables.source.limits
        func desk(_ policy: PolicyModel, limitsFrom first: Int) -> DeskModel {
            let desk = DeskModel(policy, model, prover.interpreter(model.path))
            // Loops are known by their numbers: those of the two policies are others, also in files of one name.
            if policy === other { desk.interpreter.loops = Self.otherLoops }
            desk.reckonsLoans = false
            desk.allLimits = (limits, first)
            return desk
        }
        let (oneDesk, otherDesk) = (desk(one, limitsFrom: 0), desk(other, limitsFrom: one.tables.source.limits.count))
        if likeness.isSameBesideRules(question), try haveSameRules(oneDesk, otherDesk, question) { return nil }
        func decision(_ desk: DeskModel) throws -> DecisionModel {
            question.part == .loan ? try desk.decideLoan() : try desk.decide()
        }
        return DecisionPair(
            one: try decision(oneDesk), other: try decision(otherDesk), oneDesk: oneDesk, otherDesk: otherDesk,
            judgement: question.judgement, comparesWords: question.comparesWords)
    }

    /// Whether rows of the same values hold for the case.
    private func haveSameRules(_ one: DeskModel, _ other: DeskModel, _ question: ComparedQuestion) throws -> Bool {
        do {
            for group in likeness.groups(question) {
                if try one.values(of: group) != other.values(of: group) { return false }
            }
            return true
        } catch is Raised {
            return false
        } catch is Failure {
            return false
        }
    }
}

/// What is compared at once: of a checkout first the answer, then the due time and the price of what may be lent.
struct ComparedQuestion {
    enum Part { case whole, answer, loan }

    let point: DecisionPoint
    let part: Part
    var judgement = PolicyJudgement.differs
    /// The cases that are looked at.
    var scope = CaseScope.all
    /// Whether one case is enough.
    var endsWithFirst = false
    /// Whether decisions that differ in nothing but words are told apart.
    var comparesWords = true
}

extension CaseModel {
    /// Notes what is so in a case that one writes by hand.
    fileprivate func wishForPlainness() {
        func wish(_ name: String, _ condition: Condition) {
            if path.declared.contains(name) { path.wish(condition) }
        }
        for part in ["patron.expires_on", "patron.suspended_until", "loan.lost_at", "request.wanted_until"] {
            wish("\(part) is there", .not(.variable("\(part) is there")))
        }
        for flag in ["request.on_site", "loan.on_site", "copy.held_for_other"] { wish(flag, .not(.variable(flag))) }
        func number(_ name: String, _ least: Int64, _ most: Int64) -> Number {
            .variable(.init(name: name, least: least, most: most))
        }
        let list = ProofDomain.listLength
        wish("#request.granted", number("#request.granted", list.lowerBound, list.upperBound).equals(.constant(0)))
        let (day, now) = (ProofDomain.microsecondsPerDay, Instant.ofPlainCase.microseconds)
        wish("now on day", number("now on day", .min, .max).equals(.constant(now / day)))
        wish("now at", number("now at", .min, .max).equals(.constant(now % day)))
    }
}

extension DeskModel {
    /// What the row says that sets a group.
    fileprivate func values(of group: RuleGroup) throws -> [String: RuleValue] {
        try rule.row(setting: group).map { policy.tables.source.rules[$0].values(of: group) } ?? [:]
    }
}

/// What was found out about two policies at a point.
package struct PointComparison: Sendable {
    package let point: DecisionPoint
    /// Together all cases that are decided differently.
    package var regions: [DifferenceRegion] = []
    /// Where it is not known whether anything differs, and why; each reason once.
    package var unknown: [Unsettled] = []
    /// How many ways there are through both.
    package var paths = 0

    package init(point: DecisionPoint) { self.point = point }
}

/// Cases that are decided differently in one and the same way.
package struct DifferenceRegion: Sendable {
    /// What holds of each of them, as people say it; empty: of every case.
    package let conditions: [String]
    /// The fields of a case that the conditions speak of.
    package let fields: Set<String>
    /// How one of them changes.
    package let change: DecisionChange
    /// That one, as a file has it.
    package var question: JSONObject

    package init(conditions: [String], fields: Set<String>, change: DecisionChange, question: JSONObject) {
        (self.conditions, self.fields, self.change, self.question) = (conditions, fields, change, question)
    }
}
