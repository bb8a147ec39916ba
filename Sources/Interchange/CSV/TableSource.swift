import Circulation
import TextFormats

/// A table whose kind follows from its header or a mapping.
struct TableSource: RecordSource {
    private var rows: TableRows
    private let profile: any TableProfile
    private let mapping: ColumnMapping?
    /// The header with our own names of columns in the place of the labels of our forms.
    private let header: CSVHeader
    private let file: String
    private let fields: CustomFields
    /// Whether an export wrote the table.
    let isExact: Bool
    private let conventions: ColumnConventions
    let description: FileDescription
    /// What is to be said about the file, together with the first record.
    private var warnings: [ImportProblem]
    /// What is to be said of columns that nothing reads, behind what is said of the first record.
    private var unread: ImportProblem?

    var bytesRead: Int { rows.bytesRead }

    /// Reads the header.
    ///
    /// - Parameter currency: of amounts.
    /// - Throws: ``ImportProblem`` if the file cannot be read, is empty, or has an unknown header.
    init(
        _ file: InputFile, _ options: ImportOptions, fields: CustomFields, currency: Currency
    ) throws(ImportProblem) {
        let mapping = options.mapping
        self.fields = fields
        self.mapping = mapping
        self.file = file.name
        rows = try Self.rows(file, options)
        let header = rows.header
        if let mapping {
            let missing = mapping.missingColumns(in: header)
            guard missing.isEmpty else {
                throw file.problem(
                    "missing_columns",
                    "the mapping names columns the file lacks: \(missing.joined(separator: ", "));"
                        + " it has \(header.names.prefix(12).joined(separator: ", "))", line: rows.headerLine)
            }
            profile = mapping.profile
        } else {
            guard let found = TableProfiles.profile(for: header) else {
                throw file.problem(
                    "unknown_table",
                    "no known kind of table has the columns \(header.names.prefix(12).joined(separator: ", "));"
                        + " name the columns with a mapping file, which `import --explain FILE --write-mapping MAPPING` proposes"
                        + (rows.headerWords.map { "; \($0)" } ?? ""),
                    line: rows.headerLine)
            }
            profile = found
        }
        isExact = mapping == nil && Exporter.isOurs(header.names, fields)
        let own = mapping == nil && !isExact ? type(of: profile).named(header) : header
        self.header = own
        rows.keepsTotals = isExact
        warnings = rows.remarks
        var description = rows.description
        description.table = type(of: profile).name
        self.description = description
        let conventional = type(of: profile).dates + type(of: profile).amounts
        conventions = ColumnConventions(
            file: file.name, options.conventions, currency, dates: type(of: profile).dates,
            amounts: type(of: profile).amounts
        ) { take in
            var rows = try Self.rows(file, options)
            while let row = Self.passing(over: &rows) {
                let (header, record) = Self.own(row, own, mapping)
                for column in conventional {
                    guard let text = header.field(column, of: record) else { continue }
                    FieldText.nonBlank(FieldText.unwrapped(text)).map { take(column, $0, record.line) }
                }
            }
        }
        // Of other people's exports is known what is left out of them.
        if mapping != nil || !isExact && ["titles", "copies", "patrons", "loans"].contains(profileName) {
            let reader = mapping == nil ? "a table of \(profileName)" : "the mapping"
            unread = .unread(header, except: columns.map(\.column), by: reader, in: file.name, rows.headerLine)
        }
    }

    private static func rows(_ file: InputFile, _ options: ImportOptions) throws(ImportProblem) -> TableRows {
        let mapping = options.mapping
        return try TableRows(
            file, separator: mapping?.separator, sheet: options.sheet, headerRows: options.headerRows
        ) { header in
            mapping.map { $0.missingColumns(in: header).isEmpty } ?? (TableProfiles.profile(for: header) != nil)
        }
    }

    /// The next row that can be read; nil at the end.
    private static func passing(over rows: inout TableRows) -> CSVRecord? {
        while true {
            do throws(TextError) {
                return try rows.next()?.record
            } catch {
                if error.code == .unreadable { return nil }
            }
        }
    }

    /// A row under our own names of columns.
    private static func own(
        _ record: CSVRecord, _ header: CSVHeader, _ mapping: ColumnMapping?
    ) -> (header: CSVHeader, record: CSVRecord) {
        mapping.map { $0.translate(record, header: header) } ?? (header, record)
    }

    mutating func next() throws -> ReadRecord? {
        let row: TableRows.Row
        do throws(TextError) {
            guard let next = try rows.next() else { return nil }
            row = next
        } catch {
            let problem = ImportProblem(
                file: file, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
            if error.code == .unreadable { throw problem }
            return ReadRecord(records: [], problems: [problem], isRepaired: false, file: file, line: error.line)
        }
        var (result, stop) = read(row)
        if let stop { throw stop }
        result.problems.insert(contentsOf: warnings, at: 0)
        warnings = []
        if let unread {
            result.problems.append(unread)
            self.unread = nil
        }
        return result
    }

    /// What the kind of table is called.
    var profileName: String { type(of: profile).name }

    private func read(_ given: TableRows.Row) -> (ReadRecord, stop: ImportProblem?) {
        let record = given.record
        let own = Self.own(record, header, mapping)
        var row = RowReader(
            header: own.header, record: own.record, file: file, isExact: isExact, fields: fields,
            conventions: conventions)
        if record.count > rows.header.names.count {
            row.reject(
                nil, "too_many_fields", "\(record.count) fields, but the header names \(rows.header.names.count)")
        }
        let records = row.isRejected ? [] : profile.records(of: &row)
        let result = ReadRecord(
            records: row.isRejected ? [] : records, problems: given.remarks + row.problems,
            isRepaired: row.isRepaired, file: file, line: record.line)
        return (result, row.stop)
    }
}

extension TableSource: ExplainedSource {
    var columns: [(column: String, name: String?)] {
        if let mapping { return mapping.columns.map { ($0.value, $0.key) } }
        let own = CustomField.Owner.allCases.flatMap { fields[$0].map(\.name) }
        let isOwn = isExact || ["titles", "copies", "patrons"].contains(profileName)
        let labelled = zip(rows.header.names, header.names).filter { $0 != $1 }.map { ($0, String?.some($1)) }
        return (type(of: profile).columns + (isOwn ? own : [])).map { ($0, nil) } + labelled
    }
}
