import TextFormats

/// What mapping files say of the columns that give a field.
enum ColumnSource {
    /// The source of a field whose columns hold this: with the order of dates that they show, and names turned where they are to be.
    static func source(
        of field: String, _ kind: RecordKind, _ columns: [String], _ contents: [ColumnContent]
    ) -> JSON {
        let names = columns.map { JSON.string($0) }
        var source: JSONObject = names.count == 1 ? ["column": names[0]] : ["first_of": .array(names)]
        let cell = kind.cellMember(field)?.cell
        if cell == .date || cell == .moment, let order = contents.compactMap(\.dates.order).last {
            source["dates"] = .string(order.rawValue)
        }
        if field == "authors", contents.first?.hasCommas == true { source["turn_names"] = true }
        if kind.name == "copy", field == "status" {
            var words = JSONObject()
            for word in contents.first?.values ?? [] {
                if let status = FieldNames.status(word) { words[word] = .string(status) }
            }
            if !words.isEmpty { source["values"] = .object(words) }
        }
        return plain(source)
    }

    /// The sources of a column that has first name and surname.
    static func wholeName(_ column: String, isSurnameFirst: Bool) -> (surname: JSON, name: JSON) {
        let column = JSON.string(column)
        return isSurnameFirst
            ? (
                ["column": column, "split": ",", "part": "first"],
                ["column": column, "split": ",", "part": "all_but_first"]
            )
            : (
                ["column": column, "split": " ", "part": "last"],
                ["column": column, "split": " ", "part": "all_but_last"]
            )
    }

    static func columns(of source: JSON) -> [String] {
        if let name = source.stringValue { return [name] }
        if let name = source["column"]?.stringValue { return [name] }
        return (source["first_of"]?.arrayValue ?? source["join"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    static func object(_ source: JSON) -> JSONObject { source.objectValue ?? ["column": source] }

    /// The name alone where nothing else is said.
    static func plain(_ source: JSONObject) -> JSON {
        if source.count == 1, let column = source["column"] { return column }
        return .object(source)
    }

    /// The first that is not blank of its columns and of a further one.
    static func joined(_ source: JSON, with column: String) -> JSON {
        var object = object(source)
        if var list = object["join"]?.arrayValue {
            list.append(.string(column))
            object["join"] = .array(list)
            return .object(object)
        }
        object["first_of"] = .array((columns(of: source) + [column]).map { .string($0) })
        object["column"] = nil
        return .object(object)
    }

    /// Without a column; nil: there is no other.
    static func without(_ column: String, _ source: JSON) -> JSON? {
        let key = CSVHeader.normalized(column)
        let columns = columns(of: source)
        let rest = columns.filter { CSVHeader.normalized($0) != key }
        if rest.count == columns.count { return source }
        guard let first = rest.first else { return nil }
        var object = object(source)
        let list = object["join"] == nil ? "first_of" : "join"
        if rest.count > 1 {
            object[list] = .array(rest.map { .string($0) })
            return .object(object)
        }
        for member in ["first_of", "join", "with"] { object[member] = nil }
        var single: JSONObject = ["column": .string(first)]
        for entry in object { single[entry.key] = entry.value }
        return plain(single)
    }
}
