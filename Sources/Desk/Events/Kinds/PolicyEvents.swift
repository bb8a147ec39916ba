package import Circulation
import Storage
package import TextFormats

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

    package init(_ payload: EventPayload) throws { self.init(try payload.record(), bundle: nil) }
    package func writeMembers(to writer: inout JSONWriter) { writer.members(of: activation) }
    package static let eventMembers = PolicyActivation.eventMembers.map { $0.within(\ActivatedPolicy.activation) }
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

    package init(
        patron: Int64, title: Int64? = nil, copy: Int64? = nil, loan: Int64? = nil, codes: [String], policy: String,
        reason: String
    ) {
        self.patron = patron
        self.title = title
        self.copy = copy
        self.loan = loan
        self.codes = codes
        self.policy = policy
        self.reason = reason
    }

    package init(_ payload: EventPayload) throws {
        self.init(
            patron: try payload.integer("patron"), title: try payload.optionalInteger("title"),
            copy: try payload.optionalInteger("copy"), loan: try payload.optionalInteger("loan"),
            codes: try payload.texts("codes"), policy: try payload.text("policy"), reason: try payload.text("reason"))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("patron", patron)
        writer.member("title", title)
        writer.member("copy", copy)
        writer.member("loan", loan)
        writer.member("codes", codes)
        writer.member("policy", policy)
        writer.member("reason", reason)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.patron, \.patron), EventMember(.title, optional: \.title), EventMember(.copy, optional: \.copy),
        EventMember(.loan, optional: \.loan), EventMember("codes", \.codes, "the codes of the refusal's reasons"),
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

    package init(
        point: DecisionPoint, policy: String, failure: PolicyFailure, patron: Int64? = nil, title: Int64? = nil,
        copy: Int64? = nil, loan: Int64? = nil
    ) {
        self.point = point
        self.policy = policy
        self.failure = failure
        self.patron = patron
        self.title = title
        self.copy = copy
        self.loan = loan
    }

    package init(_ payload: EventPayload) throws {
        let failure = PolicyFailure(
            code: try payload.text("code"), message: try payload.text("message"),
            file: try payload.optionalText("file"),
            line: try payload.optionalInteger("line").flatMap { Int(exactly: $0) })
        self.init(
            point: try payload.choice("point", DecisionPoint.self), policy: try payload.text("policy"),
            failure: failure, patron: try payload.optionalInteger("patron"),
            title: try payload.optionalInteger("title"), copy: try payload.optionalInteger("copy"),
            loan: try payload.optionalInteger("loan"))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("point", point.rawValue)
        writer.member("policy", policy)
        writer.member("code", failure.code)
        writer.member("message", failure.message)
        writer.member("file", failure.file)
        writer.member("line", failure.line.map(Int64.init))
        writer.member("patron", patron)
        writer.member("title", title)
        writer.member("copy", copy)
        writer.member("loan", loan)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("point", \.point, "the decision point"), EventMember("policy", \.policy, "SHA-256 of the policy"),
        EventMember("code", \.failure.code), EventMember("message", \.failure.message),
        EventMember("file", \.failure.file),
        EventMember(EventField("line", .plain(.integer), mayBeAbsent: true)) {
            .plain($0.failure.line.map(Int64.init).fieldValue)
        }, EventMember(.patron, optional: \.patron), EventMember(.title, optional: \.title),
        EventMember(.copy, optional: \.copy), EventMember(.loan, optional: \.loan),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}

/// A request that was answered with no.
package struct RefusedRequest: EventContent {
    /// What was asked for: `checkout`, `renew`, `patrons.remove` and the like.
    package var request: String
    package var patron: Int64?
    /// Ids of the titles asked for; an unknown one is 0.
    package var titles: [Int64]
    package var copy: Int64?
    package var loan: Int64?
    /// The refusal, its message a template still where the policy words it.
    package var refusal: Refusal

    package init(
        request: String, patron: Int64? = nil, titles: [Int64] = [], copy: Int64? = nil, loan: Int64? = nil,
        refusal: Refusal
    ) {
        self.request = request
        self.patron = patron
        self.titles = titles
        self.copy = copy
        self.loan = loan
        self.refusal = refusal
    }

    package init(_ payload: EventPayload) throws {
        self.init(
            request: try payload.text("request"), patron: try payload.optionalInteger("patron"),
            titles: try payload.ids("titles"), copy: try payload.optionalInteger("copy"),
            loan: try payload.optionalInteger("loan"), refusal: try payload.inner("refusal").refusal())
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("request", request)
        writer.member("patron", patron)
        writer.member("titles", ids: titles)
        writer.member("copy", copy)
        writer.member("loan", loan)
        writer.key("refusal")
        writer.value(refusal.json)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("request", \.request, "what was asked for: `checkout`, `renew` and the like"),
        EventMember(.patron, optional: \.patron),
        EventMember("titles", \.titles, "the ids of the titles asked for; an unknown one is 0"),
        EventMember(.copy, optional: \.copy), EventMember(.loan, optional: \.loan), EventMember("code", \.refusal.code),
        EventMember("message", \.refusal.message, "its words, a template still where the policy words it"),
        EventMember(EventField("refusal", .plain(.object), isPersonal: true, "the whole refusal, with all its reasons"))
        {
            .plain(.object($0.refusal.json.objectValue ?? [:]))
        },
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}
