/// Finds what a misspelt name was meant to be.
package enum NearestName {
    /// The name with the fewest edits (a letter more, less, other, or two swapped), if they are few for its length; of
    /// several the first.
    package static func of(_ text: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars.prefix(longest))
        let allowed = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(wanted, Array(name.lowercased().unicodeScalars.prefix(longest)))
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Beyond this many letters nothing is compared, so that a megabyte for a name costs nothing.
    private static let longest = 64

    /// Optimal string alignment: like Levenshtein's distance, with a swap of neighbours as one edit.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var current = [i + 1]
            for (j, other) in right.enumerated() {
                var cost = min(last[j + 1] + 1, current[j] + 1, last[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
