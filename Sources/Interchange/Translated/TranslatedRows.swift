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
    /// Of a table with a header: which of ours it is, and where its columns stand.
    private let shape: Shape?

    private struct Shape {
        let table: TranslatedTable?
        /// The places of the declared columns, or of all.
        let places: [(column: TranslatedColumn, place: Int?)]
        let keys: [Int?]
    }

    var bytesRead: Int { rows.bytesRead }

    /// - Parameter tables: those whose rows may stand in the file; the first that claims a row has it.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or is a table without a header.
    init(
        path: String, kind: FileKind, _ translator: any TableTranslator, _ tables: [TranslatedTable],
        tally: RowCounter
    ) throws(ImportProblem) {
        self.translator = translator
        self.tables = tables
        self.tally = tally
        rows = try RawRows(
            path: path, kind: kind, within: tables.flatMap(\.within), encoding: translator.recordEncoding)
        remarks = rows.remarks
        shape = rows.header.map { Self.shape(of: $0, tables) }
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
        guard let row = try rows.next() else { return nil }
        count += 1
        var translation = Translation(line: row.line, path: row.path)
        translation.problems = remarks + row.problems
        translation.record = row.record
        remarks = []
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
                column, .string(Self.unwrapped(cell(place))), as: place.flatMap { rows.header?.names[$0] }, &values,
                &translation)
        }
        try ask(table, shape.keys.map(cell), values, &translation)
    }

    private func translate(_ object: JSONObject, _ translation: inout Translation) throws {
        let members = Dictionary(
            object.entries.map { ($0.key.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(members.keys)
        guard let table = tables.first(where: { $0.claims(names) }) else {
            translation.problems.append(unknown(object.keys, translation))
            return
        }
        func plain(_ name: String) -> JSON { members[name].map { Self.plain($0.value) } ?? .null }
        var values = JSONObject()
        if table.columns.isEmpty {
            for entry in object { values[entry.key] = Self.plain(entry.value) }
            translation.row = values
        }
        for column in table.columns {
            let name = column.sources.lazy.map { $0.lowercased() }.first { members[$0] != nil }
            try read(column, name.map(plain) ?? .null, as: nil, &values, &translation)
        }
        let key = table.key.map { members[$0] == nil ? "" : plain($0).text() }
        try ask(table, key, values, &translation)
    }

    private func read(
        _ column: TranslatedColumn, _ given: JSON, as source: String?, _ values: inout JSONObject,
        _ translation: inout Translation
    ) throws {
        let name = source ?? column.sources[0]
        do throws(ColumnFault) {
            if let value = try column.value(given, for: translator) {
                values[column.name] = value
                translation.row[name] = value
            } else if column.isRequired, !translation.problems.contains(where: { $0.severity == .error }) {
                throw ColumnFault(code: "missing", message: "'\(name)' is required")
            }
        } catch {
            let problem = problem(translation, name, error.code, error.message, error.isWarning ? .warning : .error)
            if error.endsImport { throw problem }
            translation.problems.append(problem)
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
            let problem = problem(translation, nil, fault.code, "\(translator.name): \(fault.message)")
            if fault.endsImport { throw problem }
            translation.problems.append(problem)
        }
    }

    /// A text that a spreadsheet was kept from reading as a number: `="9780140449136"`.
    private static func unwrapped(_ cell: String) -> String {
        guard cell.hasPrefix("=\""), cell.hasSuffix("\""), cell.utf8.count > 2 else { return cell }
        return String(cell.dropFirst(2).dropLast()).replacing("\"\"", with: "\"")
    }

    /// A value as the exports of DynamoDB wrap it: `{"S": "Dune"}`, `{"N": "4.50"}`.
    private static func plain(_ value: JSON) -> JSON {
        guard let object = value.objectValue, object.keys.count == 1, let kind = object.keys.first,
            ["S", "N", "BOOL", "NULL"].contains(kind), let inner = object[kind]
        else { return value }
        return kind == "NULL" ? .null : inner
    }
}
