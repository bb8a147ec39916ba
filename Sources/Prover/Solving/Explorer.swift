import Circulation

/// Goes through all ways that a question can take: each is carried out from the beginning, and where it comes to a
/// condition that some cases meet and some do not, it goes on for either.
///
/// Used by one thread. What is carried out must be the same each time but for the conditions' outcomes.
final class Explorer {
    let solver: Solver
    private let limits: ProofLimits
    private var choices: [Choice] = []
    /// What conditions came to that were put together of several ways, after so many choices.
    private var summaries: [[Summary]] = []
    /// How many ways were gone.
    private(set) var paths = 0
    var words = SpokenTerms()
    let gathered: GatheredNumbers

    private struct Choice {
        let condition: Condition
        var isTaken: Bool
        var hasAlternative: Bool
        /// Whether some cases meet it and some do not.
        var isOpen = false
        var isReckoned = false

        /// What is so on the way that was taken.
        var taken: Condition { isTaken ? condition : condition.negated }
    }

    init(_ solver: Solver, _ limits: ProofLimits, _ gathered: GatheredNumbers) {
        (self.solver, self.limits, self.gathered) = (solver, limits, gathered)
    }

    /// Carries `body` out for each way. It may stop the search by answering false.
    ///
    /// - Parameter keeping: whether functions that are made on a way are called after it.
    /// - Throws: ``ProofError``; ``Exhausted`` where there are more ways, or it takes longer, than the limits allow; what
    ///   `body` throws but ``Abandoned``.
    func explore(keeping: Bool = false, _ body: (Path) throws -> Bool) throws {
        (choices, summaries) = ([], [[]])
        repeat {
            paths += 1
            if paths > limits.paths { throw Exhausted(what: "there are more than \(limits.paths) ways through it") }
            if limits.isOver { throw Exhausted.time }
            let path = Path(self)
            defer { path.end(keeping: keeping) }
            do {
                if try !body(path) { return }
            } catch is Abandoned {}
        } while backtrack()
    }

    /// Carries `body` out for each way on from the end of a way, which is as before then. It may stop by answering false.
    ///
    /// - Parameter end: when it is to end, where that is before the search does.
    /// - Throws: as ``explore(_:)``.
    /// - Returns: how many ways there were.
    func branch(_ path: Path, until end: ContinuousClock.Instant, _ body: () throws -> Bool) throws -> Int {
        let (base, known) = (choices.count, summaries[choices.count].count)
        defer {
            drop(to: base)
            summaries[base].removeSubrange(known...)
        }
        var ways = 0
        repeat {
            ways += 1
            if limits.isOver || .now > end { throw Exhausted.time }
            if ways > limits.paths { throw Exhausted(what: "there are more than \(limits.paths) ways through it") }
            let state = path.enter(nil)
            defer { path.leave(state, wholly: true) }
            do {
                if try !body() { break }
            } catch is Abandoned {}
        } while backtrack(to: base)
        return ways
    }

    /// Turns to the last condition that can also come out the other way; false where there is none.
    ///
    /// - Parameter base: how many of the choices stay as they are.
    private func backtrack(to base: Int = 0) -> Bool {
        while choices.count > base, var last = choices.last {
            drop(to: choices.count - 1)
            guard last.hasAlternative else { continue }
            last.isTaken.toggle()
            last.hasAlternative = false
            take(last)
            return true
        }
        return false
    }

    private func take(_ choice: Choice) {
        choices.append(choice)
        summaries.append([])
    }

    private func drop(to count: Int) {
        choices.removeSubrange(count...)
        summaries.removeSubrange((count + 1)...)
    }

    // MARK: - Conditions of several ways

    /// What one of the ways comes to that are put together.
    struct Outcome {
        var way = Condition.constant(true)
        /// The condition, or what variables come to.
        let values: [Value]
        var flow = Interpreter.Flow.next
    }

    /// What is found by going all ways through something.
    struct Summary {
        /// nil: it cannot be put together, or there are too many ways.
        var outcomes: [Outcome]?
        /// nil also where not each way comes to true or false.
        var condition: Condition?
        var symbols: [Symbol] = []
        var facts: [Fact] = []
        /// The variables that the facts are about.
        var constrained: Set<String> = []
        /// Facts that were stated by a name.
        var names: Set<String> = []
        /// What of the case was looked at.
        var looks = Looks()
        /// What is so in a plain case.
        var wishes: [Condition] = []
        /// Where something was taken more widely than it is.
        var approximation: Unsettled?
        /// How many elements of lists meet what.
        var counted: [Path.Counted] = []
        /// Which elements of them are known by themselves.
        var witnesses: [Path.Witness] = []
        /// The variables of all conditions that were decided on its ways, also on those that came to nothing.
        var decided: Set<String> = []
        /// Whether something was decided on its ways by what was known before.
        var usesEarlier = false
        /// Whether it was put together on another way.
        var isOfBefore = false

        /// Whether nothing that was known before matters to it: then it is the same on every way.
        var isIndependent: Bool {
            guard let outcomes else { return false }
            let own = Set(symbols.map(\.name))
            return !usesEarlier && constrained.isSubset(of: own) && decided.isSubset(of: own)
                && outcomes.allSatisfy { outcome in
                    outcome.way.variables.isSubset(of: own)
                        && outcome.values.allSatisfy { $0.isPlain && $0.variables.isSubset(of: own) }
                }
        }
    }

    /// Those that are the same on every way, by what they were put together of.
    final class Summaries {
        var byName: [String: Summary] = [:]
    }

    /// What of a case was looked at on a way, and how it is written.
    struct Looks {
        var reads: [CaseModel.Read] = []
        /// The lists, and whether they are of texts.
        var lists: [String: Bool] = [:]
        var chains: [String: CaseMeaning] = [:]
        var closures: [Closure] = []

        /// Days on which the branch is closed, where the first does not lie after the last, and the open day before or after them.
        struct Closure {
            let first: Number
            let last: Number
            let open: Number
            /// Whether a function asked, as against the desk itself.
            let isAsked: Bool
            var way = Condition.constant(true)
        }

        mutating func add(_ other: Looks, on way: Condition = .constant(true)) {
            reads += other.reads.map { CaseModel.Read(path: $0.path, value: $0.value, way: way && $0.way) }
            lists.merge(other.lists) { one, _ in one }
            chains.merge(other.chains) { one, _ in one }
            for var closure in other.closures {
                closure.way = way && closure.way
                closures.append(closure)
            }
        }
    }

    /// With more ways a condition is not put together.
    private static let mostParts = 300

    /// Goes all ways through `body`, which must not be a choice of the way at hand.
    ///
    /// - Parameters:
    ///   - number: which of the summaries after so many choices it is.
    ///   - changed: the variables from before that `body` may change; they are as before then.
    ///   - body: what a way comes to; nil where that cannot be put together with others.
    func summary(
        _ path: Path, after count: Int, number: Int, changing changed: Set<ObjectIdentifier> = [],
        _ body: () throws -> Outcome?
    ) throws -> Summary {
        if number < summaries[count].count { return summaries[count][number] }
        // Those within it stand behind it as long as it is put together.
        summaries[count].append(Summary())
        defer { summaries[count].removeSubrange((number + 1)...) }
        let base = choices.count
        var summary = Summary()
        var outcomes: [Outcome] = []
        var isWhole = true
        var ways = 0
        var usesEarlier = false
        var decided: Set<String> = []
        let (wishes, counted, witnesses) = (path.wishes.count, path.counted.count, path.witnesses.count)
        repeat {
            ways += 1
            let state = path.enter(summary, changing: changed)
            do {
                if var outcome = try body(), ways < Self.mostParts, !limits.isOver {
                    outcome.way = Condition.every(choices[base...].map(\.taken))
                    outcomes.append(outcome)
                    summary = path.gathered(on: outcome.way)
                    summary.counted += path.counted[counted...].filter { !summary.counted.contains($0) }
                    summary.witnesses += path.witnesses[witnesses...].filter { !summary.witnesses.contains($0) }
                } else {
                    isWhole = false
                }
            } catch is Abandoned {
                summary = path.gathered(on: .constant(false))
            } catch is Unsettled {
                isWhole = false
            } catch is Raised {
                isWhole = false
            } catch is Changed {
                isWhole = false
            } catch is Failure {
                isWhole = false
            }
            path.leave(state)
            usesEarlier = usesEarlier || path.usedEarlier
            for choice in choices[base...] { choice.condition.collect(into: &decided) }
        } while isWhole && backtrack(to: base)
        drop(to: base)
        if isWhole {
            (summary.outcomes, summary.condition) = (outcomes, Condition(of: outcomes))
            (summary.usesEarlier, summary.decided) = (usesEarlier, decided)
            (summary.wishes, summary.approximation) = (Array(path.wishes[wishes...]), path.approximation)
            for fact in summary.facts { fact.condition.collect(into: &summary.constrained) }
        } else {
            summary = Summary()
        }
        summaries[count][number] = summary
        return summary
    }

    /// Which of the summaries after so many choices was taken at a place when the way was gone before.
    func recorded(after count: Int, number: Int) -> Summary? {
        number < summaries[count].count ? summaries[count][number] : nil
    }

    /// Keeps a condition that is known by its name in its place, so that the way is the same when it is gone again.
    func keep(_ summary: Summary, after count: Int, number: Int) {
        guard number == summaries[count].count else { return }
        summaries[count].append(summary)
        summaries[count][number].isOfBefore = true
    }

    // MARK: - For paths

    /// Whether the first so many choices were about variables of such names.
    func hasChosen(before count: Int, _ isAbout: (String) -> Bool) -> Bool {
        choices.prefix(count).contains { $0.condition.variables.contains(where: isAbout) }
    }

    /// What was decided where either was possible.
    var literals: [Literal] {
        choices.filter(\.isOpen).map { Literal(condition: $0.condition, holds: $0.isTaken, isReckoned: $0.isReckoned) }
    }

    /// The outcome of a condition after so many choices, where it was chosen before.
    ///
    /// - Throws: ``Exhausted`` where another condition was chosen then: the way is not what it was.
    func chosen(_ condition: Condition, after count: Int) throws -> Bool? {
        guard count < choices.count else { return nil }
        guard choices[count].condition == condition else { throw Exhausted(what: "a way that is another each time") }
        return choices[count].isTaken
    }

    /// Chooses an outcome of a condition that comes up for the first time.
    ///
    /// - Parameters:
    ///   - isFree: whether it can come out either way, as is seen without the solver.
    ///   - isReckoned: whether the desk reckons it, and no row or function asks.
    func choose(_ condition: Condition, on path: Path, isFree: Bool, isReckoned: Bool) throws -> Bool {
        let holds = isFree ? .possible : try path.check(condition)
        let fails = isFree ? .possible : try path.check(condition.negated)
        switch (holds, fails) {
        case (.impossible, .impossible): throw Abandoned()
        case (.impossible, _): take(Choice(condition: condition, isTaken: false, hasAlternative: false))
        case (_, .impossible): take(Choice(condition: condition, isTaken: true, hasAlternative: false))
        default:
            take(
                Choice(
                    condition: condition, isTaken: true, hasAlternative: true, isOpen: true, isReckoned: isReckoned))
        }
        return choices.last?.isTaken ?? false
    }
}

/// Numbers that are found by going through lists of the case, by the variables that they are: each is called by what makes it.
final class GatheredNumbers {
    /// How many elements meet what, among those of which one stands for all.
    var counts: [String: Path.Counted] = [:]
    /// The least and the greatest.
    var extremes: [String: Extreme] = [:]
}

/// How much a proof may take.
struct ProofLimits: Sendable {
    var paths = 20_000
    /// When it is to end.
    var deadline: ContinuousClock.Instant
    /// Whether it is to end before.
    var isStopped: @Sendable () -> Bool = { false }

    var isOver: Bool { ContinuousClock.now > deadline || isStopped() }
}

extension Condition {
    /// What ways come to of which each comes to true or false; nil where one does not.
    fileprivate init?(of outcomes: [Explorer.Outcome]) {
        var parts: [Condition] = []
        for outcome in outcomes {
            guard outcome.values.count == 1, case .flag(let value) = outcome.values[0] else { return nil }
            if value != .constant(false) { parts.append(outcome.way && value) }
        }
        self = .some(parts)
    }
}

/// A way that no case goes.
struct Abandoned: Error {}

/// The limits did not suffice.
struct Exhausted: Error {
    let what: String

    static let time = Exhausted(what: Unsettled.timeLimit)
}

/// What cannot be settled, where it stands, and why.
package struct Unsettled: Error, Hashable, Sendable {
    package var file: String
    package var line: Int
    package var message: String

    /// The message where it would take too long.
    package static let timeLimit = "the time limit"

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }
}
