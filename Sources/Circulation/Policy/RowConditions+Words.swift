import TextFormats

extension RowConditions {
    /// The conditions as a librarian would say them: `category undergraduate and item type book`; empty if there are
    /// none.
    package var words: String {
        var parts: [String] = []
        if let categories { parts.append("category \(RowConditions.either(categories))") }
        if let itemTypes { parts.append("item type \(RowConditions.either(itemTypes))") }
        if let branches { parts.append("branch \(RowConditions.either(branches))") }
        if let copyBranches { parts.append("copies of branch \(RowConditions.either(copyBranches))") }
        if let homeBranches { parts.append("home branch \(RowConditions.either(homeBranches))") }
        if let onSite { parts.append(onSite ? "use on site" : "use at home") }
        if let channels { parts.append("channel \(RowConditions.either(channels))") }
        return RowConditions.joined(parts, by: "and")
    }

    /// `a`, `a or b`, `a, b or c`; of a long list the first five and how many more.
    package static func either(_ values: [String]) -> String {
        let safe = values.map(SafeText.line)
        if safe.isEmpty { return "nothing" }
        if safe.count <= 6 { return joined(safe, by: "or") }
        return safe.prefix(5).joined(separator: ", ") + " or \(safe.count - 5) others"
    }

    private static func joined(_ parts: [String], by word: String) -> String {
        guard parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " \(word) \(parts[parts.count - 1])"
    }
}
