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
        EventKind("policy.activated", follow: { _, _ in }) { activated, transaction in
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
        EventKind("policy.withdrawn", follow: { _, _ in }) { activation, transaction in
            guard let moment = activation.withdrawnAt else { return nil }
            return try transaction.policies.withdraw(activation.id, at: moment) ? activation : nil
        }
    }
}

extension EventKind where Content == PolicyOverride {
    package static var policyOverridden: Self { EventKind(noting: "policy.overridden") }
}

extension EventKind where Content == FailedDecision {
    package static var policyFailed: Self { EventKind(noting: "policy.failed") }
}

extension EventKind where Content == DecisionPruning {
    /// The decision log was shortened; what was decided stays as it is.
    package static var decisionsPruned: Self { EventKind(noting: "decisions.pruned") }
}

extension EventKind where Content == RefusedRequest {
    package static var requestRefused: Self { EventKind(noting: "request.refused") }
}

extension PolicyActivation: EventContent {}

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

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}
