package import Circulation
package import Desk
import LuaRuntime
import Prover
import Scripting

/// Finds the recorded questions that a candidate can answer otherwise than the version that was asked.
///
/// What differs between the two is found once, as for a comparison: functions by their text and by what stands
/// around them. Where they are the same it depends on the rows that a case meets, which are read in both for the
/// case at hand. Where not, all ways through both are gone, and what those ask on which something differs is looked at.
///
/// Nothing is known, so that all is asked, of a version that the candidate itself is: such a replay tests the log.
/// Nor of a library with fields of its own, whose meaning may have changed. Where else nothing is known, and why, is in
/// ``unknown``.
package final class DifferingQuestions: ReplaySelection {
    private var pairs: [String: PolicyPair] = [:]
    /// Where nothing is known, and why; the versions in the order in which they were given.
    package private(set) var unknown: [UnknownDifference] = []

    /// - Returns: nil where everything is to be asked.
    /// - Throws: ``StoreError``.
    package convenience init?(from candidate: PolicyBundle, _ plan: ReplayPlan, at desk: Desk) throws {
        guard plan.mode == .recorded, !plan.asksAll else { return nil }
        let (versions, currency, isPlain) = try desk.read { session in
            // The latest first: the time may not suffice for all.
            var names: [String] = []
            for name in try session.policies.history().map(\.policy) where !names.contains(name) { names.append(name) }
            let isPlain = try session.fieldsOfPolicies() == .none
            return (
                try names.compactMap { try session.policies.bundle($0) }, try session.settings.library().currency,
                isPlain
            )
        }
        self.init(from: candidate, to: isPlain ? versions : [], currency)
        if !isPlain {
            unknown = [UnknownDifference(message: "Plugins have fields of their own, whose meaning may have changed.")]
        }
    }

    /// - Parameter versions: those that decided.
    /// - Parameter time: how long going the ways may take where functions differ; asking thousands of times takes less.
    package init(
        from candidate: PolicyBundle, to versions: [PolicyBundle], _ currency: Currency, time: Duration = .seconds(2)
    ) {
        let deadline = ContinuousClock.now + time
        for version in versions where version.sha256 != candidate.sha256 {
            do {
                let pair = try PolicyPair(version, candidate, currency, until: deadline)
                pairs[version.sha256] = pair
                unknown += pair.unknown
            } catch {
                unknown.append(UnknownDifference(version: version.sha256, message: Self.words(error)))
            }
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as ProofError: error.words
        case let unsettled as Unsettled: unsettled.sentence
        case let problems as PolicyProblems: "It is no policy any more: \(problems.failure.message)"
        default: "\(error)"
        }
    }

    package func haveSameNotices(_ version: String) -> Bool { pairs[version]?.haveSameNotices ?? false }

    /// Whether a version can have a sweep say something about a loan, by its tables; also where that is not known.
    package func maySend(about question: Case, _ version: String) -> Bool {
        pairs[version]?.maySend(about: question) ?? true
    }

    package func mayDiffer(about question: Case, _ version: String) -> Bool {
        pairs[version]?.mayDiffer(about: question) ?? true
    }
}

/// A version and the candidate.
private final class PolicyPair {
    private let tables: PairedTables
    private let currency: Currency
    /// What is known of their functions; nil: they have none.
    private let comparer: PolicyComparer?
    /// How long before its due time a loan enters a sweep.
    private let hasSameLead: Bool
    private let hasSameNotices: Bool
    /// Whether both are asked with the same facts.
    private let hasSameNeeds: Bool
    /// At points where functions differ, the cases that may be decided differently.
    private var differing: [DecisionPoint: DifferingCases] = [:]
    private(set) var unknown: [UnknownDifference] = []

    /// With more rows the ways are too many.
    private static let mostRows = 60

    /// Some functions of a policy run for long before they are read.
    private static let limits = LuaLimits(memory: 64 << 20, instructions: 20_000_000)

    /// - Throws: ``PolicyProblems`` where either is no policy any more; ``ProofError`` without a solver; ``Unsettled``
    ///   where files cannot be followed.
    init(
        _ version: PolicyBundle, _ candidate: PolicyBundle, _ currency: Currency,
        until deadline: ContinuousClock.Instant
    ) throws {
        let (before, after) = (ParsedPolicy(version), ParsedPolicy(candidate))
        let one = try LuaPolicy(version, currency: currency, limits: Self.limits, isStored: true)
        let other = try LuaPolicy(candidate, currency: currency, limits: Self.limits, isStored: true)
        if one.hasFunctions || other.hasFunctions {
            let prover = try PolicyProver(before, tables: one.tables, codes: .init(), currency: currency)
            comparer = try PolicyComparer(prover, with: after.chunks, tables: other.tables)
        } else {
            comparer = nil
        }
        self.currency = currency
        tables = PairedTables(one.tables, other.tables, hasSameConditions: comparer?.hasSameConditions ?? true)
        hasSameLead = one.noticesFrom == other.noticesFrom
        hasSameNeeds = DecisionPoint.allCases.allSatisfy { one.needs(at: $0) == other.needs(at: $0) }
        hasSameNotices =
            one.tables.source.notices.map(\.withoutPlace) == other.tables.source.notices.map(\.withoutPlace)
        let rows = [one, other].map { $0.tables.source.rules.count + $0.tables.source.limits.count }.max() ?? 0
        guard let comparer else { return }
        for point in DecisionPoint.ofReplays where !hasSameFunctions(at: point) {
            guard rows <= Self.mostRows else {
                note(version, point, "Functions differ, and with \(rows) rows the ways through both are too many.")
                continue
            }
            switch try comparer.differingCases(at: point, until: deadline) {
            case .success(let cases):
                differing[point] = cases
                for reason in cases.open {
                    note(version, point, "What leads to this is not known to its end: \(reason.sentence)")
                }
            case .failure(let reason):
                note(version, point, "Functions differ, and in what is not known: \(reason.sentence)")
            }
        }
    }

    private func note(_ version: PolicyBundle, _ point: DecisionPoint, _ message: String) {
        unknown.append(UnknownDifference(version: version.sha256, point: point, message: message))
    }

    var haveSameNotices: Bool { hasSameLead && hasSameNotices && tables.haveNoticesOfTablesAlone && !asksAboutNotices }

    func maySend(about question: Case) -> Bool { asksAboutNotices || tables.mayHaveNotices(question) }

    private var asksAboutNotices: Bool { comparer?.hasFunction(at: .overdue) ?? false }

    /// Whether the functions that are asked at a point are the same in both.
    private func hasSameFunctions(at point: DecisionPoint) -> Bool {
        point.asked.allSatisfy { comparer?.hasSameFunction(at: $0) ?? true }
    }

    func mayDiffer(about question: Case) -> Bool {
        let points = question.point.asked
        guard question.currency == currency, hasSameNeeds else { return true }
        guard hasSameFunctions(at: question.point) else {
            // When loans are looked for is no part of what is decided.
            if question.point == .overdue, !hasSameLead { return true }
            return differing[question.point]?.mayHave(question) ?? true
        }
        let isRead = points.contains { comparer?.hasFunction(at: $0) ?? false }
        let groups = isRead ? nil : points.reduce(into: Set<RuleGroup>()) { $0.formUnion($1.reckonedGroups) }
        guard tables.haveSameRules(question, groups) else { return true }
        switch question.point {
        case .checkout: return !tables.haveSameLimits(question)
        case .overdue: return !hasSameLead || !(hasSameNotices || tables.haveSameNotices(question))
        default: return false
        }
    }
}

extension DecisionPoint {
    /// The points at which a replay asks.
    fileprivate static let ofReplays: [DecisionPoint] = [
        .request, .checkout, .due, .renew, .hold, .recall, .overdue, .fine, .checkin,
    ]

    /// The functions that are asked at a point.
    fileprivate var asked: [DecisionPoint] {
        switch self {
        case .checkout: [.checkout, .due, .price]
        case .due, .renew: [self, .price]
        default: [self]
        }
    }
}

extension Unsettled {
    fileprivate var sentence: String { "\(message) (\(file):\(line))." }
}

extension NoticeRow {
    fileprivate var withoutPlace: NoticeRow {
        var row = self
        row.place = SourcePlace(file: "", line: 0)
        return row
    }
}
