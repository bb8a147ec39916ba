/// What differs between the databases, kept apart so that every repository is written once.
///
/// In the text of a ``Query`` and of a migration, a dialect replaces
/// - `{identity}`: the type of a surrogate key that is never given twice,
/// - `{rowKey}`: the type of a surrogate key of a table from which nothing is ever deleted,
/// - `{integer}`: a signed 64-bit integer,
/// - `{options}`: what stands behind the closing parenthesis of a table,
/// - `{id TABLE}`: the parameter of a surrogate key, for which null means the next one,
/// - `{forUpdate}`: the lock on the rows read, where the database locks by rows,
/// - `{titleSearch}`: what makes the full-text index over titles,
/// - `{searchKey}`: the index's column that holds the title's id,
/// - `{titlesInSearch}`: `titles`, joined to the index,
/// - `{searchMatches}`: the condition that picks the matches; its one parameter is a ``searchExpression``.
struct Dialect: Sendable {
    let name: String
    /// The expression asked of the full-text index: all terms, in one field or in any.
    let searchExpression: @Sendable (_ terms: [SearchTerm], _ field: SearchField) -> String
    private let words: [String: String]
    private let keyParameter: @Sendable (_ table: Substring) -> String

    init(
        name: String, words: [String: String], keyParameter: @escaping @Sendable (_ table: Substring) -> String,
        searchExpression: @escaping @Sendable (_ terms: [SearchTerm], _ field: SearchField) -> String
    ) {
        self.name = name
        self.words = words
        self.keyParameter = keyParameter
        self.searchExpression = searchExpression
    }

    /// The text as this database takes it.
    ///
    /// - Throws: ``StoreError/Code/fault`` for a word in braces that the dialect does not know.
    func rendered(_ text: String) throws(StoreError) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw .fault("an open brace in: \(text)") }
            result += rest[..<open]
            let word = rest[rest.index(after: open)..<close]
            if word.hasPrefix("id ") {
                result += keyParameter(word.dropFirst(3))
            } else if let replacement = words[String(word)] {
                result += replacement
            } else {
                throw .fault("the dialect \(name) knows no {\(word)}")
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
