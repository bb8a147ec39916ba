import TextFormats

extension RowConditions {
    /// The conditions as a librarian would say them: `category undergraduate and item type book`; empty if there are
    /// none.
    package var words: String { words(naming: Self.mostNames) }

    /// - Parameter most: how many values of a condition are named.
    package func words(naming most: Int) -> String {
        var parts: [String] = []
        if let categories { parts.append("category \(RowConditions.either(categories, naming: most))") }
        if let itemTypes { parts.append("item type \(RowConditions.either(itemTypes, naming: most))") }
        if let branches { parts.append("branch \(RowConditions.either(branches, naming: most))") }
        if let copyBranches { parts.append("copies of branch \(RowConditions.either(copyBranches, naming: most))") }
        if let homeBranches { parts.append("home branch \(RowConditions.either(homeBranches, naming: most))") }
        if let locations { parts.append("location \(RowConditions.either(locations, naming: most))") }
        if let onSite { parts.append(onSite ? "use on site" : "use at home") }
        if let channels { parts.append("channel \(RowConditions.either(channels, naming: most))") }
        return RowConditions.joined(parts, by: "and")
    }

    /// `a`, `a or b`, `a, b or c`; of a long list the first five and how many more.
    package static func either(_ values: [String], naming most: Int = mostNames) -> String {
        let safe = values.map(SafeText.line)
        if safe.isEmpty { return "nothing" }
        if safe.count <= most { return joined(safe, by: "or") }
        return safe.prefix(most - 1).joined(separator: ", ") + " or \(safe.count - most + 1) others"
    }

    /// Of longer lists not all values are named.
    package static let mostNames = 6

    private static func joined(_ parts: [String], by word: String) -> String {
        guard parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " \(word) \(parts[parts.count - 1])"
    }
}
