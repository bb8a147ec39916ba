import Circulation
import Scripting
import TextFormats

/// Holds a policy's answer to a case against what holds for every policy.
struct FuzzJudge {
    let subject: FuzzSubject
    /// What the policy reads: debts that it never looks at decide nothing.
    let reads: Set<String>

    /// What was found, before its case is made small.
    struct Complaint {
        let code: FuzzFinding.Code
        let file: String
        let line: Int
        let message: String
        /// The second case that it takes, where it takes two.
        var other: JSONObject?
    }

    /// - Parameter others: cases asked before, for alternating the state.
    func complaint(about object: JSONObject, _ question: Case, others: [Case] = []) -> Complaint? {
        guard isAsked(question) else { return nil }
        let decision = subject.decide(question)
        if let failure = decision.failure { return complaint(about: failure, question) }
        let due = complaint(aboutDue: decision, question)
        if let due { return due }
        if let falling = complaint(aboutFine: decision, question, object) { return falling }
        if let missed = complaint(aboutMissedDay: decision, question, object) { return missed }
        if let growing = complaint(aboutDebts: decision, question, object) { return growing }
        guard subject.isUnstable(question, decision, after: others) else { return nil }
        let place = subject.place(of: question.point) ?? (subject.mainFile, 1)
        return Complaint(
            code: .unstable, file: place.0, line: place.1,
            message: "\(question.point.rawValue) answers one case in two ways")
    }

    /// Whether the desk would ask: copies and due times are looked at only for patrons who may borrow, on days on which
    /// the branch is open.
    private func isAsked(_ question: Case) -> Bool {
        // A copy that was not lent yet has no loan.
        if let loan = question.loan, loan.lentAt > question.now { return false }
        guard question.point == .checkout || question.point == .due else { return true }
        var request = question
        request.point = .request
        return subject.policy.tables.patronChecks(for: request).isEmpty && question.calendar.isOpen(question.today)
    }

    // MARK: - Failures

    private func complaint(about failure: PolicyFailure, _ question: Case) -> Complaint? {
        let point = question.point.rawValue
        switch failure.code {
        case "instruction_limit", "time_limit", "memory_limit":
            let last = subject.lastPlace
            return Complaint(
                code: .tooSlow, file: failure.file ?? last?.file ?? subject.mainFile,
                line: failure.line ?? last?.line ?? 1, message: "\(point) does not come to an end")
        case "bad_answer": return complaint(aboutAnswer: failure, question)
        default:
            let last = subject.lastPlace
            return Complaint(
                code: .crash, file: failure.file ?? last?.file ?? subject.mainFile,
                line: failure.line ?? last?.line ?? 1, message: "\(point) fails: \(failure.message)")
        }
    }

    private func complaint(aboutAnswer failure: PolicyFailure, _ question: Case) -> Complaint? {
        // A table of last term says nothing about a fault.
        if failure.message.hasPrefix("The fixed due date") { return nil }
        var point = question.point
        if failure.message.hasPrefix("The due ") || failure.message.hasPrefix("due "), point == .checkout {
            point = .due
        }
        if failure.message.hasPrefix("price ") { point = .price }
        let place = subject.place(of: point) ?? (failure.file ?? subject.mainFile, failure.line ?? 1)
        let isPast = failure.message.contains(" lies before ") || failure.message.contains("a loan of no length")
        // A renewal of a long overdue loan, counted from its due time, has ended already; at the point `due` that is
        // never wanted.
        if isPast, question.point == .renew, let old = question.loan?.dueAt,
            old < question.now || !isOwnDue(old, of: question, nil)
        {
            return nil
        }
        let code: FuzzFinding.Code =
            if isPast {
                question.point == .renew ? .renewBeforeDue : .dueBeforeNow
            } else if point == .fine, failure.message.contains("not negative, not -") {
                .negativeFine
            } else {
                .nonAnswer
            }
        return Complaint(code: code, file: place.0, line: place.1, message: failure.message)
    }

    // MARK: - Due dates

    /// Only what a function answered: the rows' own due dates are the desk's reckoning.
    private func complaint(aboutDue decision: Decision, _ question: Case) -> Complaint? {
        if let complaint = complaint(aboutShortRenewal: decision, question) { return complaint }
        let point: DecisionPoint = question.point == .checkout ? .due : question.point
        guard point == .due || point == .renew, let due = decision.due, let rule = decision.rule,
            let place = subject.place(of: point), due != standardDue(question, rule)
        else { return nil }
        func found(_ code: FuzzFinding.Code, _ message: String) -> Complaint {
            Complaint(code: code, file: place.file, line: place.line, message: message)
        }
        if due.instant < question.now {
            return found(.dueBeforeNow, "the due time \(due.instant) lies before now, \(question.now)")
        }
        if !due.isExact, !question.calendar.isOpen(due.date), !isKept(rule, "closed") {
            return found(.dueOnClosedDay, "the branch is closed on the due date \(due.date)")
        }
        guard let limit = limit(rule, question), due.date > limit else { return nil }
        return found(.dueBeyondLimit, "the due date \(due.date) lies beyond the limit, \(limit)")
    }

    /// A renewal that a function allowed until before the loan ends: the desk refuses it.
    private func complaint(aboutShortRenewal decision: Decision, _ question: Case) -> Complaint? {
        guard question.point == .renew, let place = subject.place(of: .renew), let old = question.loan?.dueAt,
            let reason = decision.refusal?.reasons.first(where: { $0.code == Refusal.Code.tooSoon }),
            let origin = reason.origin, origin.table == nil, let due = reason.figures["due"]?.stringValue,
            due < question.zone.date(of: old).description, isOwnDue(old, of: question, nil)
        else { return nil }
        return Complaint(
            code: .renewBeforeDue, file: place.file, line: place.line,
            message: "the renewal ends at \(due), before the loan does, \(old)")
    }

    /// Whether the policy itself would have lent so long: a renewal shorter than a due time that the policy never gives
    /// is not a fault.
    private func isOwnDue(_ due: Instant, of question: Case, _ rule: MatchedRule?) -> Bool {
        guard let loan = question.loan else { return false }
        var lending = question
        lending.point = .due
        lending.now = loan.lentAt
        lending.loan = nil
        lending.request = RequestFacts(size: 1, titles: question.title.map { [$0.id] } ?? [], index: 1)
        let asked = subject.policy.decide(lending)
        let given = asked.due ?? rule.flatMap { try? subject.policy.tables.dueTime(for: lending, rule: $0) }
        return given.map { due <= $0.instant } ?? false
    }

    private func standardDue(_ question: Case, _ rule: MatchedRule) -> DueTime? {
        question.loan == nil
            ? try? subject.policy.tables.dueTime(for: question, rule: rule)
            : try? subject.policy.tables.renewalDue(for: question, rule: rule)
    }

    private func isKept(_ rule: MatchedRule, _ field: String) -> Bool { rule[field] == .text("keep") }

    /// The rule's limit that has not passed, and the end of the membership where the rule itself says that it counts.
    private func limit(_ rule: MatchedRule, _ question: Case) -> CivilDate? {
        var limits: [CivilDate] = []
        if case .date(let limit)? = rule["due_limit"] { limits.append(limit) }
        if rule.setValue(of: "due_expiry") == .boolean(true), let end = question.patron.expiresOn { limits.append(end) }
        return limits.filter { $0 >= question.today }.min()
    }

    // MARK: - Fines

    private func complaint(aboutFine decision: Decision, _ question: Case, _ object: JSONObject) -> Complaint? {
        guard question.point == .fine, subject.place(of: .fine) != nil else { return nil }
        let fine = Self.fine(of: decision)
        for days in [Int64(1), 2, 7, 30] {
            guard let (later, other) = Self.later(question, object, days: days) else { continue }
            let next = subject.decide(later)
            guard next.failure == nil, let place = subject.place(of: .fine), Self.fine(of: next) < fine else {
                continue
            }
            let money = Money(minorUnits: Self.fine(of: next), currency: question.currency)
            return Complaint(
                code: .fallingFine, file: place.file, line: place.line,
                message: "the fine falls from \(Money(minorUnits: fine, currency: question.currency)) to \(money) "
                    + "in \(days == 1 ? "a day" : "\(days) days")", other: other)
        }
        return nil
    }

    private static func fine(of decision: Decision) -> Int64 {
        for case .fine(let money, _) in decision.effects { return money.minorUnits }
        return 0
    }

    /// The same loan some days later.
    static func later(_ question: Case, _ object: JSONObject, days: Int64) -> (Case, JSONObject)? {
        guard let now = try? Period.days(days).added(to: question.now, in: question.zone, calendar: question.calendar),
            let due = question.loan?.dueAt, let lent = question.loan?.lentAt
        else { return nil }
        var other = object
        var loan = object["loan"]?.objectValue ?? [:]
        // What was written against the moment of the first case stays where it was.
        for key in ["days_overdue", "hours_overdue"] { loan[key] = nil }
        loan["due_at"] = .string(due.description)
        loan["lent_at"] = .string(lent.description)
        other["loan"] = .object(loan)
        other["now"] = .string(now.description)
        return (try? Case(json: .object(other))).map { ($0, other) }
    }

    // MARK: - Debts

    /// Who owes more, or has more overdue or lost, must not be allowed what is refused to who has less.
    private func complaint(aboutDebts decision: Decision, _ question: Case, _ object: JSONObject) -> Complaint? {
        guard [.request, .checkout, .renew, .hold].contains(question.point),
            decision.answer == .deny || decision.answer == .confirm, let reason = decision.refusal?.reasons.first
        else { return nil }
        let place = reason.origin?.row == nil ? subject.condition(of: question.point) : nil
        for (more, key, value, words) in deeperInDebt(question) where subject.decide(more).answer == .allow {
            var other = object
            var patron = object["patron"]?.objectValue ?? [:]
            patron[key] = value
            other["patron"] = .object(patron)
            return Complaint(
                code: .limitGrowsWithDebts, file: place?.file ?? reason.origin?.file ?? subject.mainFile,
                line: place?.line ?? reason.origin?.line ?? 1,
                message: "what is refused (\(reason.code)) is allowed to who \(words)", other: other)
        }
        return nil
    }

    /// The same case with more debts of one kind: the case, the field, its value and words for it.
    private func deeperInDebt(_ question: Case) -> [(Case, String, JSON, String)] {
        var deeper: [(Case, String, JSON, String)] = []
        if reads.contains("fees_owed") {
            for more in [Int64(1), 500, 5_000, 100_000] {
                var other = question
                let (sum, overflow) = question.patron.feesOwed.minorUnits.addingReportingOverflow(more)
                if overflow { continue }
                other.patron.feesOwed = Money(minorUnits: sum, currency: question.currency)
                let money = other.patron.feesOwed.description
                deeper.append((other, "fees_owed", .string(money), "owes \(money)"))
            }
        }
        for more in [Int64(1), 3, 10] {
            if reads.contains("overdue") {
                var other = question
                other.patron.overdue += more
                deeper.append(
                    (other, "overdue", .integer(other.patron.overdue), "has \(other.patron.overdue) overdue"))
            }
            if reads.contains("lost") {
                var other = question
                other.patron.lost += more
                deeper.append((other, "lost", .integer(other.patron.lost), "has lost \(other.patron.lost)"))
            }
        }
        return deeper
    }
}
