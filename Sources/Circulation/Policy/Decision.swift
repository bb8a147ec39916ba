/// A policy's answer to a case: plain data.
package struct Decision: Hashable, Sendable {
    package enum Answer: String, Hashable, Sendable {
        case allow, confirm, deny, failed
        /// At `publish`: staff are to decide.
        case review
    }

    package var point: DecisionPoint
    package var answer: Answer
    /// Set for `confirm`, `deny` and `failed` (code `policy_failed`).
    package var refusal: Refusal?
    /// The due instant, on an allowed checkout, renewal or changed due date; at `recall` the earlier one, if any.
    package var due: DueTime?
    /// The place that an allowed hold takes among others: a greater one goes first.
    package var priority: Int64?
    /// The rule that applied, group by group.
    package var rule: MatchedRule?
    package var effects: [Effect]
    /// At `price` what there is to pay; nil elsewhere.
    package var lines: [PriceLine]?
    /// At `publish`, what is said to who waits for a review.
    package var message: String?
    /// At `expiry` when the membership ends; nil where the policy says nothing, and elsewhere.
    package var membership: MembershipEnd?
    /// Why the policy failed, for the log of the desk; nil unless `failed`.
    package var failure: PolicyFailure?

    package init(
        point: DecisionPoint, answer: Answer, refusal: Refusal? = nil, due: DueTime? = nil, priority: Int64? = nil,
        rule: MatchedRule? = nil, effects: [Effect] = [], lines: [PriceLine]? = nil, message: String? = nil,
        failure: PolicyFailure? = nil
    ) {
        self.point = point
        self.answer = answer
        self.refusal = refusal
        self.due = due
        self.priority = priority
        self.rule = rule
        self.effects = effects
        self.lines = lines
        self.message = message
        self.failure = failure
    }

    /// What borrowing costs, in all; nil where it costs nothing.
    package var rental: Money? {
        var sum: Money?
        for case .rental(let amount, _, _) in effects {
            // A sum beyond 64 bits is refused where it is posted.
            sum = sum.map { (try? $0.adding(amount)) ?? $0 } ?? amount
        }
        return sum
    }

    /// What the desk is to do beside the answer.
    package enum Effect: Hashable, Sendable {
        case notice(PlannedNotice)
        case charge(PlannedCharge)
        /// The fine accrued so far for this loan and due time, in all.
        case fine(Money, origin: RuleOrigin?)
        case suspend(until: CivilDate, origin: RuleOrigin?)
        /// What borrowing costs, one line of it, posted with the loan or its renewal.
        case rental(Money, label: String, origin: RuleOrigin?)
        /// The copy counts as lost, which costs the fee; nil: nothing.
        case lose(fee: Money?, origin: RuleOrigin?)
    }
}

/// When a copy must be back.
package struct DueTime: Hashable, Sendable {
    /// The instant from which the loan is past its due time.
    package var instant: Instant
    /// The civil date in the branch's zone.
    package var date: CivilDate
    /// Due at an exact time (hours, minutes, `exact`) rather than on a date.
    package var isExact: Bool

    package init(instant: Instant, date: CivilDate, isExact: Bool) {
        self.instant = instant
        self.date = date
        self.isExact = isExact
    }
}

/// A notice to be recorded; its texts are templates, filled by the desk.
package struct PlannedNotice: Hashable, Sendable {
    package var stage: String
    /// 0 for the first, 1 and on for the repetitions of a stage.
    package var repetition: Int64
    package var channel: String
    package var subject: String
    package var body: String
    /// Set where a patron's notices of the stage are merged into one message.
    package var digest: DigestTemplates?
    package var charge: Money?
    /// A stage that was passed over by a later one: recorded, never sent.
    package var isSuperseded: Bool
    package var origin: RuleOrigin?

    package init(
        stage: String, repetition: Int64 = 0, channel: String, subject: String, body: String,
        digest: DigestTemplates? = nil, charge: Money? = nil, isSuperseded: Bool = false, origin: RuleOrigin? = nil
    ) {
        self.stage = stage
        self.repetition = repetition
        self.channel = channel
        self.subject = subject
        self.body = body
        self.digest = digest
        self.charge = charge
        self.isSuperseded = isSuperseded
        self.origin = origin
    }
}

/// A charge to be posted once under its key.
package struct PlannedCharge: Hashable, Sendable {
    package var key: String
    package var amount: Money
    package var label: String
    package var origin: RuleOrigin?

    package init(key: String, amount: Money, label: String, origin: RuleOrigin? = nil) {
        self.key = key
        self.amount = amount
        self.label = label
        self.origin = origin
    }
}

/// A policy's own fault.
package struct PolicyFailure: Hashable, Sendable, Error {
    /// `lua_error`, `time_limit`, `memory_limit`, `instruction_limit` or `bad_answer`.
    package var code: String
    package var message: String
    package var file: String?
    package var line: Int?

    package init(code: String, message: String, file: String? = nil, line: Int? = nil) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }
}
