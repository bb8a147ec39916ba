import Circulation
import TextFormats

/// Finds which fields of records the columns of a table that is known have become, by the values of its first rows.
struct ColumnTracer {
    let columns: [FileExplanation.Column]
    /// A mapping file that does about the same; nil where no field was found.
    let mapping: JSON?

    /// A field of a kind of record that a column gives.
    private struct Field: Hashable {
        let kind: String
        let name: String

        var shown: String { "\(NativeRecords.kinds[kind]?.plural ?? kind).\(name)" }
    }

    init(
        _ head: TableHead, _ read: [ReadRecord], mapping: RecordMapping?, columns: [(column: String, name: String?)]
    ) {
        let found = mapping.map { Self.fields(of: $0) } ?? Self.trace(head, read)
        let known = Dictionary(
            columns.map { (CSVHeader.normalized($0.column), $0.name) }, uniquingKeysWith: { first, _ in first })
        let contents = head.contents
        self.columns = head.names.enumerated().map { index, name in
            let key = CSVHeader.normalized(name)
            var column = FileExplanation.Column(name: name, samples: FileExplanation.samples(of: name, contents[index]))
            column.fields = (found[key] ?? []).map(\.shown)
            let isRead = !column.fields.isEmpty || known[key] != nil
            column.confidence = isRead ? .certain : .none
            if mapping != nil {
                column.why = column.fields.isEmpty ? Self.reason(mapping, key) : why("the mapping file says so")
            } else if column.fields.isEmpty, let own = known[key] {
                column.why =
                    contents[index].values.isEmpty ? why("it is read, and blank in the first rows") : why("it is read")
                if let own { column.why += " as \(own)" }
            } else {
                column.why = isRead ? why("what knows the file reads it so") : why("nothing reads it; left out")
            }
            if isRead {
                let wrong = read.flatMap(\.problems).filter { CSVHeader.normalized($0.field ?? "") == key }
                var said: Set<String> = []
                column.problems = wrong.filter { said.insert($0.code).inserted }.prefix(3).map {
                    "line \($0.line): \($0.message)"
                }
            }
            return column
        }
        self.mapping = Self.mapping(head, found, contents)
    }

    private static func reason(_ mapping: RecordMapping?, _ key: String) -> String {
        if mapping?.ignored.contains(where: { CSVHeader.normalized($0) == key }) == true {
            return why("the mapping file leaves it out")
        }
        if mapping?.columns.contains(where: { CSVHeader.normalized($0) == key }) == true {
            return why("the mapping file says by it which records a row has")
        }
        return why("the mapping file says nothing of it; left out")
    }

    private static func fields(of mapping: RecordMapping) -> [String: [Field]] {
        var found: [String: [Field]] = [:]
        for record in mapping.records {
            for field in record.fields {
                for column in field.source.columns {
                    found[CSVHeader.normalized(column), default: []].append(Field(kind: record.kind, name: field.name))
                }
            }
        }
        return found
    }

    // MARK: - Tracing

    /// The fields whose values are, in most rows, those of a column.
    private static func trace(_ head: TableHead, _ read: [ReadRecord]) -> [String: [Field]] {
        let rows = Dictionary(zip(head.lines, head.rows), uniquingKeysWith: { first, _ in first })
        var filled = [Int](repeating: 0, count: head.names.count)
        var same: [[Field: Int]] = Array(repeating: [:], count: head.names.count)
        for record in read {
            guard let cells = rows[record.line] else { continue }
            let texts = cells.map(plain)
            let values = record.plainRecords.flatMap(values)
            guard !values.isEmpty else { continue }
            for (index, text) in texts.enumerated() where !text.isEmpty && index < filled.count {
                filled[index] += 1
                for (field, value) in values where value.contains(text) { same[index][field, default: 0] += 1 }
            }
        }
        // A field is that of the column with which it agrees most often, of several the first.
        var found: [String: [Field]] = [:]
        var best: [Field: (index: Int, count: Int)] = [:]
        for (index, fields) in same.enumerated() {
            for (field, count) in fields where count * 2 > filled[index] && count > best[field]?.count ?? 0 {
                best[field] = (index, count)
            }
        }
        for (field, place) in best {
            found[CSVHeader.normalized(head.names[place.index]), default: []].append(field)
        }
        return found.mapValues { $0.sorted { $0.shown < $1.shown } }
    }

    /// A text as values are compared: folded, without what spreadsheets write around it.
    private static func plain(_ text: String) -> String {
        var text = FieldText.nonBlank(text) ?? ""
        if text.hasPrefix("=\""), text.hasSuffix("\"") { text = String(text.dropFirst(2).dropLast()) }
        if let isbn = try? ISBN(text) { return isbn.digits13 }
        switch DateOrder.readings(of: text) {
        case .certain(let date): return date.description
        case .open(let readings) where readings.count == 1: return readings[0].value.description
        default: break
        }
        return text.lowercased()
    }

    /// The fields of a record, each with the texts that a cell of it may have had.
    private static func values(_ record: JSON) -> [(field: Field, texts: Set<String>)] {
        guard let entry = record.objectValue?.entries.first, let members = entry.value.objectValue else { return [] }
        return values(members, entry.key)
    }

    private static func values(_ members: JSONObject, _ kind: String) -> [(field: Field, texts: Set<String>)] {
        members.entries.flatMap { member -> [(field: Field, texts: Set<String>)] in
            switch member.value {
            case .object(let inner) where member.key == "extra":
                return inner.entries.map { (Field(kind: kind, name: "extra.\($0.key)"), texts($0.value)) }
            case .array(let list) where member.key == "copies":
                return list.flatMap { values($0.objectValue ?? [:], "copy") }
            default: return [(Field(kind: kind, name: member.key), texts(member.value))]
            }
        }
    }

    private static func texts(_ value: JSON) -> Set<String> {
        switch value {
        case .string(let text):
            let short = text.split(separator: " ").first.map(String.init) ?? text
            // Moments of whole days, and amounts without their currency.
            let day = text.count == 20 && text.hasSuffix("Z") ? String(text.prefix(10)) : short
            return [plain(text), plain(day)]
        case .array(let list):
            let parts = list.compactMap(\.stringValue)
            return Set(["|", "; ", ";", ", "].map { plain(parts.joined(separator: $0)) })
        case .null, .object: return []
        default: return [value.text()]
        }
    }

    // MARK: - Mapping

    private static func mapping(
        _ head: TableHead, _ found: [String: [Field]], _ contents: [ColumnContent]
    ) -> JSON? {
        var members: [String: JSONObject] = [:]
        var undecided: [JSON] = []
        for (index, name) in head.names.enumerated() where FieldText.nonBlank(name) != nil {
            var isUsed = false
            for field in found[CSVHeader.normalized(name)] ?? [] {
                guard let member = NativeRecords.kinds[field.kind]?.cellMember(field.name) else { continue }
                isUsed = true
                var source: JSON = .string(name)
                if member.cell == .date || member.cell == .moment, let order = contents[index].dates.order {
                    source = ["column": .string(name), "dates": .string(order.rawValue)]
                }
                members[field.kind, default: [:]][field.name] = source
            }
            if !isUsed { undecided.append(.string(name)) }
        }
        let records = NativeRecords.ofTables.compactMap { kind -> JSON? in
            guard let fields = members[kind.name] else { return nil }
            var record: JSONObject = ["kind": .string(kind.plural)]
            if kind.name == "copy", members["title"] != nil, let barcode = fields["barcode"] {
                record["when"] = barcode
            }
            record["columns"] = .object(fields)
            return .object(record)
        }
        guard !records.isEmpty else { return nil }
        var mapping: JSONObject = [
            "version": 2, "note": "Written from the columns that were recognised. Check each against the file.",
        ]
        if head.headerRows > 1 { mapping["header_rows"] = .integer(Int64(head.headerRows)) }
        mapping["records"] = .array(records)
        mapping["undecided"] = .array(undecided)
        return .object(mapping)
    }
}
