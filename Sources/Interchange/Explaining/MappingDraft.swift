package import TextFormats

/// A mapping file while a person chooses what the columns of a table are. It is changed member by member, so that what a form does not
/// show stays as it is.
package struct MappingDraft: Hashable, Sendable {
    /// What a column is taken for.
    package enum Target: Hashable, Sendable {
        case leftOut
        /// One field of a kind, by the name of one record of it.
        case field(kind: String, name: String)
        /// Both names of a patron, which stand in one column.
        case wholeName(isSurnameFirst: Bool)
        /// What no single choice says, as `patrons.username`.
        case several([String])
    }

    /// A record that each row stands for.
    struct Record: Hashable, Sendable {
        let kind: RecordKind
        /// `note`, `constants` and `when`.
        var others: JSONObject
        var columns = JSONObject()
        /// Whether it was added here, so that it is to be said in which rows it stands.
        var isNew = false

        static func == (left: Record, right: Record) -> Bool {
            left.kind.name == right.kind.name && left.others == right.others && left.columns == right.columns
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(kind.name)
            hasher.combine(columns)
        }
    }

    /// What the file says besides its records.
    private var members: JSONObject
    private(set) var records: [Record]

    /// - Parameter mapping: of version 2; nil: nothing is chosen yet.
    package init(_ mapping: JSON?) {
        members = mapping?.objectValue ?? ["version": 2]
        records = (members["records"]?.arrayValue ?? []).compactMap { json in
            guard var others = json.objectValue, let word = others["kind"]?.stringValue,
                let kind = NativeRecords.ofTables.first(where: { $0.plural == word || $0.name == word })
            else { return nil }
            let columns = others["columns"]?.objectValue ?? [:]
            others["kind"] = nil
            others["columns"] = nil
            return Record(kind: kind, others: others, columns: columns)
        }
        members["records"] = nil
    }

    /// The mapping file.
    package var json: JSON {
        var object = members
        let written = records.filter { !$0.columns.isEmpty }
        object["records"] = .array(
            written.enumerated().map { place, record in
                var json: JSONObject = ["kind": .string(record.kind.plural)]
                for entry in record.others { json[entry.key] = entry.value }
                if place > 0, record.isNew, json["when"] == nil { json["when"] = record.condition }
                json["columns"] = .object(record.columns)
                return .object(json)
            })
        for list in ["ignore", "undecided"] {
            // They come last, for people.
            let value = object[list]
            object[list] = nil
            if value?.arrayValue?.isEmpty == false { object[list] = value }
        }
        return .object(object)
    }

    /// Whether it says of any column what it is.
    package var isEmpty: Bool { records.allSatisfy(\.columns.isEmpty) }

    /// The kinds of its records, by the names of one.
    package var kinds: [String] {
        var known: Set<String> = []
        return records.filter { !$0.columns.isEmpty }.map(\.kind.name).filter { known.insert($0).inserted }
    }

    /// The order of day, month and year where a column says no other.
    package mutating func set(dates: String?) { members["dates"] = dates.map { .string($0) } }

    // MARK: - Columns

    /// What a column is taken for.
    package func target(of column: String) -> Target {
        let uses = uses(of: column)
        if uses.isEmpty { return .leftOut }
        if uses.count == 1, isFirst(uses[0].record) {
            return .field(kind: records[uses[0].record].kind.name, name: uses[0].field)
        }
        if uses.count == 2, uses[0].record == uses[1].record, records[uses[0].record].kind.name == "patron" {
            let sources = Dictionary(uses.map { ($0.field, $0.source) }) { first, _ in first }
            for isSurnameFirst in [true, false] {
                let name = ColumnSource.columns(of: uses[0].source)[0]
                let whole = ColumnSource.wholeName(name, isSurnameFirst: isSurnameFirst)
                if sources == ["surname": whole.surname, "name": whole.name] {
                    return .wholeName(isSurnameFirst: isSurnameFirst)
                }
            }
        }
        return .several(uses.map { "\(records[$0.record].kind.plural).\($0.field)" })
    }

    /// Takes a column for something else.
    ///
    /// - Parameter explanation: of the file, which knows what the column holds; nil: it is not at hand.
    package mutating func set(_ column: String, to target: Target, in explanation: FileExplanation?) {
        if target == self.target(of: column) { return }
        remove(column)
        let content = explanation?.content(of: column) ?? ColumnContent([])
        switch target {
        case .leftOut, .several: break
        case .field(let kind, let name):
            guard let place = place(of: kind), records[place].kind.cellMember(name) != nil else { return }
            let given = records[place].columns[name]
            records[place].columns[name] =
                given.map { ColumnSource.joined($0, with: column) }
                ?? ColumnSource.source(of: name, records[place].kind, [column], [content])
        case .wholeName(let isSurnameFirst):
            guard let place = place(of: "patron") else { return }
            let whole = ColumnSource.wholeName(column, isSurnameFirst: isSurnameFirst)
            records[place].columns["surname"] = whole.surname
            records[place].columns["name"] = whole.name
        }
    }

    /// Leaves out knowingly what no record uses of the columns of a file, and forgets columns that it does not have.
    package mutating func settle(_ columns: [String]) {
        let known = Set(columns.map(CSVHeader.normalized))
        for column in usedColumns where !known.contains(CSVHeader.normalized(column)) { remove(column) }
        let used = Set(usedColumns.map(CSVHeader.normalized))
        var seen: Set<String> = []
        let rest = columns.filter { column in
            let key = CSVHeader.normalized(column)
            return !key.isEmpty && !used.contains(key) && seen.insert(key).inserted
        }
        members["undecided"] = nil
        members["ignore"] = rest.isEmpty ? nil : .array(rest.map { .string($0) })
    }

    /// The columns that it uses and a file lacks.
    package func lacking(_ columns: [String]) -> [String] {
        var known = Set(columns.map(CSVHeader.normalized))
        return usedColumns.filter { known.insert(CSVHeader.normalized($0)).inserted }
    }

    private var usedColumns: [String] {
        records.flatMap { $0.columns.entries.flatMap { ColumnSource.columns(of: $0.value) } + $0.conditionColumns }
    }

    private func uses(of column: String) -> [(record: Int, field: String, source: JSON)] {
        let key = CSVHeader.normalized(column)
        return records.enumerated().flatMap { place, record in
            record.columns.entries.filter { entry in
                ColumnSource.columns(of: entry.value).contains { CSVHeader.normalized($0) == key }
            }
            .map { (place, $0.key, $0.value) }
        }
    }

    /// Whether it is the first record of its kind.
    private func isFirst(_ place: Int) -> Bool {
        !records[..<place].contains { $0.kind.name == records[place].kind.name }
    }

    private mutating func remove(_ column: String) {
        let key = CSVHeader.normalized(column)
        for place in records.indices {
            for entry in records[place].columns.entries {
                records[place].columns[entry.key] = ColumnSource.without(column, entry.value)
            }
            if records[place].conditionColumns.contains(where: { CSVHeader.normalized($0) == key }),
                records[place].isNew || records[place].columns.isEmpty
            {
                records[place].others["when"] = nil
            }
        }
        for list in ["ignore", "undecided"] {
            let rest = members[list]?.arrayValue?.filter { CSVHeader.normalized($0.stringValue ?? "") != key }
            members[list] = rest.map { .array($0) }
        }
    }

    /// The first record of a kind, which is added where there is none.
    private mutating func place(of kind: String) -> Int? {
        if let place = records.firstIndex(where: { $0.kind.name == kind }) {
            if records[place].columns.isEmpty { records[place].isNew = true }
            return place
        }
        guard let order = NativeRecords.ofTables.firstIndex(where: { $0.name == kind }) else { return nil }
        let place =
            records.firstIndex { record in
                NativeRecords.ofTables.firstIndex { $0.name == record.kind.name } ?? 0 > order
            } ?? records.endIndex
        records.insert(Record(kind: NativeRecords.ofTables[order], others: [:], isNew: true), at: place)
        return place
    }

    // MARK: - Fields

    /// The columns that give a field of the first record of a kind.
    package func columns(of field: String, in kind: String) -> [String] {
        source(of: field, in: kind).map(ColumnSource.columns(of:)) ?? []
    }

    private func source(of field: String, in kind: String) -> JSON? {
        records.first { $0.kind.name == kind }?.columns[field]
    }

    /// What a value of a field's column is here: an empty text: nothing; nil: as it stands.
    package func translation(of word: String, as field: String, in kind: String) -> String? {
        let values = source(of: field, in: kind)?["values"]?.objectValue
        let found = values?.entries.first { MappedSource.folded($0.key) == MappedSource.folded(word) }
        return found.map { $0.value.stringValue ?? "" }
    }

    /// Says what values of a field's column are here.
    ///
    /// - Parameters:
    ///   - words: a value and what it is: an empty text: nothing; nil: as it stands.
    ///   - keepsOthers: whether values of which nothing is said stay as they are.
    package mutating func translate(
        _ field: String, in kind: String, _ words: [(word: String, value: String?)], keepsOthers: Bool
    ) {
        guard let place = records.firstIndex(where: { $0.kind.name == kind }),
            let given = records[place].columns[field]
        else { return }
        var source = ColumnSource.object(given)
        var values = source["values"]?.objectValue ?? [:]
        for (word, value) in words {
            let key = values.keys.first { MappedSource.folded($0) == MappedSource.folded(word) } ?? word
            values[key] = value.map { .string($0) }
        }
        if values.isEmpty {
            for member in ["values", "default", "others"] { source[member] = nil }
        } else {
            source["values"] = .object(values)
            if keepsOthers, source["default"] == nil, source["others"] == nil { source["others"] = "keep" }
        }
        records[place].columns[field] = ColumnSource.plain(source)
    }

    /// The value of rows that have none in the field's column.
    package func constant(_ field: String, of kind: String) -> String? {
        let value = records.first { $0.kind.name == kind }?.others["constants"]?[field]
        return value.map { $0.stringValue ?? $0.text() }
    }

    /// Gives rows a value that have none in the field's column; nil: they get none.
    package mutating func set(constant value: String?, _ field: String, of kind: String) {
        guard value != constant(field, of: kind), let place = records.firstIndex(where: { $0.kind.name == kind }) else {
            return
        }
        var constants = records[place].others["constants"]?.objectValue ?? [:]
        constants[field] = value.map { .string($0) }
        records[place].others["constants"] = constants.isEmpty ? nil : .object(constants)
    }

    /// What records still need, each with the fields of which one is to be given.
    package var missing: [(kind: String, fields: [String])] {
        let written = records.filter { !$0.columns.isEmpty }
        let hasTitle = written.contains { $0.kind.name == "title" }
        return written.flatMap { record -> [(kind: String, fields: [String])] in
            let given = Set(record.columns.keys + (record.others["constants"]?.objectValue?.keys ?? []))
            var needed = record.kind.cellMembers.filter { $0.isRequired && $0.name != "key" }.map { [$0.name] }
            if record.kind.name == "loan" { needed.append(["lent_on", "lent_at"]) }
            if record.kind.name == "copy", !hasTitle { needed.append(["isbn", "title"]) }
            return needed.filter { given.isDisjoint(with: $0) }.map { (record.kind.name, $0) }
        }
    }
}

extension MappingDraft.Record {
    /// In which rows it stands beside other records: in those where the column is not blank by which it is known.
    var condition: JSON? {
        let names =
            switch kind.name {
            case "title": [String]()
            case "loan": ["lent_on", "lent_at"]
            default: kind.cellMembers.filter { $0.isRequired && $0.name != "key" }.map(\.name)
            }
        return names.lazy.compactMap { columns[$0] }.compactMap { ColumnSource.columns(of: $0).first }.first
            .map { .string($0) }
    }

    fileprivate var conditionColumns: [String] {
        switch others["when"] {
        case .string(let column)?: [column]
        case .object(let object)?: object.keys
        default: []
        }
    }
}
