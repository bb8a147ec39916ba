package import Circulation
import Storage
import TextFormats

/// Who says when the membership of a new patron ends.
package enum MembershipSource: Hashable, Sendable {
    /// The policy in force, where the record says no end.
    case policy
    /// The record: without an end there is none.
    case record
}

extension PatronService {
    /// Renews a membership: it ends when the policy in force says, at the point `expiry`. A suspension or a block is no
    /// obstacle, nor is what the patron owes.
    ///
    /// Refused with `unknown_patron`, `no_membership_end` where the policy says nothing of memberships, `not_extended` where
    /// the membership would not end later than it does, and `policy_failed`.
    package func renewMembership(_ key: PatronKey) throws -> Outcome<Patron> {
        let trail = RequestTrail("patrons.renew_membership")
        return try session.request(trail) {
            let found = try known(key, trail)
            // Of two renewals at once the second sees what the first one did.
            guard try transaction.patrons.lock(found.id), var patron = try get(.id(found.id)) else {
                throw Self.unknown
            }
            let (asked, end) = try renewedEnd(of: patron)
            trail.asked = [asked]
            patron.expiresOn = end.date
            if let (_, event) = try session.record(.patronUpdated, PatronChange(patron, fields: [])) {
                try session.log(asked, under: event)
            }
            return patron
        }
    }

    /// When the membership would end that ``renewMembership(_:)`` renews; writes nothing.
    package func membershipRenewal(of key: PatronKey) throws -> Outcome<MembershipEnd> {
        do {
            return .done(try renewedEnd(of: try known(key, RequestTrail("patrons.renew_membership"))).end)
        } catch let refused as Refused {
            return .refused(refused.answer)
        }
    }

    private func renewedEnd(of patron: Patron) throws -> (asked: AskedDecision, end: MembershipEnd) {
        guard let asked = try membershipAsked(of: patron), let end = asked.decision.membership else {
            throw Refused("no_membership_end", "The policy does not say when this membership should end.")
        }
        let isLater = patron.expiresOn.map { present in end.date.map { $0 > present } ?? true } ?? (end.date != nil)
        guard isLater else {
            throw Refused(
                Refusal(
                    code: "not_extended", message: "Renewing would not extend the membership.",
                    figures: ["until": end.date.map { .string($0.description) } ?? .null]))
        }
        return (asked, end)
    }

    /// What the policy in force says of the end of a membership; nil where none is, or it says nothing of memberships.
    ///
    /// - Parameter patron: with the id 0 for one who is about to be added.
    /// - Throws: ``Refused`` with `policy_failed`.
    func membershipAsked(of patron: Patron) throws -> AskedDecision? {
        guard let activation = try session.policies.inForce() else { return nil }
        return try session.policies.asking(activation.policy, at: .expiry) { policy in
            guard policy.endsMemberships else { return nil }
            let asked = try CaseBuilder(session: session).ask(policy, aboutMembershipOf: patron)
            guard asked.decision.answer == .allow else {
                var refused = Refused(asked)
                if patron.id == 0 { refused.failed?.patron = nil }
                throw try refused.worded(by: policy, language: patron.language) { _ in
                    try session.loans.context(
                        patron: patron.id == 0 ? nil : patron.id, title: nil, branch: asked.question.branch)
                }
            }
            return asked
        }
    }
}

extension CaseBuilder {
    fileprivate func ask(_ policy: any LendingPolicy, aboutMembershipOf patron: Patron) throws -> AskedDecision {
        let branch = try branch(copy: nil, home: patron.homeBranch)
        let today = settings.zone(ofBranch: branch).date(of: session.now)
        var facts =
            try patron.id == 0
            ? PatronFacts(
                id: 0, category: "", categories: settings.categories(from: patron.category), homeBranch: "",
                homeBranches: settings.branches(from: patron.homeBranch), language: patron.language,
                age: patron.birthDate.flatMap { $0 <= today ? $0.age(at: today) : nil },
                feesOwed: .zero(settings.library.currency), extra: patron.extra)
            : known(patron, at: branch)
        facts.birthDate = patron.birthDate.flatMap { $0 <= today ? $0 : nil }
        return try ask(policy, question(.expiry, at: branch, patron: facts))
    }

    private func known(_ patron: Patron, at branch: String) throws -> PatronFacts {
        guard let facts = try self.patron(patron.id, at: branch) else { throw PatronService.unknown }
        return facts
    }
}
