import Circulation
import TextFormats

/// One row of a table by column name, and what was found wrong with it.
struct RowReader {
    let header: CSVHeader
    let record: CSVRecord
    let file: String
    /// Whether the table is one that an export wrote, whose texts are taken to the letter.
    let isExact: Bool
    /// Those of the library's own.
    let fields: CustomFields
    private(set) var problems: [ImportProblem] = []
    /// Whether a fault of the row was mended.
    private(set) var isRepaired = false
    /// Why the import ends here.
    private(set) var stop: ImportProblem?
    private let conventions: ColumnConventions?

    /// - Parameter conventions: how dates and amounts are read; nil: as an export writes them.
    init(
        header: CSVHeader, record: CSVRecord, file: String, isExact: Bool = false, fields: CustomFields = .none,
        conventions: ColumnConventions?
    ) {
        self.conventions = isExact ? nil : conventions
        self.fields = fields
        self.isExact = isExact
        self.header = header
        self.record = record
        self.file = file
    }

    var isRejected: Bool { problems.contains { $0.severity == .error } }

    /// The field without surrounding spaces; nil for an absent or blank one.
    func text(_ column: String) -> String? {
        if isExact { return header.field(column, of: record).flatMap { $0.isEmpty ? nil : $0 } }
        return header.field(column, of: record).map(FieldText.unwrapped).flatMap(FieldText.nonBlank)
    }

    /// What names a person or a copy; one of which a spreadsheet has taken digits is refused.
    mutating func identifier(_ column: String) -> String? {
        guard let text = text(column) else { return nil }
        guard isExact || !FieldText.isRounded(text) else {
            reject(column, "rounded_number", FieldText.rounded(text))
            return nil
        }
        return text
    }

    /// A text; one of which a spreadsheet has taken digits is left out.
    mutating func unrounded(_ column: String) -> String? {
        guard let text = text(column) else { return nil }
        guard isExact || !FieldText.isRounded(text) else {
            warn(column, "rounded_number", "\(FieldText.rounded(text)); left out")
            return nil
        }
        return text
    }

    /// The address of something on the web; what is none, as the path of a file, is left out.
    mutating func address(anyOf columns: [String]) -> String? {
        guard let column = columns.first(where: { text($0) != nil }), let text = text(column) else { return nil }
        guard isExact || text.contains("://") else {
            warn(column, "no_address", "'\(text)' is no address of the web; left out")
            return nil
        }
        return text
    }

    /// The first of several columns that holds something.
    func text(anyOf columns: [String]) -> String? {
        for column in columns {
            if let text = text(column) { return text }
        }
        return nil
    }

    /// The parts of a field that lists several values.
    func list(_ columns: [String], separators: Set<Character> = ["|", ";"]) -> [String] {
        text(anyOf: columns).map { isExact ? ListText.values(of: $0) : FieldText.list($0, separators: separators) }
            ?? []
    }

    mutating func reject(_ field: String?, _ code: String, _ message: String) {
        problems.append(
            ImportProblem(
                file: file, line: record.line, field: field, code: code, severity: .error, message: message))
    }

    mutating func warn(_ field: String?, _ code: String, _ message: String) {
        problems.append(
            ImportProblem(
                file: file, line: record.line, field: field, code: code, severity: .warning, message: message))
    }

    /// Notes that a field was mended, and how.
    mutating func repair(_ field: String, _ code: String, _ message: String) {
        isRepaired = true
        warn(field, code, message)
    }

    /// The bytes by which identical rows of a file are recognised.
    var content: String { record.fields.joined(separator: "\u{1F}") }
}

extension RowReader {
    /// A date as people and spreadsheets write it; a time behind it is passed over.
    mutating func date(_ column: String) -> CivilDate? {
        guard let text = text(column) else { return nil }
        let outcome =
            conventions?.date(text, in: column, line: record.line)
            ?? (try? CivilDate(parsing: text)).map { .value($0, remarks: []) } ?? .none
        return value(outcome) { row in
            row.reject(
                column, "bad_date",
                "'\(text)' is not a date; \(SerialDate.advice(text) ?? "expected YYYY-MM-DD or DD/MM/YYYY")")
        }
    }

    /// An amount as decimals with a point, perhaps with its currency; what is none is given as it stands, to be refused.
    mutating func amount(_ column: String) -> String? {
        guard let text = text(column), let conventions else { return text(column) }
        return value(conventions.amount(text, in: column, line: record.line)) { _ in } ?? text
    }

    private mutating func value<Value>(
        _ outcome: ColumnConventions.Outcome<Value>, _ refuse: (inout RowReader) -> Void
    ) -> Value? {
        switch outcome {
        case .value(let value, let remarks):
            problems += remarks
            return value
        case .none: refuse(&self)
        case .stop(let problem): stop = problem
        }
        return nil
    }

    /// An instant as `2026-12-24T18:00:00Z`.
    mutating func instant(_ column: String) -> Instant? {
        guard let text = text(column) else { return nil }
        guard let instant = try? Instant(parsing: text) else {
            reject(column, "bad_instant", "'\(text)' is not an instant; expected 2026-12-24T18:00:00Z")
            return nil
        }
        return instant
    }

    /// A whole number.
    mutating func integer(_ column: String) -> Int64? {
        guard let text = text(column) else { return nil }
        guard let number = Int64(text) else {
            reject(column, "bad_number", "'\(text)' is not a whole number")
            return nil
        }
        return number
    }

    /// An ISBN that must be right if it is there; of several the first right one.
    mutating func isbn(_ columns: [String]) -> ISBN? {
        guard let column = columns.first(where: { text($0) != nil }), let text = text(column) else { return nil }
        switch ISBNText.read(text) {
        case .isbn(let isbn, let others):
            if !others.isEmpty {
                let more = others.map(\.digits13).joined(separator: ", ")
                warn(column, "several_isbns", "\(isbn.digits13) is taken, the first one; not \(more)")
            }
            return isbn
        case .repaired(let isbn, let why):
            repair(column, "repaired_isbn", "\(isbn.digits13) from '\(text)': \(why)")
            return isbn
        case .fault(let why):
            reject(column, "bad_isbn", why)
            return nil
        }
    }

    /// The title that a row about something else names; nil if it does not.
    mutating func title(_ isbn: ISBN?) -> Title? {
        guard let name = text("title") else { return nil }
        var title = Title(title: name, authors: list(["authors", "author"]))
        title.isbn = isbn
        if isExact {
            title.id = integer("title_id") ?? 0
            title.year = integer("year")
        }
        return title
    }
}
