package import Circulation

/// What two decisions can differ in, the weightiest first.
package enum DecisionAspect: String, CaseIterable, Hashable, Sendable {
    /// The answer, the codes of all reasons, and whether staff may go on.
    case answer
    case due, priority, fine, lost
    case lostFee = "lost_fee"
    case suspendedUntil = "suspended_until"
    case expiresOn = "expires_on"
    case rental, total, lines, charges, notices
    case holdShelf = "hold_shelf"
    case message

    /// What of a decision stands under it, in words, and its place among others; nil: it has none, or none is known.
    package func seen(in decision: Decision, message: String?) -> Seen {
        switch self {
        case .answer: Seen(decision.answerWords, order: decision.latitude, codes: decision.codes)
        case .due: decision.due.map { Seen($0.words, order: $0.instant.microseconds) } ?? Seen("none")
        case .priority: decision.priority.map { Seen("\($0)", order: $0) } ?? Seen("none")
        case .fine: decision.amount { if case .fine(let amount, _) = $0 { amount } else { nil } }
        case .lost: Seen(decision.isLost ? "lost" : "not lost", order: decision.isLost ? 1 : 0)
        case .lostFee: decision.amount { if case .lose(let fee, _) = $0 { fee } else { nil } }
        case .suspendedUntil: Seen(decision.suspension)
        case .expiresOn: decision.membership.map(Seen.init(membership:)) ?? Seen("none")
        case .rental: decision.amount { if case .rental(let amount, _, _) = $0 { amount } else { nil } }
        case .total: decision.lines.map { Seen(sum: $0.map(\.amount)) } ?? Seen("none")
        case .lines: Seen(decision.lines?.map { "\($0.label) \($0.amount)" }.joined(separator: ", ") ?? "none")
        case .charges: Seen(decision.chargeWords, order: decision.chargedInAll)
        case .notices: Seen(decision.noticeWords)
        case .holdShelf: Seen(decision.rule?["hold_shelf"]?.description ?? "none")
        case .message: Seen(decision.refusal.map { message ?? $0.message } ?? decision.message ?? "none")
        }
    }

    /// What a decision shows.
    package struct Seen: Hashable, Sendable {
        package let words: String
        let order: Int64?
        /// The codes of all reasons.
        let codes: Set<String>

        init(_ words: String, order: Int64? = nil, codes: Set<String> = []) {
            (self.words, self.order, self.codes) = (words, order, codes)
        }

        fileprivate init(sum amounts: [Money]) {
            guard let first = amounts.first else {
                self.init("nothing", order: 0)
                return
            }
            let sum = amounts.dropFirst().reduce(first) { (try? $0.adding($1)) ?? $0 }
            self.init(sum.description, order: sum.minorUnits)
        }

        fileprivate init(membership: MembershipEnd) {
            let day = membership.date ?? .latest
            self.init(membership.date?.description ?? MembershipEnd.unlimitedWord, order: Int64(day.dayNumber))
        }

        fileprivate init(_ suspension: CivilDate?) {
            self.init(suspension?.description ?? "none", order: suspension.map { Int64($0.dayNumber) } ?? 0)
        }
    }

    /// Whether what comes later in the order is what a patron would rather have; nil: neither is.
    var isLooserUpwards: Bool? {
        switch self {
        case .answer, .due, .expiresOn: true
        case .fine, .lost, .lostFee, .suspendedUntil, .rental, .total, .charges: false
        case .priority, .lines, .notices, .holdShelf, .message: nil
        }
    }
}

/// By what two policies are compared.
package enum PolicyJudgement: Sendable {
    /// Whether they decide differently.
    case differs
    /// Whether the second allows more, lends longer, or charges less.
    case loosens

    /// What the desk itself decides differently about a case; nil where it is nothing of the kind.
    package func change(
        of aspect: DecisionAspect, from one: Decision, to other: Decision, messages: (String?, String?) = (nil, nil)
    ) -> DecisionChange? {
        let before = aspect.seen(in: one, message: messages.0)
        let after = aspect.seen(in: other, message: messages.1)
        let change = DecisionChange(aspect: aspect, before: before, after: after)
        switch self {
        case .differs: return before == after ? nil : change
        case .loosens:
            guard let isUpwards = aspect.isLooserUpwards else { return nil }
            // No loan has no due time; a recall that is none leaves the loan as it is.
            if aspect == .due, one.point == .recall, one.due != nil, other.due == nil { return change }
            guard let least = before.order, let most = after.order, least != most else { return nil }
            return (least < most) == isUpwards ? change : nil
        }
    }
}

/// How one aspect of a decision changes.
package struct DecisionChange: Hashable, Sendable {
    package let aspect: DecisionAspect
    package let before: DecisionAspect.Seen
    package let after: DecisionAspect.Seen

    /// Cases of one kind change alike: answers by the codes that come and go, amounts and moments upwards or downwards.
    var kind: Kind {
        let gone = before.codes.subtracting(after.codes).map { "-\($0)" }
        let new = after.codes.subtracting(before.codes).map { "+\($0)" }
        if !gone.isEmpty || !new.isEmpty { return Kind(aspect: aspect, words: (gone + new).sorted()) }
        if aspect != .answer, let before = before.order, let after = after.order {
            return Kind(aspect: aspect, words: [before < after ? "more" : "less"])
        }
        if aspect == .due { return Kind(aspect: aspect, words: [before.order == nil ? "new" : "gone"]) }
        return Kind(aspect: aspect, words: [before.words, after.words])
    }

    struct Kind: Hashable {
        let aspect: DecisionAspect
        let words: [String]
    }

    /// Whether the answer itself is another.
    var isOfLatitude: Bool { before.order != after.order }

    /// `due: 2026-01-29 -> 2026-02-05`
    package var words: String { "\(aspect.rawValue): \(before.words) -> \(after.words)" }
}

// MARK: - Decisions in words

extension DueTime {
    fileprivate var words: String { isExact ? instant.description : date.description }
}

extension Decision {
    fileprivate var answerWords: String {
        let codes = refusal.map { Set($0.reasons.map(\.code)).sorted().joined(separator: ", ") } ?? ""
        switch answer {
        case .allow: return "allowed"
        case .review: return "to be reviewed"
        case .failed: return "fails (\(failure?.code ?? codes))"
        case .confirm: return "asks first (\(codes))"
        case .deny: return "refused (\(codes))" + (refusal?.mayBeOverridden ?? false ? ", staff may go on" : "")
        }
    }

    fileprivate var codes: Set<String> {
        if let failure { return [failure.code] }
        return Set(refusal?.reasons.map(\.code) ?? [])
    }

    /// How far the answer goes: 0 no, 1 no unless staff say so, 2 after a question, 3 yes.
    var latitude: Int64 {
        switch answer {
        case .allow: 3
        case .review, .confirm: 2
        case .deny: refusal?.mayBeOverridden ?? false ? 1 : 0
        case .failed: point.failureMode == .refuse ? 0 : 3
        }
    }

    fileprivate func amount(_ of: (Effect) -> Money?) -> DecisionAspect.Seen { .init(sum: effects.compactMap(of)) }

    fileprivate var isLost: Bool { effects.contains { if case .lose = $0 { true } else { false } } }

    fileprivate var suspension: CivilDate? {
        effects.lazy.compactMap { if case .suspend(let end, _) = $0 { end } else { nil } }.last
    }

    private var notices: [PlannedNotice] {
        effects.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    private var charges: [PlannedCharge] {
        effects.compactMap { if case .charge(let charge) = $0 { charge } else { nil } }
    }

    fileprivate var chargeWords: String {
        let words = charges.map { "\($0.label) \($0.amount)" } + notices.compactMap { $0.charge?.description }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }

    fileprivate var chargedInAll: Int64 {
        (charges.map(\.amount) + notices.compactMap(\.charge)).reduce(0) { $0 &+ $1.minorUnits }
    }

    fileprivate var noticeWords: String {
        let words = notices.map { notice in
            let place = notice.repetition > 0 ? " (\(notice.repetition + 1))" : ""
            return "\(notice.stage)\(place) by \(notice.channel)\(notice.isSuperseded ? ", passed over" : "")"
                + " \"\(notice.subject)\" \"\(notice.body)\"" + (notice.digest == nil ? "" : " in a digest")
        }
        return words.isEmpty ? "none" : words.joined(separator: "; ")
    }
}
