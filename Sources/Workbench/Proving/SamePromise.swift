import Circulation
import Prover
import Scripting
import TextFormats

/// What tests say by `same`: that the policy decides some cases as another one does. Used by one thread.
final class SamePromise {
    private let declaration: SameDeclaration
    /// From the other policy to the one whose promise it is.
    private let pair: SamenessProof
    private let other: ParsedPolicy

    private init(_ declaration: SameDeclaration, _ other: ParsedPolicy, _ pair: SamenessProof) {
        (self.declaration, self.other, self.pair) = (declaration, other, pair)
    }

    /// Loads the policies that declarations name.
    ///
    /// - Parameters:
    ///   - declarations: by their place among the properties.
    ///   - properties: all that the file declares.
    /// - Throws: ``Unsettled`` for a file that is not there or no Lua, and for one that cannot be followed; ``PolicyProblems`` for one that
    ///   is no policy; ``ProofError`` without a solver.
    static func all(
        _ declarations: [Int: SameDeclaration], _ properties: [Property], _ proof: PolicyProof
    ) throws -> [Int: SamePromise] {
        var pairs: [String: SamenessProof] = [:]
        var proofs: [Int: SamePromise] = [:]
        for (index, declaration) in declarations.sorted(by: { $0.key < $1.key })
        where properties.indices.contains(index) {
            try check(declaration.scope, properties[index], proof.codes)
            let other = try policy(declaration.file, properties[index], proof)
            let pair =
                try pairs[declaration.file]
                ?? SamenessProof(
                    other, proof.policy, codes: proof.codes, currency: proof.currency, isStopped: proof.isStopped)
            pairs[declaration.file] = pair
            proofs[index] = SamePromise(declaration, other, pair)
        }
        return proofs
    }

    /// Of a code that the library does not have there is no case, so that anything could be proved of it.
    private static func check(_ scope: CaseScope, _ property: Property, _ codes: ProofDomain.Codes) throws {
        for condition in scope.conditions where condition.chain != nil {
            let name = condition.path.last ?? ""
            let known = name == "category" ? codes.categories : name == "item_type" ? codes.itemTypes : codes.branches
            for case .text(let code) in condition.values where known.map({ $0[code] == nil }) ?? false {
                throw Unsettled(
                    file: property.file, line: property.line,
                    message: "same: the library has no '\(code)' for \(condition.path.joined(separator: "."))")
            }
        }
    }

    private static func policy(_ name: String, _ property: Property, _ proof: PolicyProof) throws -> ParsedPolicy {
        guard let folder = proof.folder else {
            throw Unsettled(
                file: property.file, line: property.line,
                message: "same: these tests stand in no folder with other files")
        }
        do {
            var other = try folder.policy(name)
            other.fields = proof.policy.fields
            return other
        } catch {
            let isMissing = error.code == "not_found" && error.file == name
            throw Unsettled(
                file: isMissing ? property.file : error.file ?? name, line: isMissing ? property.line : error.line ?? 1,
                message: isMissing ? "same: \(error.message)" : error.message)
        }
    }

    /// The other policy's file, and what was read of it.
    var source: (file: String, sha256: String) { (declaration.file, other.bundle.sha256) }

    func proof(until deadline: ContinuousClock.Instant) throws -> Proof {
        try pair.proof(at: declaration.point, in: declaration.scope, until: deadline)
    }

    /// Whether the desk itself decides a case one way by this policy and another by the other.
    func isBroken(by object: JSONObject) -> Bool {
        object["point"]?.stringValue == declaration.point.rawValue && pair.change(for: object, declaration.scope) != nil
    }

    /// Adds what the other policy decides, and a test that holds the policy to it.
    func complete(_ result: inout ProofReport.Result, _ object: JSONObject, _ question: Case) {
        guard let change = pair.change(for: object, declaration.scope) else { return }
        let decision = pair.desks.one.decide(question)
        result.other = .init(file: declaration.file, policy: other, decision: decision.json(), change: change)
        guard let test = TellingTest(object, pair.desks.one, pair.desks.other) else { return }
        result.test = """
            -- \(declaration.file) decides so.
            test(\(LuaText.quoted("as \(declaration.file): \(result.name)")), function()
                \(test.body)
            end)
            """
    }
}
