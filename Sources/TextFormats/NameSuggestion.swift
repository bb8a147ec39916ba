/// Finds what a misspelt name was meant to be.
package enum NameSuggestion {
    /// The candidate nearest to `name`, if one is near enough to be meant; never `name` itself.
    ///
    /// Nearness is the Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions,
    /// substitutions and transpositions of neighbours count one each. Letters that differ in case only, and
    /// underscores, count nothing, so that `feesOwed` finds `fees_owed`. Names of up to three letters may be one
    /// away, of up to seven two, longer ones three. Of several equally near, the one with the same first letter wins,
    /// then the first in the alphabet.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        // A long text is not a misspelt name.
        guard name.utf8.count <= 200 else { return nil }
        let wanted = fold(name)
        guard !wanted.isEmpty else { return nil }
        let threshold = wanted.count <= 3 ? 1 : wanted.count <= 7 ? 2 : 3
        var best: Candidate?
        for candidate in candidates where candidate != name {
            let folded = fold(candidate)
            guard abs(folded.count - wanted.count) <= threshold else { continue }
            let distance = distance(wanted, folded)
            // A name of which no letter is left would be a guess.
            guard distance <= threshold, distance < max(wanted.count, folded.count) else { continue }
            let found = Candidate(distance: distance, startsAlike: folded.first == wanted.first, name: candidate)
            best = best.map { min($0, found) } ?? found
        }
        return best?.name
    }

    private struct Candidate: Comparable {
        var distance: Int
        var startsAlike: Bool
        var name: String

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.distance, left.startsAlike ? 0 : 1, left.name) < (
                right.distance, right.startsAlike ? 0 : 1, right.name
            )
        }
    }

    private static func fold(_ name: String) -> [Unicode.Scalar] {
        name.lowercased().unicodeScalars.filter { $0 != "_" }
    }

    /// How many edits lead from one name to the other, letter by letter.
    package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var value = min(last[column] + cost, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    value = min(value, beforeLast[column - 1] + 1)
                }
                current.append(value)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
