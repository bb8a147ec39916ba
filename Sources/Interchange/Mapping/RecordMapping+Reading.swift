import TextFormats

extension RecordMapping {
    /// Whether a mapping file is of version 2.
    package static func isOne(_ text: [UInt8]) -> Bool {
        guard let object = (try? JSONParser.parse(text))?.objectValue else { return false }
        return object["version"] != nil || object["records"] != nil
    }

    /// Reads a mapping file.
    ///
    /// - Throws: ``ImportProblem`` with the line, the member at fault and what was expected there.
    package init(_ text: [UInt8], file: String) throws(ImportProblem) {
        let json: JSON
        do throws(TextError) {
            json = try JSONParser.parse(text)
        } catch {
            throw ImportProblem(
                file: file, line: error.line, code: ColumnMapping.code, severity: .error, message: error.message)
        }
        do throws(MappingFault) {
            try self.init(json, file: file)
        } catch {
            throw ImportProblem(
                file: file, line: JSONMemberLine.of(error.path, in: text) ?? 1, field: error.field,
                code: ColumnMapping.code, severity: .error, message: error.message)
        }
    }

    private init(_ json: JSON, file: String) throws(MappingFault) {
        let top = try MappingReader(json, [], "a mapping is an object with 'version' and 'records'")
        try top.allow(["version", "note", "separator", "header_rows", "dates", "records", "ignore", "undecided"])
        guard top.object["version"] == .integer(2) else { throw top.fault("version", "expected 2") }
        self.file = file
        dates = try top.word("dates", DateOrder.self)
        ignored = try top.texts("ignore") ?? []
        undecided = try top.texts("undecided") ?? []
        headerRows = top.object["header_rows"]?.integerValue.map { Int(clamping: $0) }
        if let rows = top.object["header_rows"], ![.integer(1), .integer(2)].contains(rows) {
            throw top.fault("header_rows", "expected 1 or 2: how many rows the header has")
        }
        if let text = try top.text("separator") {
            guard let byte = ColumnMapping.separator(text) else {
                throw top.fault("separator", ColumnMapping.expectedSeparator)
            }
            separator = byte
        } else {
            separator = nil
        }
        guard let list = top.object["records"]?.arrayValue, !list.isEmpty else {
            throw top.fault("records", "expected a list of at least one record: what a row stands for")
        }
        var records: [MappedRecord] = []
        for (index, element) in list.enumerated() {
            let path = ["records", "[\(index + 1)]"]
            records.append(try MappedRecord(MappingReader(element, path, "a record is an object with 'kind'")))
        }
        self.records = records
        try checkCopies(top)
        try checkTwice(top)
    }

    /// A copy has to say whose it is, or stand beside its title.
    private func checkCopies(_ top: MappingReader) throws(MappingFault) {
        let hasTitle = records.contains { $0.kind == "title" }
        for (index, record) in records.enumerated() where record.kind == "copy" && !record.namesTitle {
            let path = ["records", "[\(index + 1)]"]
            guard hasTitle else {
                throw MappingFault(
                    path, "copies need 'isbn' or 'title', or a record of the kind titles beside them for the same row")
            }
            if let count = records.firstIndex(where: { $0.kind == "title" && $0.names.contains("copies") }) {
                throw MappingFault(
                    ["records", "[\(count + 1)]", "columns", "copies"],
                    "the copies of the same row are listed one by one; leave out their number")
            }
        }
    }

    private func checkTwice(_ top: MappingReader) throws(MappingFault) {
        let used = Set(columns.map { CSVHeader.normalized($0) })
        for (member, list) in [("ignore", ignored), ("undecided", undecided)] {
            if let column = list.first(where: { used.contains(CSVHeader.normalized($0)) }) {
                throw top.fault(member, "'\(column)' is used by a record, and cannot be in this list as well")
            }
        }
    }

    /// The columns of the file that records use, each once.
    var columns: [String] {
        var known: Set<String> = []
        let conditions = records.compactMap { $0.condition?.column }
        return (records.flatMap { $0.fields.flatMap(\.source.columns) } + conditions)
            .filter { known.insert(CSVHeader.normalized($0)).inserted }
    }
}

extension MappedRecord {
    fileprivate init(_ reader: MappingReader) throws(MappingFault) {
        try reader.allow(["kind", "note", "columns", "constants", "when"])
        let kinds = NativeRecords.ofTables
        guard let word = try reader.text("kind"),
            let found = kinds.first(where: { $0.plural == word || $0.name == word })
        else {
            let near = reader.object["kind"]?.stringValue.flatMap {
                NameSuggestion.nearest(to: $0, among: kinds.map(\.plural))
            }
            throw reader.fault(
                "kind",
                (near.map { "did you mean \($0)? " } ?? "")
                    + "expected one of \(kinds.map(\.plural).joined(separator: ", "))")
        }
        kind = found.name
        var fields: [MappedField] = []
        for entry in try reader.members("columns") {
            let path = reader.path + ["columns", entry.key]
            _ = try Self.member(entry.key, of: found, path)
            fields.append(MappedField(name: entry.key, source: try MappedSource(entry.value, path)))
        }
        self.fields = fields.sorted { $0.name < $1.name }
        var constants: [MappedConstant] = []
        for entry in try reader.members("constants") {
            let path = reader.path + ["constants", entry.key]
            let member = try Self.member(entry.key, of: found, path)
            switch entry.value {
            case .string, .integer, .bool: break
            case .array(let list) where member.cell == .list && list.allSatisfy { $0.stringValue != nil }: break
            default: throw MappingFault(path, "expected a text, a whole number, true or false")
            }
            constants.append(MappedConstant(name: entry.key, value: entry.value))
        }
        self.constants = constants
        guard !fields.isEmpty else { throw reader.fault("columns", "name at least one column") }
        condition = try reader.object["when"].map { json throws(MappingFault) in
            try MappedCondition(json, reader.path + ["when"])
        }
        let given = Set(names)
        let needed = found.cellMembers.filter { $0.isRequired && $0.name != "key" }
        if let missing = needed.first(where: { !given.contains($0.name) }) {
            throw reader.fault("columns", "\(found.plural) need '\(missing.name)'")
        }
        if kind == "loan", given.isDisjoint(with: ["lent_on", "lent_at"]) {
            throw reader.fault("columns", "loans need 'lent_on' or 'lent_at'")
        }
    }

    /// The fields that it gives.
    var names: [String] { fields.map(\.name) + constants.map(\.name) }

    var namesTitle: Bool { !Set(names).isDisjoint(with: ["isbn", "title"]) }

    private static func member(
        _ name: String, of kind: RecordKind, _ path: [String]
    ) throws(MappingFault) -> RecordMember {
        if let member = kind.cellMember(name) { return member }
        let known = kind.cellMembers.map(\.name)
        let hasOwn = kind.members.contains { $0.name == "extra" }
        let near = NameSuggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ";"
        throw MappingFault(
            path,
            "\(kind.plural) have no field '\(name)'\(near) they have \(known.joined(separator: ", "))"
                + (hasOwn ? ", and the library's own as extra.NAME" : ""))
    }
}

extension MappedCondition {
    fileprivate init(_ json: JSON, _ path: [String]) throws(MappingFault) {
        if let column = json.stringValue {
            self.init(column: column, values: nil)
            return
        }
        let expected = "expected the name of a column, or an object of one column and the values that it has there"
        guard let object = json.objectValue, object.count == 1, let entry = object.entries.first else {
            throw MappingFault(path, expected)
        }
        let list = entry.value.stringValue.map { [$0] } ?? entry.value.arrayValue?.compactMap(\.stringValue) ?? []
        guard !list.isEmpty, list.count == entry.value.arrayValue?.count ?? 1 else {
            throw MappingFault(path, expected)
        }
        self.init(column: entry.key, values: Set(list.map(MappedSource.folded)))
    }
}

extension MappedSource {
    /// Texts as `values` compares them.
    static func folded(_ text: String) -> String { FieldText.nonBlank(text)?.lowercased() ?? "" }

    private static let members = [
        "column", "first_of", "join", "with", "split", "part", "separators", "turn_names", "values", "default",
        "others", "dates", "note",
    ]

    fileprivate init(_ json: JSON, _ path: [String]) throws(MappingFault) {
        if let column = json.stringValue, FieldText.nonBlank(column) != nil {
            self.init(columns: [column])
            return
        }
        let reader = try MappingReader(json, path, "expected the name of a column, or an object with 'column'")
        try reader.allow(Self.members)
        let (one, first, all) = (
            try reader.text("column"), try reader.texts("first_of"), try reader.texts("join")
        )
        let named = [one.map { [$0] }, first, all].compactMap { $0 }
        guard named.count == 1, let columns = named.first, !columns.isEmpty,
            columns.allSatisfy({ FieldText.nonBlank($0) != nil })
        else {
            throw MappingFault(path, "expected one of 'column', 'first_of' and 'join', with the names of columns")
        }
        self.init(columns: columns)
        if all != nil { choice = .joined(try reader.text("with") ?? " ") }
        if all == nil, reader.object["with"] != nil { throw reader.fault("with", "it goes with 'join'") }
        split = try reader.text("split")
        if split?.isEmpty == true { throw reader.fault("split", "expected the text between the parts, such as \",\"") }
        if let part = reader.object["part"] {
            guard split != nil else { throw reader.fault("part", "it goes with 'split'") }
            guard let known = Part(part) else { throw reader.fault("part", Part.expected) }
            self.part = known
        } else if split != nil {
            throw reader.fault("part", Part.expected)
        }
        if let text = try reader.text("separators") {
            guard !text.isEmpty else { throw reader.fault("separators", "expected one or more characters") }
            separators = text
        }
        if let flag = reader.object["turn_names"] {
            guard let flag = flag.boolValue else { throw reader.fault("turn_names", "expected true or false") }
            turnsNames = flag
        }
        dates = try reader.word("dates", DateOrder.self)
        try readValues(reader)
    }

    private mutating func readValues(_ reader: MappingReader) throws(MappingFault) {
        if reader.object["values"] != nil {
            var values: [String: String] = [:]
            for entry in try reader.members("values") {
                let path = reader.path + ["values", entry.key]
                guard let text = entry.value.isNull ? "" : entry.value.stringValue else {
                    throw MappingFault(path, "expected a text, or null for what is left out")
                }
                guard values.updateValue(text, forKey: Self.folded(entry.key)) == nil else {
                    throw MappingFault(path, "it stands twice, but for blanks and capitals")
                }
            }
            self.values = values
        }
        let word = try reader.text("others")
        let other = try reader.text("default")
        if values == nil, let name = word != nil ? "others" : other != nil ? "default" : nil {
            throw reader.fault(name, "it goes with 'values'")
        }
        if word != nil, other != nil { throw reader.fault("others", "'default' says already what becomes of others") }
        if let other { others = .replaced(other) }
        switch word {
        case nil, "error": break
        case "keep": others = .kept
        case "leave_out": others = .leftOut
        default: throw reader.fault("others", "expected one of error, keep, leave_out")
        }
    }
}

extension MappedSource.Part {
    fileprivate static let expected =
        "expected first, last, all_but_first, all_but_last, or a number: 1 for the first part, -1 for the last"

    fileprivate init?(_ json: JSON) {
        switch json {
        case .string("first"): self = .number(1)
        case .string("last"): self = .number(-1)
        case .string("all_but_first"): self = .allButFirst
        case .string("all_but_last"): self = .allButLast
        case .integer(let number) where number != 0 && (-100...100).contains(number): self = .number(Int(number))
        default: return nil
        }
    }
}
