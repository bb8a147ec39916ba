import MARC
import Storage
import TextFormats

/// Reads a file row by row and has a translator make records of each.
struct TranslatedRows {
    private let translator: any TableTranslator
    private let tables: [TranslatedTable]
    private let tally: RowCounter
    private var rows: RawRows
    private var remarks: [ImportProblem]
    private var count: Int64 = 0
    /// What is to be said of columns that the table does not declare, behind what is said of the first row.
    private var unread: ImportProblem?
    /// Of a table with a header: which of ours it is, and where its columns stand.
    private let shape: Shape?
    private let conventions: ColumnConventions
    var description: FileDescription {
        var description = rows.description
        description.table = shape?.table?.name ?? (tables.count == 1 ? tables[0].name : translator.name)
        return description
    }

    private struct Shape {
        let table: TranslatedTable?
        /// The places of the declared columns, or of all.
        let places: [(column: TranslatedColumn, place: Int?)]
        let keys: [Int?]
    }

    var bytesRead: Int { rows.bytesRead }
    var translatorName: String { translator.name }
    /// The table that a header shows it to be, or those whose rows may stand in the file.
    var tableNames: [String] { shape?.table.map { [$0.name] } ?? tables.map(\.name) }
    var has: [String] { (shape?.table ?? tables.first)?.has.sorted() ?? [] }

    /// The columns of a table with a header that the translator reads, and what it calls them.
    var columns: [(column: String, name: String?)] {
        (shape?.places ?? []).compactMap { column, place in
            place.flatMap { rows.header?.names[$0] }.map { ($0, column.name) }
        }
    }

    /// - Parameter tables: those whose rows may stand in the file; the first that claims a row has it.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or is a table without a header.
    init(
        _ file: InputFile, _ translator: any TableTranslator, _ tables: [TranslatedTable], tally: RowCounter,
        _ options: ImportOptions
    ) throws(ImportProblem) {
        self.translator = translator
        self.tables = tables
        self.tally = tally
        func open() throws(ImportProblem) -> RawRows {
            try RawRows(
                file, within: tables.flatMap(\.within), encoding: translator.recordEncoding,
                separator: translator.separator, sheet: options.sheet,
                headerRows: options.headerRows ?? translator.headerRows
            ) { tables.claim($0) || translator.isHeader($0) }
        }
        rows = try open()
        remarks = rows.remarks
        let shape = rows.header.map { Self.shape(of: $0, tables) }
        self.shape = shape
        let header = rows.header
        let columns = shape.map { $0.places.filter { $0.place != nil }.map(\.column) } ?? tables.flatMap(\.columns)
        func names(_ kind: TranslatedColumn.Kind) -> [String] {
            columns.filter { $0.kind == kind }.map { Self.name(of: $0, in: header) }
        }
        var given = options.conventions
        given.dates = given.dates ?? translator.dateOrder
        conventions = ColumnConventions(
            file: file.name, given, translator.currency, dates: names(.date), amounts: names(.amount),
            dateAdvice: translator.dateOrderAdvice
        ) { take in
            var rows = try open()
            while let row = try rows.next() {
                for (column, given) in Self.values(of: row, shape, tables) where [.date, .amount].contains(column.kind)
                {
                    guard let text = given.stringValue.flatMap(FieldText.nonBlank) else { continue }
                    take(Self.name(of: column, in: header), text, row.line)
                }
            }
        }
        if let header {
            // What is known by its columns is an export whose others are left out on purpose.
            if let table = shape?.table, !table.columns.isEmpty, table.has.isEmpty {
                unread = .unread(
                    header, except: self.columns.map(\.column), by: translator.name, in: file.name, rows.headerLine)
            }
            remarks += try translator.remarks(on: header, in: file.name, line: rows.headerLine)
        }
    }

    /// What a file calls a column: of a table, as its header has it.
    private static func name(of column: TranslatedColumn, in header: CSVHeader?) -> String {
        guard let header else { return column.sources[0] }
        return column.sources.lazy.compactMap { header.index(of: $0) }.first.map { header.names[$0] }
            ?? column.sources[0]
    }

    /// The values of the columns that are declared.
    private static func values(
        of row: RawRows.Row, _ shape: Shape?, _ tables: [TranslatedTable]
    ) -> [(TranslatedColumn, JSON)] {
        switch row.content {
        case .fields(let fields)?:
            return (shape?.places ?? []).map { column, place in
                (column, .string(FieldText.unwrapped(place.flatMap { $0 < fields.count ? fields[$0] : nil } ?? "")))
            }
        case .object(let object)?:
            let members = members(of: object)
            let table = tables.first { $0.claims(Set(members.keys)) }
            return (table?.columns ?? []).map { ($0, value(of: $0, members) ?? .null) }
        case nil: return []
        }
    }

    private static func members(of object: JSONObject) -> [String: JSON] {
        Dictionary(
            object.entries.map { ($0.key.lowercased(), plain($0.value)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func value(of column: TranslatedColumn, _ members: [String: JSON]) -> JSON? {
        column.sources.lazy.compactMap { members[$0.lowercased()] }.first
    }

    private static func shape(of header: CSVHeader, _ tables: [TranslatedTable]) -> Shape {
        let names = Set(header.names.compactMap { FieldText.nonBlank($0)?.lowercased() })
        guard let table = tables.first(where: { $0.claims(names) }) else {
            return Shape(table: nil, places: [], keys: [])
        }
        let columns =
            table.columns.isEmpty
            ? header.names.compactMap { FieldText.nonBlank($0).flatMap { TranslatedColumn($0, "any") } } : table.columns
        return Shape(
            table: table,
            places: columns.map { column in (column, column.sources.lazy.compactMap { header.index(of: $0) }.first) },
            keys: table.key.map { header.index(of: $0) })
    }

    /// What was made of the next row, nil at the end.
    ///
    /// - Throws: ``ImportProblem`` where the import cannot go on; what the store throws.
    mutating func next() throws -> Translation? {
        guard var translation = try translated() else { return nil }
        if let unread {
            translation.problems.append(unread)
            self.unread = nil
        }
        return translation
    }

    private mutating func translated() throws -> Translation? {
        guard let row = try rows.next() else { return nil }
        count += 1
        var translation = Translation(line: row.line, path: row.path)
        translation.problems = remarks + row.problems
        translation.record = row.record
        remarks = []
        if let number = row.source?.controlNumber {
            let first = try tally.first(Int64(row.line), of: "001 \(number)")
            if first != row.line {
                translation.problems.append(
                    problem(
                        translation, nil, "repeated_control_number",
                        "record \(first) has the same control number", .warning))
            }
        }
        guard let content = row.content else {
            if row.problems.isEmpty {
                translation.problems.append(problem(translation, nil, "wrong_type", "a record is an object"))
            }
            return translation
        }
        switch content {
        case .fields(let fields): try translate(fields, &translation)
        case .object(let object):
            try translate(object, &translation)
            translation.keep(row.source?.json ?? object)
        }
        return translation
    }

    private func problem(
        _ translation: Translation, _ field: String?, _ code: String, _ message: String,
        _ severity: ImportProblem.Severity = .error
    ) -> ImportProblem {
        let path = [translation.path, field ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
        return ImportProblem(
            file: rows.file, line: translation.line, record: translation.record, field: path.isEmpty ? nil : path,
            code: code, severity: severity, message: message)
    }

    private func unknown(_ names: [String], _ translation: Translation) -> ImportProblem {
        problem(
            translation, nil, "unknown_record",
            "no table of \(translator.name) has the \(shape == nil ? "members" : "columns") \(names.prefix(8).joined(separator: ", "))"
        )
    }

    // MARK: - Rows

    private func translate(_ fields: [String], _ translation: inout Translation) throws {
        guard let shape, let table = shape.table else {
            translation.problems.append(unknown(rows.header?.names ?? [], translation))
            return
        }
        func cell(_ place: Int?) -> String { place.flatMap { $0 < fields.count ? fields[$0] : nil } ?? "" }
        var values = JSONObject()
        for (column, place) in shape.places {
            try read(
                column, .string(FieldText.unwrapped(cell(place))), as: place.flatMap { rows.header?.names[$0] },
                &values,
                &translation)
        }
        try ask(table, shape.keys.map(cell), values, &translation)
    }

    private func translate(_ object: JSONObject, _ translation: inout Translation) throws {
        let members = Self.members(of: object)
        let names = Set(members.keys)
        guard let table = tables.first(where: { $0.claims(names) }) else {
            translation.problems.append(unknown(object.keys, translation))
            return
        }
        var values = JSONObject()
        if table.columns.isEmpty {
            for entry in object { values[entry.key] = Self.plain(entry.value) }
            translation.row = values
        }
        for column in table.columns {
            try read(column, Self.value(of: column, members) ?? .null, as: nil, &values, &translation)
        }
        let key = table.key.map { members[$0]?.text() ?? "" }
        try ask(table, key, values, &translation)
    }

    private func read(
        _ column: TranslatedColumn, _ given: JSON, as source: String?, _ values: inout JSONObject,
        _ translation: inout Translation
    ) throws {
        let name = source ?? column.sources[0]
        let given = try settled(given, column, name, &translation)
        do throws(ColumnFault) {
            if let value = try column.value(given, for: translator) {
                values[column.name] = value
                translation.row[name] = value
            } else if column.isRequired, !translation.problems.contains(where: { $0.severity == .error }) {
                throw ColumnFault(code: "missing", message: "'\(name)' is required")
            }
        } catch {
            let problem = problem(translation, name, error.code, error.message, error.isWarning ? .warning : .error)
            translation.problems.append(problem)
        }
    }

    /// A date or an amount as it is written here, where the column shows what it says.
    private func settled(
        _ given: JSON, _ column: TranslatedColumn, _ name: String, _ translation: inout Translation
    ) throws(ImportProblem) -> JSON {
        guard let text = given.stringValue.flatMap(FieldText.nonBlank) else { return given }
        func take<Value: CustomStringConvertible>(
            _ outcome: ColumnConventions.Outcome<Value>
        ) throws(ImportProblem) -> JSON {
            switch outcome {
            case .none: return given
            case .value(let value, let remarks):
                translation.problems += remarks
                return .string(value.description)
            case .stop(var problem):
                problem.record = translation.record
                throw problem
            }
        }
        switch column.kind {
        case .date: return try take(conventions.date(text, in: name, line: translation.line))
        case .amount: return try take(conventions.amount(text, in: name, line: translation.line))
        default: return given
        }
    }

    /// Whether no row before that could be read has the same key.
    private func isNew(_ key: [String], _ table: TranslatedTable, _ translation: inout Translation) throws -> Bool {
        if key.allSatisfy(\.isEmpty) { return true }
        let digest = SHA256.hexadecimal(of: "\(table.name)\u{1F}\(key.joined(separator: "\u{1F}"))".utf8)
        let number = Int64(translation.line) << 32 | count & 0xFFFF_FFFF
        let first = try tally.first(number, of: digest)
        if first == number { return true }
        translation.problems.append(
            problem(translation, nil, "duplicate_record", "the same record stands at line \(first >> 32) already"))
        return false
    }

    private func ask(
        _ table: TranslatedTable, _ key: [String], _ values: JSONObject, _ translation: inout Translation
    ) throws {
        if translation.problems.contains(where: { $0.severity == .error }) { return }
        guard try isNew(key, table, &translation) else { return }
        do {
            translation.records = try translator.records(of: values, in: table)
        } catch let fault as TranslationFault {
            let problem = problem(translation, fault.column, fault.code, "\(translator.name): \(fault.message)")
            if fault.endsImport { throw problem }
            translation.problems.append(problem)
        }
    }

    /// A value as the exports of DynamoDB wrap it: `{"S": "Dune"}`, `{"N": "4.50"}`.
    private static func plain(_ value: JSON) -> JSON {
        guard let object = value.objectValue, object.keys.count == 1, let kind = object.keys.first,
            ["S", "N", "BOOL", "NULL"].contains(kind), let inner = object[kind]
        else { return value }
        return kind == "NULL" ? .null : inner
    }
}
