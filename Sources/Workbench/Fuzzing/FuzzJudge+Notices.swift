import Circulation
import Scripting
import TextFormats

extension FuzzJudge {
    /// How long a stage may rest before it is answered again.
    private static let longestRest: Int64 = 40

    /// A stage that a function answers on one day of lateness only, with nothing on the day before and nothing on the day
    /// after: where no sweep runs on that day, nobody is ever told.
    ///
    /// Whatever goes on answering, or answers the stage again within weeks, is right; so is what ends on some day. Days on
    /// which the branch is closed, and hours, are other reasons to say nothing.
    func complaint(aboutMissedDay decision: Decision, _ question: Case, _ object: JSONObject) -> Complaint? {
        let stages = Self.stages(of: decision)
        guard question.point == .overdue, !stages.isEmpty, object["calendar"] == nil, question.daysOverdue >= 1,
            !reads.contains("hours_overdue"), subject.place(of: .overdue) != nil,
            let (earlier, _) = Self.later(question, object, days: -1),
            let (next, other) = Self.later(question, object, days: 1)
        else { return nil }
        func isSilent(_ question: Case) -> Bool {
            let decision = subject.policy.decide(question)
            return decision.failure == nil && decision.effects.isEmpty
        }
        guard isSilent(earlier), isSilent(next) else { return nil }
        for days in 2...Self.longestRest {
            guard let (later, _) = Self.later(question, object, days: days) else { return nil }
            if !stages.isDisjoint(with: Self.stages(of: subject.policy.decide(later))) { return nil }
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

    private static func stages(of decision: Decision) -> Set<String> {
        Set(
            decision.effects.compactMap { effect in
                if case .notice(let order) = effect { order.stage } else { nil }
            })
    }
}
