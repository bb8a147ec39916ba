package import Circulation

/// Says which recorded questions the candidate of a replay can answer otherwise than the version that was asked.
/// Used by one thread at a time.
package protocol ReplaySelection: AnyObject {
    /// Whether what both have a sweep send is the same, whatever the case, and read from tables alone.
    func haveSameNotices(_ version: String) -> Bool
    /// Whether a version can have a sweep send or charge something about a loan.
    func maySend(about question: Case, _ version: String) -> Bool
    /// Whether they may answer a case otherwise.
    func mayDiffer(about question: Case, _ version: String) -> Bool
}

/// How many of its questions a replay put to the candidate, and of how many it was known that nothing changes.
package struct ReplayEffort: Hashable, Sendable {
    /// Questions of one kind.
    package struct Share: Hashable, Sendable {
        package var asked: Int64 = 0
        package var spared: Int64 = 0

        package var all: Int64 { asked + spared }
    }

    package var requests = Share()
    /// Fines, each time that a loan is settled.
    package var fines = Share()
    /// What a sweep asks about a loan. Where nothing differs at all, loans are not even looked at.
    package var notices = Share()

    package init() {}
}

/// What was taken for known is not so.
package struct ReplayDoubt: Error, Hashable, Sendable {
    /// What is not so.
    package enum Reason: Hashable, Sendable {
        /// An answer is another than the one recorded: the log was written by other means than those at hand.
        case answer
        /// A sweep did not reach all loans, so that they have to be looked at.
        case sweep
    }

    package var event: Int64
    package var reason: Reason
}

/// Which of a replay's questions are put to the candidate, counted. Of those that it can only answer as they were
/// answered one in a thousand is asked all the same.
final class SelectedQuestions {
    private let selection: (any ReplaySelection)?
    /// Activations in the order in which they came into force.
    private let begun: [PolicyActivation]
    private let looksAtSweeps: Bool
    /// Whether a version decided about loans that others had decided.
    private let reachesBack: Bool
    private(set) var effort = ReplayEffort()

    private static let checked: Int64 = 1_000

    init(_ selection: (any ReplaySelection)?, _ begun: [PolicyActivation], looksAtSweeps: Bool) {
        (self.selection, self.begun, self.looksAtSweeps) = (selection, begun, looksAtSweeps)
        reachesBack = begun.contains(where: \.isRetroactive)
    }

    /// Whether no sweep has anything to ask.
    var sparesSweeps: Bool {
        guard let selection, !begun.isEmpty, !looksAtSweeps else { return false }
        return Set(begun.map(\.policy)).allSatisfy(selection.haveSameNotices)
    }

    enum Answer { case asked, spared, checked }

    /// Whether a request that a version decided is put to the candidate.
    func request(_ question: Case, of versions: [String]?, isClear: Bool) -> Answer {
        guard isClear, canOnlyStay(question, versions) else {
            effort.requests.asked += 1
            return .asked
        }
        effort.requests.spared += 1
        return effort.requests.spared % Self.checked == 0 ? .checked : .spared
    }

    /// Whether what a loan is fined is known without asking.
    func sparesFine(_ question: Case, _ loan: Loan, isClear: Bool) -> Bool {
        let isSpared = isClear && canOnlyStay(question, versions(of: loan))
        if isSpared { effort.fines.spared += 1 } else { effort.fines.asked += 1 }
        return isSpared
    }

    /// Whether what a sweep sends about a loan is known without asking.
    ///
    /// - Parameters:
    ///   - version: the one in force.
    ///   - isWritten: whether the sweep wrote something about the loan. One that was broken off did not come to all
    ///     loans of which it had something to write.
    func sparesNotices(_ question: Case, _ version: String?, isWritten: Bool, isClear: Bool) -> Bool {
        let isSpared =
            isClear && canOnlyStay(question, version.map { [$0] }) && (isWritten || !maySend(question, version))
        if isSpared { effort.notices.spared += 1 } else { effort.notices.asked += 1 }
        return isSpared
    }

    func maySend(_ question: Case, _ version: String?) -> Bool {
        guard let selection, let version else { return true }
        return selection.maySend(about: question, version)
    }

    /// The versions that may have decided about a loan's fine and return; nil: not known.
    func versions(of loan: Loan) -> [String]? {
        guard let own = loan.policy else { return nil }
        return reachesBack ? Array(Set(begun.map(\.policy) + [own])) : [own]
    }

    private func canOnlyStay(_ question: Case, _ versions: [String]?) -> Bool {
        guard let selection, let versions, !versions.isEmpty else { return false }
        return questions(of: question).allSatisfy { question in
            versions.allSatisfy { !selection.mayDiffer(about: question, $0) }
        }
    }

    /// All that may be put to a policy for a question.
    private func questions(of question: Case) -> [Case] {
        guard question.point == .checkout || question.point == .renew else { return [question] }
        var due = question
        due.point = .due
        return [question, due] + (question.point == .checkout ? [ReplayCaseBuilder.request(before: question)] : [])
    }
}
