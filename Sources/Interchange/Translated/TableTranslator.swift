package import Circulation
package import MARC
package import TextFormats

/// What makes records of the rows of tables that only others know: the imports of a plugin.
///
/// A row is handed over with the values of the columns that its table declares, and what comes back is read as a record of a JSON file
/// is. It is never called within a transaction of a desk.
package protocol TableTranslator: AnyObject {
    /// What `--format` calls it.
    var name: String { get }
    var tables: [TranslatedTable] { get }
    /// Of amounts that name none.
    var currency: Currency { get }
    /// How dates are to be read that can be read in two ways; nil: not at all.
    var dateOrder: DateOrder? { get }
    /// What an administrator has to do so that ``dateOrder`` says one: the end of a sentence that begins with the order's name.
    var dateOrderAdvice: String { get }
    /// That of MARC records, whatever they say; nil: as they say.
    var recordEncoding: MARCEncoding? { get }
    /// What stands between the columns of its tables; nil: what the file shows.
    var separator: UInt8? { get }
    /// How many rows the headers of its tables have, 1 or 2; nil: as they show.
    var headerRows: Int? { get }

    /// Whether a row is the header of its tables, where these do not say which columns they have.
    func isHeader(_ header: CSVHeader) -> Bool

    /// What is to be said of a table before its rows.
    ///
    /// - Throws: ``ImportProblem`` where it cannot be read with this header.
    func remarks(on header: CSVHeader, in file: String, line: Int) throws(ImportProblem) -> [ImportProblem]

    /// Whether a file with this head is the table's.
    ///
    /// - Parameter head: `file`, its name; `kind`, `csv`, `json`, `marc` or `marcxml`; `columns`, a list; `rows`, the first ones as they stand there;
    ///   `named`, whether the user named the translator.
    /// - Throws: ``TranslationFault``; what the store throws.
    func recognises(_ head: JSON, as table: TranslatedTable) throws -> Bool

    /// The records that a row stands for, each an object with its kind as the one member: `{"patron": {…}}`. Beside it `once` says that
    /// a patron who is there already stays so; `error` and `warning` say what is wrong with the row.
    ///
    /// - Throws: ``TranslationFault``; what the store throws.
    func records(of row: JSONObject, in table: TranslatedTable) throws -> [JSON]
}

extension TableTranslator {
    package var separator: UInt8? { nil }
    package var headerRows: Int? { nil }
    package func isHeader(_ header: CSVHeader) -> Bool { false }

    /// None.
    package func remarks(
        on header: CSVHeader, in file: String, line: Int
    ) throws(ImportProblem) -> [ImportProblem] { [] }
}

/// Why a row could not be translated.
package struct TranslationFault: Error {
    package let code: String
    package let message: String
    /// Whether it would be the same with all other rows.
    package let endsImport: Bool
    /// The column at fault, nil if the row is.
    package let column: String?

    package init(code: String, message: String, endsImport: Bool, column: String? = nil) {
        self.column = column
        self.code = code
        self.message = message
        self.endsImport = endsImport
    }
}

/// A table that a translator knows.
package struct TranslatedTable: Sendable {
    package let name: String
    /// Patterns of the names of its files, `*.csv`; none: all.
    package let files: [String]
    /// Columns that its rows have.
    package let has: Set<String>
    /// Columns that they have not.
    package let lacks: Set<String>
    /// Columns that no two rows of a file have the same in.
    package let key: [String]
    /// Members of a document under which the rows stand as a list.
    package let within: [String]
    /// Empty: a row has all columns, as they stand in the file.
    package let columns: [TranslatedColumn]
    /// Whether ``TableTranslator/recognises(_:as:)`` has something to say.
    package let isAsked: Bool
    /// Whether it is looked for before the kinds that are known without translators.
    package let isFirst: Bool

    package init(
        name: String, files: [String] = [], has: [String] = [], lacks: [String] = [], key: [String] = [],
        within: [String] = [], columns: [TranslatedColumn] = [], isAsked: Bool = false,
        isFirst: Bool = false
    ) {
        self.name = name
        self.files = files.map { $0.lowercased() }
        self.has = Set(has.map { $0.lowercased() })
        self.lacks = Set(lacks.map { $0.lowercased() })
        self.key = key.map { $0.lowercased() }
        self.within = within
        self.columns = columns
        self.isAsked = isAsked
        self.isFirst = isFirst
    }

    /// Whether a row with these columns, in small letters, is one of the table.
    func claims(_ columns: Set<String>) -> Bool { has.isSubset(of: columns) && lacks.isDisjoint(with: columns) }

    /// Whether the table may be recognised in a file that is called so without being named; one without a name may be any.
    func mayBe(inFile names: [String]) -> Bool {
        guard isAsked || !has.isEmpty else { return false }
        return files.isEmpty || names.isEmpty
            || names.contains { name in files.contains { Self.matches(name.lowercased()[...], $0[...]) } }
    }

    /// Whether a name is as a pattern with `*` and `?` says.
    private static func matches(_ name: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "*" {
            return matches(name, pattern.dropFirst()) || (!name.isEmpty && matches(name.dropFirst(), pattern))
        }
        guard let letter = name.first, first == "?" || first == letter else { return false }
        return matches(name.dropFirst(), pattern.dropFirst())
    }
}

extension [TranslatedTable] {
    /// Whether a header is that of one which says what its columns are.
    func claim(_ header: CSVHeader) -> Bool {
        let names = Set(header.names.compactMap { FieldText.nonBlank($0)?.lowercased() })
        return contains { !$0.has.isEmpty && $0.claims(names) }
    }
}

/// A column that a translated table declares: `"required date: Geburtsdatum, Birthday"` is one that has to be there, is a date, and
/// stands under one of these names in the file.
package struct TranslatedColumn: Sendable {
    /// What its value is.
    package enum Kind: String, Sendable, CaseIterable {
        case text
        /// A text, or a number as one.
        case word
        case integer, amount, flag, list, date, moment
        /// A year of publication, as catalogues write it.
        case year
        case isbn
        /// The first right one of several ISBNs in a text.
        case isbns
        /// As it stands there.
        case any
        /// Never taken over.
        case password
        /// Has no place in a library.
        case none
    }

    package let name: String
    package let kind: Kind
    package let isRequired: Bool
    /// What stands between the parts of a list.
    let separators: Set<Character>
    /// Its names in files.
    let sources: [String]
    /// The order of day, month and year in it; nil: that of the translator.
    let dates: DateOrder?

    init(_ name: String, _ kind: Kind, separators: Set<Character>, dates: DateOrder?) {
        self.name = name
        self.kind = kind
        self.separators = separators
        self.dates = dates
        isRequired = false
        sources = [name]
    }

    /// - Parameter declaration: as above.
    /// - Returns: nil where that declares no column.
    package init?(_ name: String, _ declaration: String) {
        let halves = declaration.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var words = halves[0].split(separator: " ").map(String.init)
        isRequired = words.first == "required"
        if isRequired { words.removeFirst() }
        guard let word = words.first, let kind = Kind(rawValue: word),
            words.count == 1 || words.count == 2 && kind == .list
        else { return nil }
        self.name = name
        self.kind = kind
        dates = nil
        separators = Set(words.count == 2 ? words[1] : "|;")
        let given =
            halves.count == 2 ? halves[1].split(separator: ",").compactMap { FieldText.nonBlank(String($0)) } : []
        if halves.count == 2, given.isEmpty { return nil }
        sources = given.isEmpty ? [name] : given
    }

    /// How the declaration of a column is written.
    package static let expected =
        "required, if it is, then one of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")), then the names in the file behind a"
        + " colon, where they are others, such as \"required date: Geburtsdatum, Birthday\""
}
