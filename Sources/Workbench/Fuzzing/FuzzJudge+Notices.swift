import Circulation
import Scripting
import TextFormats

extension FuzzJudge {
    /// How long a stage may rest before it is answered again.
    private static let longestRest: Int64 = 40

    /// How many days before are looked at, to see what had been answered by then.
    private static let longestPast: Int64 = 4

    /// A stage that a function answers on one day of lateness only, with nothing new on the day after: where no sweep
    /// runs on that day, the patron never gets the notice.
    ///
    /// Stages are compared, not all that is answered: what the rows of `notices` say on the days around, or the
    /// function itself of other stages, does not bring the stage back. Whatever goes on answering it, or answers it
    /// again within weeks, is right; so is what the next stage takes the place of, and what ends on some day. Days on
    /// which the branch is closed, and hours, are other reasons to say nothing.
    func complaint(aboutMissedDay decision: Decision, _ question: Case, _ object: JSONObject) -> Complaint? {
        let answered = Self.stages(of: decision, byFunction: true)
        guard question.point == .overdue, !answered.isEmpty, object["calendar"] == nil, question.daysOverdue >= 1,
            !reads.contains("hours_overdue"), subject.place(of: .overdue) != nil,
            let (earlier, _) = Self.later(question, object, days: -1),
            let (next, other) = Self.later(question, object, days: 1)
        else { return nil }
        let around = [earlier, next].map { subject.policy.decide($0) }
        guard around.allSatisfy({ $0.failure == nil }) else { return nil }
        var stages = answered
        for day in around { stages.subtract(Self.stages(of: day)) }
        guard !stages.isEmpty, isNothingNew(around[1], after: question, object) else { return nil }
        for days in 2...Self.longestRest {
            guard let (later, _) = Self.later(question, object, days: days) else { return nil }
            stages.subtract(Self.stages(of: subject.policy.decide(later)))
            if stages.isEmpty { return nil }
        }
        guard
            let place = subject.placeThatRan(for: question, butNotFor: [earlier, next]) ?? subject.place(of: .overdue)
        else { return nil }
        let days = question.daysOverdue
        let names = stages.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return Complaint(
            code: .missedDay, file: place.file, line: place.line,
            message:
                "\(names) is answered \(days == 1 ? "a day" : "\(days) days") after the due date and on no day around it: "
                + "it is lost where no sweep runs on that day", other: other)
    }

    /// Whether a function answers on a day nothing that it had not answered on the days before the one in question:
    /// then no later stage has taken the place of an earlier one.
    private func isNothingNew(_ next: Decision, after question: Case, _ object: JSONObject) -> Bool {
        var new = Self.stages(of: next, byFunction: true)
        for days in 1...Self.longestPast where !new.isEmpty {
            guard let (earlier, _) = Self.later(question, object, days: -days) else { break }
            new.subtract(Self.stages(of: subject.policy.decide(earlier)))
        }
        return new.isEmpty
    }

    /// - Parameter byFunction: only those that a function answered, without those of the rows.
    private static func stages(of decision: Decision, byFunction: Bool = false) -> Set<String> {
        Set(
            decision.effects.compactMap { effect in
                guard case .notice(let order) = effect, !byFunction || order.origin?.row == nil else { return nil }
                return order.stage
            })
    }
}
