package import Circulation
import TextFormats

/// All ways of a question through a policy, as a proof follows them, for being held against the desk. Used by one thread.
package final class PolicyWays {
    /// What comes of a way.
    fileprivate enum Outcome {
        case decided(DecisionModel)
        case broken(Bool)
        /// A proof does not say what.
        case unsettled
    }

    fileprivate struct Way {
        let conditions: [Condition]
        let outcome: Outcome
    }

    /// How the ways and the desk stand to each other at a case.
    package struct Verdict {
        /// What is wrong; nil: they agree.
        package var disagreement: String?
        /// How many ways are known to be those of the case; more may be possible.
        package var certain = 0
    }

    fileprivate var ways: [Way] = []
    /// Whether no way is missing.
    package fileprivate(set) var isComplete = true
    private lazy var variables = ways.reduce(into: Set<String>()) { names, way in
        for condition in way.conditions { condition.collect(into: &names) }
        if case .decided(let decision) = way.outcome { decision.collect(into: &names) }
    }
    private let texts: Texts
    private let records: LibraryCase
    private let limits: [LimitRow]
    private let library: Library

    fileprivate init(_ texts: Texts, _ records: LibraryCase, _ limits: [LimitRow], _ library: Library) {
        (self.texts, self.records, self.limits, self.library) = (texts, records, limits, library)
    }

    /// How many there are.
    package var count: Int { ways.count }

    /// Holds what the desk decided against the ways that a case can go.
    package func verdict(on question: KnownCase, _ decision: Decision) -> Verdict {
        let seen = decision.seen
        return verdict(on: question) { [texts] outcome, assignment in
            guard case .decided(let model) = outcome else { return nil }
            for (name, value) in model.seen(assignment, texts) where value != seen[name] ?? .null {
                return "\(name) is \((seen[name] ?? .null).text()), a proof says \(value.text())"
            }
            return nil
        }
    }

    /// Holds whether the desk's decision broke the property against the ways that a case can go.
    package func verdict(on question: KnownCase, isBroken: Bool) -> Verdict {
        verdict(on: question) { outcome, _ in
            guard case .broken(let known) = outcome, known != isBroken else { return nil }
            return "the property is \(isBroken ? "broken" : "kept"), a proof says otherwise"
        }
    }

    private func verdict(on question: KnownCase, _ difference: (Outcome, Assignment) -> String?) -> Verdict {
        let assignment = CaseReading(question, records, texts, limits, library).assignment(of: variables)
        var (verdict, possible, agreeing) = (Verdict(), 0, 0)
        var differences: [String] = []
        for way in ways {
            guard let isCertain = way.holds(assignment) else { continue }
            possible += 1
            if isCertain { verdict.certain += 1 }
            if let found = difference(way.outcome, assignment) {
                differences.append(found)
                if isCertain { verdict.disagreement = found }
            } else {
                agreeing += 1
            }
        }
        if verdict.certain > 1 { verdict.disagreement = "\(verdict.certain) ways are those of one case" }
        if possible == 0 {
            let missed = ways.map { $0.missed(by: assignment) }.min { $0.count < $1.count } ?? []
            verdict.disagreement = "no way is that of the case" + missed.map { "; not so: \($0.smt)" }.joined()
        }
        if possible > 0, agreeing == 0 { verdict.disagreement = differences[0] }
        return verdict
    }
}

extension PolicyWays.Way {
    /// What of it is not so of a case.
    fileprivate func missed(by assignment: Assignment) -> [Condition] {
        conditions.filter { assignment.value($0) == false }
    }

    /// Whether a case goes this way: nil: it does not; false: it may.
    fileprivate func holds(_ assignment: Assignment) -> Bool? {
        var isCertain = true
        for condition in conditions {
            guard let value = assignment.value(condition) else {
                isCertain = false
                continue
            }
            if !value { return nil }
        }
        return isCertain
    }
}

extension PolicyProver {
    /// All ways of a question at a point, with what the desk decides on each.
    ///
    /// - Parameter property: instead of the decision whether it breaks this one.
    package func ways(
        at point: DecisionPoint, breaking property: Property? = nil, records: LibraryCase = .plain,
        until deadline: ContinuousClock.Instant
    ) throws(ProofError) -> PolicyWays {
        guard let policy else { throw .solver("no policy") }
        let explorer = explorer(until: deadline)
        let ways = PolicyWays(texts, records, policy.tables.source.limits, library)
        do {
            try explorer.explore { path in
                let desk = desk(of: policy, at: point, path)
                // As proofs go them.
                desk.interpreter.joinsLookUps = true
                var outcome = PolicyWays.Outcome.unsettled
                do {
                    let decision = try desk.decide()
                    if let property {
                        var isBroken = try isBroken(property, desk, decision)
                        if isBroken, decision.pending != nil {
                            isBroken = try self.isBroken(property, desk, desk.settled(decision))
                        }
                        outcome = .broken(isBroken)
                    } else {
                        outcome = .decided(try desk.settled(decision))
                    }
                } catch is Unsettled {} catch is Raised {}
                ways.ways.append(PolicyWays.Way(conditions: path.conditions, outcome: outcome))
                return true
            }
        } catch is Exhausted {
            ways.isComplete = false
        } catch let error as ProofError {
            throw error
        } catch {
            ways.isComplete = false
        }
        return ways
    }
}

// MARK: - Decisions

extension DecisionModel {
    fileprivate func collect(into names: inout Set<String>) {
        for reason in verdict.reasons {
            reason.condition.collect(into: &names)
            if case .symbol(let number) = reason.code { number.collect(into: &names) }
        }
        let money = [fine, lostFee, suspendedUntil, due?.instant, due?.date, membershipDay].compactMap { $0 }
        for number in money + (rental + (lines ?? [])).map(\.amount) + charges.map(\.amount) {
            number.collect(into: &names)
        }
        if case .integer(let number)? = priority { number.collect(into: &names) }
    }

    /// What of the decision is known at a case.
    fileprivate func seen(_ assignment: Assignment, _ texts: Texts) -> [(String, JSON)] {
        if let failure { return [("answer", "failed"), ("failure", .string(failure.code))] }
        var seen: [(String, JSON)] = []
        func note(_ name: String, _ number: Number?) {
            guard let number else { return seen.append((name, .null)) }
            if let value = assignment.value(number) { seen.append((name, .integer(value))) }
        }
        func sum(_ name: String, _ amounts: [Number]) {
            note(name, amounts.isEmpty ? nil : amounts.reduce(.constant(0), +))
        }
        if let isAllowed = assignment.value(verdict.isAllowed), let asks = assignment.value(verdict.isQuestion) {
            seen.append(("answer", .string(isAllowed ? answer : asks ? "confirm" : "deny")))
        }
        if let reasons = reasons(assignment, texts) { seen.append(("reasons", .array(reasons))) }
        if let override = assignment.value(verdict.mayBeOverridden || verdict.isQuestion) {
            seen.append(("override", .bool(override)))
        }
        note("due", due?.instant)
        if let due { seen.append(("exact", .bool(due.isExact))) }
        if case .integer(let number)? = priority { note("priority", number) } else { note("priority", nil) }
        note("fine", fine)
        note("suspended", suspendedUntil)
        if case .unlimited? = membership {
            seen.append(("membership", "unlimited"))
        } else {
            note("membership", membershipDay)
        }
        seen.append(("lost", .bool(isLost)))
        note("lost fee", lostFee)
        sum("rental", rental.map(\.amount))
        sum("lines", (lines ?? []).map(\.amount))
        sum("charges", charges.map(\.amount))
        if unsettledNotices == nil { seen.append(("notices", .integer(Int64(notices.count)))) }
        return seen
    }

    private func reasons(_ assignment: Assignment, _ texts: Texts) -> [JSON]? {
        var codes: [JSON] = []
        for reason in verdict.reasons {
            guard let isOne = assignment.value(reason.condition) else { return nil }
            guard isOne else { continue }
            switch reason.code {
            case .known(let code): codes.append(.string(code))
            case .symbol(let number):
                guard let value = assignment.value(number) else { return nil }
                codes.append(.string(texts.word(value)))
            }
        }
        return codes
    }
}

extension Decision {
    /// What a proof says of a decision, of this one.
    fileprivate var seen: [String: JSON] {
        var seen: [String: JSON] = ["answer": .string(answer.rawValue)]
        if let failure { seen["failure"] = .string(failure.code) }
        var codes: [String] = []
        for reason in refusal?.reasons ?? []
        where codes.last != DecisionModel.Reason.ofBlocks || reason.code != codes.last {
            codes.append(reason.code)
        }
        seen["reasons"] = .array(codes.map { .string($0) })
        seen["override"] = .bool(refusal?.mayBeOverridden ?? false)
        seen["due"] = due.map { .integer($0.instant.microseconds) }
        seen["exact"] = due.map { .bool($0.isExact) }
        seen["priority"] = priority.map { .integer($0) }
        seen["lost"] = false
        var (charges, notices): ([Int64], Int64) = ([], 0)
        for effect in effects {
            switch effect {
            case .notice: notices += 1
            case .charge(let charge): charges.append(charge.amount.minorUnits)
            case .fine(let money, _): seen["fine"] = .integer(money.minorUnits)
            case .suspend(let end, _): seen["suspended"] = .integer(Int64(end.dayNumber))
            case .rental: break
            case .lose(let fee, _):
                seen["lost"] = true
                seen["lost fee"] = fee.map { .integer($0.minorUnits) }
            }
        }
        seen["rental"] = rental.map { .integer($0.minorUnits) }
        seen["lines"] = lines.flatMap { $0.isEmpty ? nil : .integer($0.map(\.amount.minorUnits).reduce(0, +)) }
        seen["charges"] = charges.isEmpty ? nil : .integer(charges.reduce(0, +))
        seen["notices"] = .integer(notices)
        seen["membership"] = membership.map { $0.date.map { .integer(Int64($0.dayNumber)) } ?? "unlimited" }
        return seen
    }
}
