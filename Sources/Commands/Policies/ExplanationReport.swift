import Circulation
import Desk
import Reports
import TextFormats
import Workbench

/// The explained decisions of a request, an event or a loan.
struct ExplanationReport {
    struct Step {
        let explanation: PolicyExplanation
        /// The recorded decision, if any.
        let recorded: RecordedDecision?

        init(_ explanation: PolicyExplanation, recorded: RecordedDecision? = nil) {
            self.explanation = explanation
            self.recorded = recorded
        }
    }

    let steps: [Step]
    /// A refusal by the desk itself, such as for lack of copies, or in the words that the patron reads.
    var refusal: Refusal?
    /// Remarks before the explanation.
    var note: String?

    init(_ steps: [Step]) {
        self.steps = steps
    }

    var hasFailed: Bool { steps.contains { $0.explanation.decision.answer == .failed } }

    /// The deciding step: the last one, since no point is asked after a refusal.
    private var last: Step? { steps.last }

    /// A refusal that the last decision does not explain.
    private var ownRefusal: Refusal? {
        guard let refusal, last?.explanation.decision.answer == .allow else { return nil }
        return refusal
    }

    // MARK: - Outputs

    /// The deciding decision, with `steps` where there are several and `recorded` where it was recorded.
    var json: JSON {
        guard case .object(var object)? = last.map(json) else { return .null }
        if let ownRefusal {
            object["answer"] = "deny"
            object["refusal"] = ownRefusal.json
            object["explanation"] = .string("Refused: \(ownRefusal.message)")
        }
        if steps.count > 1 { object["steps"] = .array(steps.map(json)) }
        if let note = note ?? (steps.contains(where: isOnTodaysCalendar) ? Self.calendarNote : nil) {
            object["note"] = .string(note)
        }
        return .object(object)
    }

    private func json(_ step: Step) -> JSON {
        guard case .object(var object) = step.explanation.json, let recorded = step.recorded else {
            return step.explanation.json
        }
        object["recorded"] = [
            "event": .integer(recorded.event), "at": .string(recorded.at.description), "kind": .string(recorded.kind),
            "policy": .string(recorded.policy), "answer": recorded.answer,
        ]
        return .object(object)
    }

    var text: String {
        let parts = steps.map { step in
            ([heading(step)] + [step.explanation.text, difference(step)]).compactMap { $0 }.joined(separator: "\n")
        }
        let own = ownRefusal.map { "Refused: \($0.message)" }
        return ([note, own].compactMap { $0 } + parts).joined(separator: "\n\n")
    }

    var html: String {
        if steps.count == 1, let only = steps.first, only.recorded == nil, ownRefusal == nil, note == nil {
            return only.explanation.html
        }
        let own = ownRefusal.map { "<p class=\"answer no\">Refused: \(HTMLPage.escaped($0.message))</p>" }
        let parts = steps.map { step in
            let head = heading(step).map { "<h1>\(HTMLPage.escaped($0))</h1>" } ?? ""
            let changed = difference(step).map { "<p class=\"answer ask\">\(HTMLPage.escaped($0))</p>" } ?? ""
            return head + changed + step.explanation.htmlBody
        }
        let all = [note.map { "<p>\(HTMLPage.escaped($0))</p>" }, own].compactMap { $0 } + parts
        return HTMLPage.page(
            title: last?.explanation.sentence ?? "", style: PolicyPage.style, body: all.joined(separator: "\n"))
    }

    private func heading(_ step: Step) -> String? {
        let point = step.explanation.decision.point.rawValue
        if let recorded = step.recorded {
            return "\(point), event \(recorded.event) (\(recorded.kind)) at \(recorded.at), policy "
                + recorded.policy.prefix(12)
        }
        return steps.count > 1 ? "\(point):" : nil
    }

    /// Differences between the recorded decision and the present one.
    private func difference(_ step: Step) -> String? {
        guard let recorded = step.recorded else { return nil }
        let now = step.explanation.decision.json()
        let fields = ["answer", "due"].filter { name in
            recorded.answer[name].map { $0 != now[name] ?? .null } ?? false
        }
        guard !fields.isEmpty else { return nil }
        let words = fields.map { "\($0) \(recorded.answer[$0]?.stringValue ?? "none")" }
        let told = "Recorded then: \(words.joined(separator: ", "))."
        return recorded.question["calendar"] == nil ? "\(told) \(Self.calendarNote)" : told
    }

    /// Whether a decision differs from the recorded one, for a case whose calendar was not recorded.
    private func isOnTodaysCalendar(_ step: Step) -> Bool {
        step.recorded?.question["calendar"] == nil && difference(step) != nil
    }

    private static let calendarNote =
        "The log keeps no calendar: today's of the branch stands in for the one of then, which may be the reason."
}
