import Circulation
import Desk
import Languages
import Scripting
import TextFormats
import Workbench

/// How a library comes to its first policy: what is said while none is in force, the policies that come with the program, and what
/// a policy needs of the library.
enum PolicyStart {
    /// What administrators are told while no policy is in force; nil: one is, or somebody else asks.
    ///
    /// - Throws: what the store throws.
    static func notice(_ call: PageCall) throws -> [String: Any]? {
        guard call.caller.isAdmin, try call.context.look({ try $0.policies.inForce() }) == nil else { return nil }
        let coming = try call.context.look { try $0.policies.history() }
            .filter { $0.effectiveFrom > call.now && $0.withdrawnAt == nil }
            .min { $0.effectiveFrom < $1.effectiveFrom }
        var fields: [String: Any] = ["isThere": call.request.path.hasPrefix("/desk/policy")]
        fields["coming"] = coming.map { coming in
            var fields: [String: Any] = ["policyName": PageWords.safe(coming.name)]
            fields["at"] = call.words.moment(.string(coming.effectiveFrom.description))
            return fields
        }
        return fields
    }

    /// The policies that come with the program, for administrators.
    static func shipped(_ call: PageCall) -> [[String: Any]] {
        guard call.caller.isAdmin else { return [] }
        return call.services.shippedPolicies.all().map { policy in
            var fields: [String: Any] = [
                "policyName": PageWords.safe(policy.name),
                "link": "\(PolicyDraftPage.path)?from=\(PageCall.segment(policy.name))",
            ]
            fields["summary"] = PageWords.safe(.string(policy.summary))
            return fields
        }
    }

    /// Codes that a policy names and that the library does not have, by kind, with the place where they are added.
    static func missing(_ codes: UndeclaredCodes) -> [[String: Any]] {
        func entry(_ kind: String, at anchor: String, _ codes: [String]) -> [String: Any]? {
            guard !codes.isEmpty else { return nil }
            return [
                "kind": kind, "link": "/desk/settings#\(anchor)",
                "codes": PageWords.safe(codes.joined(separator: ", ")),
            ]
        }
        return [
            entry(say("Patron categories"), at: "categories", codes.categories),
            entry(say("Item types"), at: "item-types", codes.itemTypes),
            entry(say("Branches"), at: "branches", codes.branches),
        ].compactMap(\.self)
    }
}
