import TextFormats

/// What a translator made of one row.
struct Translation {
    var line: Int
    /// Where the row stands within its line: `results[3]`.
    var path = ""
    /// What people call it, where it has no line.
    var record: String?
    var problems: [ImportProblem] = []
    /// What was handed over, under the names that the columns have in the file.
    var row: JSONObject = [:]
    var records: [JSON] = []

    var json: JSON {
        [
            "line": .integer(Int64(line)), "path": .string(path), "problems": .array(problems.map(\.json)),
            "row": .object(row), "records": .array(records), "record": record.map { .string($0) } ?? .null,
        ]
    }

    init(line: Int, path: String) {
        self.line = line
        self.path = path
    }

    /// What ``json`` wrote.
    init(_ json: JSON) {
        line = Int(json["line"]?.integerValue ?? 0)
        path = json["path"]?.stringValue ?? ""
        problems = (json["problems"]?.arrayValue ?? []).map(ImportProblem.init)
        row = json["row"]?.objectValue ?? [:]
        records = json["records"]?.arrayValue ?? []
        record = json["record"]?.stringValue
    }

    /// Puts the row to the letter in the place of `marc = true` of titles that were made of it.
    mutating func keep(_ source: @autoclosure () -> JSONObject) {
        for index in records.indices {
            guard var object = records[index].objectValue, var title = object["title"]?.objectValue,
                title["marc"]?.boolValue == true
            else { continue }
            title["marc"] = .object(source())
            object["title"] = .object(title)
            records[index] = .object(object)
        }
    }

    /// The file's name of the column that holds a value, if that is in one alone.
    func column(of value: JSON?) -> String? {
        guard let value, !value.isNull else { return nil }
        let same = row.entries.filter { $0.value == value }
        return same.count == 1 ? same.first?.key : nil
    }
}

extension ImportProblem {
    /// What ``json`` wrote.
    fileprivate init(_ json: JSON) {
        self.init(
            file: json["file"]?.stringValue ?? "", line: Int(json["line"]?.integerValue ?? 0),
            record: json["record"]?.stringValue, field: json["field"]?.stringValue,
            code: json["code"]?.stringValue ?? "",
            severity: json["severity"]?.stringValue.flatMap(Severity.init) ?? .error,
            message: json["message"]?.stringValue ?? "")
    }
}
