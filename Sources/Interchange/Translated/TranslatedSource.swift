import Circulation
import TextFormats

/// A file whose rows a translator makes records of.
struct TranslatedSource: RecordSource, ExplainedSource {
    private enum Rows {
        case live(TranslatedRows)
        /// Translated before, since a transaction is open.
        case kept(KeptTranslations)
    }

    private let file: String
    private let currency: Currency
    private let fields: CustomFields
    private var rows: Rows
    private(set) var bytesRead = 0
    /// Who reads the rows.
    let translatorName: String
    /// The tables that the rows may be of.
    let tableNames: [String]
    /// The columns by which the first of them is known.
    let has: [String]
    let columns: [(column: String, name: String?)]
    let description: FileDescription

    init(_ rows: TranslatedRows, file: String, currency: Currency, fields: CustomFields) {
        self.rows = .live(rows)
        translatorName = rows.translatorName
        tableNames = rows.tableNames
        has = rows.has
        columns = rows.columns
        self.file = file
        description = rows.description
        self.currency = currency
        self.fields = fields
    }

    /// Has all rows translated now, into a file that is gone with this source: no translator is asked later, when writers wait.
    ///
    /// - Throws: as ``TranslatedRows/next()``, and what the file throws.
    mutating func translateAll() throws {
        guard case .live(var live) = rows else { return }
        let kept = try KeptTranslations()
        while let translation = try live.next() { try kept.append(translation) }
        try kept.rewind()
        rows = .kept(kept)
    }

    mutating func next() throws -> ReadRecord? {
        switch rows {
        case .live(var live):
            defer { rows = .live(live) }
            let translation = try live.next()
            bytesRead = live.bytesRead
            return translation.map(read)
        case .kept(let kept): return try kept.next().map(read)
        }
    }

    private func read(_ translation: Translation) -> ReadRecord {
        var translation = translation
        var records: [ImportedRecord] = []
        for record in translation.records { records += read(record, &translation) }
        let isRejected = translation.problems.contains { $0.severity == .error }
        var result = ReadRecord(
            records: isRejected ? [] : records, problems: translation.problems, isRepaired: false, file: file,
            line: translation.line)
        result.translation = translation
        return result
    }

    /// Beside a record: the columns that its members come from, where a translator knows them.
    static let columnsMember = "columns"

    private func read(_ record: JSON, _ translation: inout Translation) -> [ImportedRecord] {
        var object = record.objectValue ?? [:]
        let columns = object[Self.columnsMember]
        object[Self.columnsMember] = nil
        let once = object["once"]
        object["once"] = nil
        guard object.count == 1, let kind = object.keys.first else {
            reject(
                &translation,
                "a record is a table with its kind as the one key, such as { patron = { username = \"ann\" } }")
            return []
        }
        if kind == "error" || kind == "warning" {
            let said = object[kind]
            let code = said?["code"]?.stringValue ?? "plugin"
            let message = said?["message"]?.stringValue ?? said?.stringValue ?? "not said why"
            note(&translation, said?["column"]?.stringValue, code, message, kind == "error" ? .error : .warning)
            return []
        }
        guard NativeRecords.kinds[kind] != nil, kind != "policy_activation" else {
            let known = NativeRecords.kinds.keys.filter { $0 != "policy_activation" }.sorted().joined(separator: ", ")
            reject(&translation, "there is no kind of record '\(kind)'; expected one of \(known)")
            return []
        }
        guard let members = object[kind]?.objectValue.map(Self.plain) else {
            reject(&translation, "\(kind) is a table of its fields")
            return []
        }
        object[kind] = .object(Self.withKeys(members))
        var reader = MemberReader(
            object: object, file: file, line: translation.line, currency: currency, fields: fields)
        var records = NativeRecords.records(of: &reader) ?? []
        for problem in reader.problems {
            let member = problem.field?.split(separator: ".").last.map(String.init)
            let column =
                member.flatMap { columns?[$0]?.stringValue } ?? translation.column(of: member.flatMap { members[$0] })
            note(&translation, column ?? problem.field, problem.code, problem.message, problem.severity)
        }
        if let once {
            guard case .patron(let patron, _)? = records.first, once.boolValue == true else {
                if !reader.isRejected { reject(&translation, "'once' is true, and goes with a patron") }
                return []
            }
            records[0] = .patron(patron, says: [])
        }
        return records
    }

    /// The members without those that hold an empty table, which in Lua may be a list as well: they say nothing.
    private static func plain(_ members: JSONObject) -> JSONObject {
        var members = members
        for entry in members {
            guard let object = entry.value.objectValue else { continue }
            members[entry.key] = object.isEmpty ? nil : entry.key == "extra" ? entry.value : .object(plain(object))
        }
        return members
    }

    /// A key that is a list, its own or that of what it refers to, is made one text, which shows the first part alone; `key_digits` says
    /// how much of the digest is kept. `content`, a list too, is what a loan that has no key is known by.
    private static func withKeys(_ members: JSONObject) -> JSONObject {
        var members = members
        let digits = members["key_digits"]?.integerValue.map { Int(clamping: max(0, $0)) } ?? .max
        members["key_digits"] = nil
        for name in ["key", "listing", "order", "content"] {
            guard let parts = members[name]?.arrayValue?.map({ $0.stringValue ?? $0.text() }), let first = parts.first
            else { continue }
            func joined(_ parts: some Collection<String>) -> String { parts.joined(separator: "\u{1F}") }
            members[name] = .string(
                name == "content"
                    ? joined(parts)
                    : "\(first):\(SHA256.hexadecimal(of: joined(parts.dropFirst()).utf8).prefix(digits))")
        }
        return members
    }

    private func reject(_ translation: inout Translation, _ message: String) {
        note(&translation, nil, "bad_record", message, .error)
    }

    private func note(
        _ translation: inout Translation, _ field: String?, _ code: String, _ message: String,
        _ severity: ImportProblem.Severity
    ) {
        let path = [translation.path, field ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
        translation.problems.append(
            ImportProblem(
                file: file, line: translation.line, record: translation.record, field: path.isEmpty ? nil : path,
                code: code, severity: severity, message: message))
    }
}
