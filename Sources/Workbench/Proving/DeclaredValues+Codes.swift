package import Prover

extension DeclaredValues {
    /// The codes of the library, each with those above it, for proofs.
    package var codesForProofs: ProofDomain.Codes {
        ProofDomain.Codes(
            categories: ancestors(categories, .category), itemTypes: ancestors(itemTypes, .itemType),
            branches: ancestors(branches, .branch))
    }

    private func ancestors(_ codes: Set<String>, _ dimension: Dimension) -> [String: [String]]? {
        // A library without any has not said yet what it has.
        if codes.isEmpty { return nil }
        var parents: [String: String] = [:]
        for (parent, children) in below[dimension] ?? [:] {
            for child in children { parents[child] = parent }
        }
        return Dictionary(
            uniqueKeysWithValues: codes.map { code in
                var above: [String] = []
                while let parent = parents[above.last ?? code], !above.contains(parent) { above.append(parent) }
                return (code, above)
            })
    }
}
