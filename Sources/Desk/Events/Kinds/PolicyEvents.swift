package import Circulation
import Storage
import TextFormats

extension EventKinds {
    static let policies: [any AnyEventKind] = [
        EventKind.policyActivated, EventKind.policyWithdrawn, EventKind.policyOverridden, EventKind.policyFailed,
        EventKind.decisionsPruned, EventKind.requestRefused,
    ]
}

extension EventKind where Content == ActivatedPolicy {
    package static var policyActivated: Self {
        EventKind("policy.activated", "A policy was put into force, now or from a moment on.", follow: { _, _ in }) {
            activated, transaction in
            var activated = activated
            try transaction.policies.insert(
                activated.bundle ?? PolicyBundle(sha256: activated.activation.policy, files: []))
            activated.activation.id = try transaction.policies.insert(activated.activation)
            return activated
        }
    }
}

extension EventKind where Content == PolicyActivation {
    /// An activation that was taken back before its day.
    package static var policyWithdrawn: Self {
        EventKind("policy.withdrawn", "A policy was taken back before its day.", follow: { _, _ in }) {
            activation, transaction in
            guard let moment = activation.withdrawnAt else { return nil }
            return try transaction.policies.withdraw(activation.id, at: moment) ? activation : nil
        }
    }
}

extension EventKind where Content == PolicyOverride {
    package static var policyOverridden: Self {
        EventKind(noting: "policy.overridden", "Staff went on in spite of a refusal.")
    }
}

extension EventKind where Content == FailedDecision {
    package static var policyFailed: Self {
        EventKind(noting: "policy.failed", "A policy failed to make a decision.")
    }
}

extension EventKind where Content == DecisionPruning {
    /// The decision log was shortened; what was decided stays as it is.
    package static var decisionsPruned: Self {
        EventKind(noting: "decisions.pruned", "Old decisions were taken out of the decision log.")
    }
}

extension EventKind where Content == RefusedRequest {
    package static var requestRefused: Self {
        EventKind(noting: "request.refused", "A request was refused: a loan, a renewal, a hold and the like.")
    }
}

extension PolicyActivation: EventContent {
    // Who activated it is who did the event.
    package static let eventMembers = declaredMembers(
        renaming: ["id": "activation", "name": "policy_name", "actor": ""])
}

/// A policy that was put into force.
package struct ActivatedPolicy: EventContent {
    package var activation: PolicyActivation
    /// What was activated; the log keeps its name, SHA-256, alone.
    package var bundle: PolicyBundle?

    package init(_ activation: PolicyActivation, bundle: PolicyBundle?) {
        self.activation = activation
        self.bundle = bundle
    }

    package static let blank = ActivatedPolicy(.blank, bundle: nil)
    package static let eventMembers = EventMember.record(
        \ActivatedPolicy.activation, PolicyActivation.eventMembers)
}

/// A refusal that staff went on in spite of.
package struct PolicyOverride: EventContent {
    package var patron: Int64
    package var title: Int64?
    package var copy: Int64?
    package var loan: Int64?
    package var codes: [String]
    package var policy: String
    package var reason: String

    package static let blank = PolicyOverride(patron: 0, codes: [], policy: "", reason: "")
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.patron, \.patron), EventMember(.title, \.title), EventMember(.copy, \.copy),
        EventMember(.loan, \.loan), EventMember("codes", \.codes, "the codes of the refusal's reasons"),
        EventMember("policy", \.policy, "SHA-256 of the policy that refused"), EventMember("reason", \.reason),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}

/// A decision that a policy failed to make.
package struct FailedDecision: EventContent {
    package var point: DecisionPoint
    package var policy: String
    package var failure: PolicyFailure
    package var patron: Int64?
    package var title: Int64?
    package var copy: Int64?
    package var loan: Int64?

    package static let blank = FailedDecision(
        point: .checkout, policy: "", failure: PolicyFailure(code: "", message: ""))
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("point", \.point, "the decision point"), EventMember("policy", \.policy, "SHA-256 of the policy"),
        EventMember("code", \.failure.code), EventMember("message", \.failure.message),
        EventMember("file", \.failure.file), EventMember("line", \.failure.lineNumber), EventMember(.patron, \.patron),
        EventMember(.title, \.title),
        EventMember(.copy, \.copy), EventMember(.loan, \.loan),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}

/// A request that was answered with no.
package struct RefusedRequest: EventContent {
    /// What was asked for: `checkout`, `renew`, `patrons.remove` and the like.
    package var request: String
    package var patron: Int64?
    /// Ids of the titles asked for; an unknown one is 0.
    package var titles: [Int64] = []
    package var copy: Int64?
    package var loan: Int64?
    /// The refusal, its message a template still where the policy words it.
    package var refusal: Refusal

    /// Whether something was to be lent, renewed or kept, which a rehearsal asks again.
    package var isOfLending: Bool { ["checkout", "renew", "holds.place"].contains(request) }

    /// Whether a policy was asked about it: none is where the desk itself refuses what is there already.
    package var isDecided: Bool { isOfLending && refusal.policy != nil }

    package static let blank = RefusedRequest(request: "", refusal: Refusal(code: "", message: ""))
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("request", \.request, "what was asked for: `checkout`, `renew` and the like"),
        EventMember(.patron, \.patron),
        EventMember("titles", \.titles, "the ids of the titles asked for; an unknown one is 0"),
        EventMember(.copy, \.copy), EventMember(.loan, \.loan),
        EventMember(shown: "code", \.refusal.code),
        EventMember(shown: "message", \.refusal.message, "its words, a template still where the policy words it"),
        EventMember(
            EventField("refusal", .plain(.object), isPersonal: true, "the whole refusal, with all its reasons"),
            .init(
                read: { $0.refusal = try $1.inner("refusal").refusal() },
                write: {
                    $1.key("refusal")
                    $1.value($0.refusal.json)
                })
        ) { .plain(.object($0.refusal.json.objectValue ?? [:])) },
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}

extension PolicyFailure {
    /// ``line`` as payloads have it.
    fileprivate var lineNumber: Int64? {
        get { line.map(Int64.init) }
        set { line = newValue.flatMap { Int(exactly: $0) } }
    }
}
