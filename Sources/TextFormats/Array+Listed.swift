extension [String] {
    /// The words as a sentence lists them: `a, b and c`.
    ///
    /// - Parameter word: what stands before the last one.
    package func listed(by word: String) -> String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}
