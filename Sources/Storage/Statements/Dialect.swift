import Circulation

/// What differs between the databases, kept apart so that every repository is written once.
///
/// In the text of a ``Query`` and of a migration, a dialect replaces
/// - `{identity}`: the type of a surrogate key that is never given twice,
/// - `{rowKey}`: the type of a surrogate key of a table from which nothing is ever deleted,
/// - `{integer}`: a signed 64-bit integer,
/// - `{options}`: what stands behind the closing parenthesis of a table,
/// - `{counters}`: the same of a table whose rows are counts that rise under a key of several columns,
/// - `{instant COLUMN}`, `{date COLUMN}`: such a column as text in UTC, `2026-12-24T18:00:00Z` and `2026-12-24`,
/// - `{json COLUMN NAME}`: the value under a name of the object in such a column, as a text or a number,
/// - `{among COLUMN}`: the condition that such a column holds one of a list's numbers; its one parameter is such a list as
///   JSON: see ``StoredValue/numbers(_:)``,
/// - `{}`: an object without members,
/// - `{id TABLE}`: the parameter of a surrogate key, for which null means the next one,
/// - `{forUpdate}`: the lock on the rows read, where the database locks by rows,
/// - `{indexNames}`: the query for the names of all indexes,
/// - `{nextLoan}`: the query for the id that the next loan is given, where questions are asked together,
/// - `{titleSearch}`: what makes the full-text index over titles,
/// - `{placedSearch}`: what makes that index anew, with a title's place as its key,
/// - `{freeRequests}`: what takes the key of a request from `events`,
/// - `{searchKey}`: the index's column that holds the title's place: see ``Standing``,
/// - `{titlesInSearch}`: `titles`, joined to the index,
/// - `{searchMatches}`: the condition that picks the matches; its one parameter is a ``searchExpression``.
///
/// An insertion with `{id TABLE}` names its key first in its list of columns.
struct Dialect: Sendable {
    let name: String
    /// The expression asked of the full-text index: one term of each list, in one field or in any.
    let alternatives: @Sendable (_ terms: [[SearchTerm]], _ field: CatalogueQuery.Field) -> String
    /// Whether the full-text index yields what it finds in the order of its key, one after the other.
    let searchIsOrdered: Bool
    private let words: [String: String]
    private let keyParameter: @Sendable (_ table: Substring, _ column: Substring) -> String
    private let keyResult: @Sendable (_ column: Substring) -> String
    private let instantText: @Sendable (_ column: Substring) -> String
    private let dateText: @Sendable (_ column: Substring) -> String
    private let jsonText: @Sendable (_ column: Substring, _ name: Substring) -> String
    private let amongNumbers: @Sendable (_ column: Substring) -> String
    private let numbersParameters: Bool
    private let textColumn: String

    /// - Parameters:
    ///   - keyParameter: what stands for `{id TABLE}`.
    ///   - keyResult: what stands behind an insertion with a key, to tell which one it was.
    ///   - instantText: what stands for `{instant COLUMN}`.
    ///   - dateText: what stands for `{date COLUMN}`.
    ///   - jsonText: what stands for `{json COLUMN NAME}`.
    ///   - amongNumbers: what stands for `{among COLUMN}`.
    ///   - numbersParameters: whether parameters are `$1`, `$2` instead of `?`.
    ///   - textColumn: the type of a text in a migration, which is compared by its code points.
    init(
        name: String, words: [String: String],
        keyParameter: @escaping @Sendable (_ table: Substring, _ column: Substring) -> String = { _, _ in "?" },
        keyResult: @escaping @Sendable (_ column: Substring) -> String = { _ in "" },
        instantText: @escaping @Sendable (_ column: Substring) -> String,
        dateText: @escaping @Sendable (_ column: Substring) -> String,
        jsonText: @escaping @Sendable (_ column: Substring, _ name: Substring) -> String,
        amongNumbers: @escaping @Sendable (_ column: Substring) -> String,
        numbersParameters: Bool = false,
        textColumn: String = "TEXT",
        alternatives: @escaping @Sendable (_ terms: [[SearchTerm]], _ field: CatalogueQuery.Field) -> String,
        searchIsOrdered: Bool
    ) {
        self.name = name
        self.words = words
        self.keyParameter = keyParameter
        self.keyResult = keyResult
        self.instantText = instantText
        self.dateText = dateText
        self.jsonText = jsonText
        self.amongNumbers = amongNumbers
        self.numbersParameters = numbersParameters
        self.textColumn = textColumn
        self.alternatives = alternatives
        self.searchIsOrdered = searchIsOrdered
    }

    /// The expression asked of the full-text index: all terms, in one field or in any.
    func searchExpression(_ terms: [SearchTerm], _ field: CatalogueQuery.Field) -> String {
        alternatives(terms.map { [$0] }, field)
    }

    /// The text of a statement as this database takes it.
    ///
    /// - Throws: ``StoreError/Code/fault`` for a word in braces that the dialect does not know.
    func rendered(_ text: String) throws(StoreError) -> String {
        let (replaced, key) = try replacing(text)
        let whole = key.map { replaced + keyResult($0) } ?? replaced
        return numbersParameters ? Self.numbered(whole) : whole
    }

    /// The script of a migration as this database takes it: each ` TEXT` becomes a text compared by its code points.
    ///
    /// - Throws: ``StoreError/Code/fault`` for a word in braces that the dialect does not know.
    func rendered(schema script: String) throws(StoreError) -> String {
        try replacing(script).text.replacing(" TEXT", with: " \(textColumn)")
    }

    /// - Returns: the text without braces and, of an insertion with a key, the key's column.
    private func replacing(_ text: String) throws(StoreError) -> (text: String, key: Substring?) {
        var result = ""
        var key: Substring?
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw .fault("an open brace in: \(text)") }
            result += rest[..<open]
            let word = rest[rest.index(after: open)..<close]
            if word.hasPrefix("id ") {
                let column = try Self.firstColumn(of: text)
                key = column
                result += keyParameter(word.dropFirst(3), column)
            } else if word.hasPrefix("instant ") {
                result += instantText(word.dropFirst("instant ".count))
            } else if word.hasPrefix("date ") {
                result += dateText(word.dropFirst("date ".count))
            } else if word.hasPrefix("json ") {
                let names = word.split(separator: " ")
                guard names.count == 3 else { throw .fault("no column and name in {\(word)}") }
                result += jsonText(names[1], names[2])
            } else if word.hasPrefix("among ") {
                result += amongNumbers(word.dropFirst("among ".count))
            } else if word.isEmpty {
                result += "{}"
            } else if let replacement = words[String(word)] {
                result += replacement
            } else {
                throw .fault("the dialect \(name) knows no {\(word)}")
            }
            rest = rest[rest.index(after: close)...]
        }
        return (result + rest, key)
    }

    private static func firstColumn(of insertion: String) throws(StoreError) -> Substring {
        guard let open = insertion.firstIndex(of: "("),
            let end = insertion[open...].firstIndex(where: { $0 == "," || $0 == ")" })
        else { throw .fault("no list of columns in: \(insertion)") }
        return insertion[insertion.index(after: open)..<end]
    }

    /// Each `?` outside quoted texts becomes `$1`, `$2` and so on.
    private static func numbered(_ text: String) -> String {
        var result = ""
        var count = 0
        var isQuoted = false
        for character in text.unicodeScalars {
            if character == "'" { isQuoted.toggle() }
            if character == "?" && !isQuoted {
                count += 1
                result += "$\(count)"
            } else {
                result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
