import Circulation
import TextFormats

/// What the columns of a table of no known kind may be: by their names, names near to these, and what stands in them.
///
/// It is a proposal: nothing is imported by it before a person hands it back as a mapping file.
struct MappingProposal {
    private let columns: [String]
    private let contents: [ColumnContent]
    /// Of a header of two rows: by the whole names of columns, those of their groups and their own.
    private let parts: [String: (group: String, own: String)]
    private let headerRows: Int
    private(set) var explained: [FileExplanation.Column]
    private(set) var records: [JSON] = []
    private(set) var problems: [String] = []
    private var undecided: [String] = []

    /// A column that may give a field.
    private struct Candidate {
        let field: String
        let confidence: FileExplanation.Column.Confidence
        let why: String
    }

    /// - Parameter head: the beginning of the table.
    init(_ head: TableHead) {
        columns = head.names
        contents = head.contents
        headerRows = head.headerRows
        parts = Dictionary(
            zip(head.names, head.ownNames).compactMap { name, own in
                own.map { (name, (group: String(name.dropLast($0.count + 1)), own: $0)) }
            }, uniquingKeysWith: { first, _ in first })
        explained = zip(columns, contents).map { name, content in
            FileExplanation.Column(name: name, samples: FileExplanation.samples(of: name, content))
        }
        for kind in kinds { propose(kind) }
        for index in explained.indices where explained[index].fields.isEmpty {
            decide(index)
        }
    }

    /// The mapping file that says so.
    var mapping: JSON? {
        guard !records.isEmpty else { return nil }
        var object: JSONObject = [
            "version": 2,
            "note": "A proposal. Check each column against the file, and take out what is wrong.",
        ]
        if headerRows > 1 { object["header_rows"] = .integer(Int64(headerRows)) }
        object["records"] = .array(records)
        if !undecided.isEmpty { object["undecided"] = .array(undecided.map { .string($0) }) }
        let ignored = passwords
        if !ignored.isEmpty { object["ignore"] = .array(ignored.map { .string($0) }) }
        return .object(object)
    }

    private var passwords: [String] { columns.filter(FieldNames.isPassword) }

    // MARK: - Kinds

    /// What a row stands for: by the columns whose names say it.
    private var kinds: [String] {
        let named = Dictionary(
            uniqueKeysWithValues: ["patron", "title", "copy", "loan"].map { kind in
                (kind, Set(columns.compactMap { candidate($0, kind, near: true)?.field }))
            })
        func has(_ kind: String, _ fields: String...) -> Bool { !(named[kind] ?? []).isDisjoint(with: fields) }
        let isWork = has("title", "title", "isbn")
        if has("loan", "lent_at"), has("loan", "barcode", "isbn", "title") { return ["loan"] }
        if has("title", "title") { return has("copy", "barcode") ? ["title", "copy"] : ["title"] }
        if has("copy", "barcode"), isWork { return ["copy"] }
        let isPerson = has("patron", "surname", "birth_date", "email", "extra.class") || has("patron", "username")
        if isPerson, !isWork { return ["patron"] }
        if isWork || contents.contains(where: \.isISBN) { return ["title"] }
        return has("patron", "whole_name") || contents.contains(where: \.isEmail) ? ["patron"] : []
    }

    /// By the whole name, or else by the own one below a name of a group that may have fields of the kind.
    private func candidate(_ name: String, _ kind: String, near: Bool) -> Candidate? {
        guard let (group, own) = parts[name] else { return named(name, kind, near: near) }
        if let candidate = named(name, kind, near: false) { return candidate }
        guard FieldNames.mayBe(group, of: kind), let found = named(own, kind, near: near) else { return nil }
        return Candidate(
            field: found.field, confidence: found.confidence, why: "\(found.why), '\(own)' below '\(group)'")
    }

    private func named(_ name: String, _ kind: String, near: Bool) -> Candidate? {
        let key = FieldNames.key(name)
        let fields = FieldNames.fields(of: kind)
        guard !key.isEmpty, !FieldNames.isPassword(name) else { return nil }
        if let field = fields[key] { return Candidate(field: field, confidence: .likely, why: "by its name") }
        guard near, key.count >= 5, let other = NameSuggestion.nearest(to: key, among: fields.keys),
            // A slip of the pen, and no other word.
            NameSuggestion.distance(Array(key.unicodeScalars), Array(other.unicodeScalars)) <= (key.count < 8 ? 1 : 2),
            other.first == key.first, let field = fields[other]
        else { return nil }
        return Candidate(field: field, confidence: .possible, why: "by its name, which is near to '\(other)'")
    }

    private func byContent(_ content: ColumnContent, _ kind: String) -> [Candidate] {
        func found(_ field: String, _ why: String) -> Candidate {
            Candidate(field: field, confidence: .possible, why: "by its content: \(why)")
        }
        var candidates: [Candidate] = []
        switch kind {
        case "patron":
            if content.isEmail { candidates.append(found("email", "e-mail addresses")) }
            if content.isCode, !content.isDate, !content.isEmail {
                candidates.append(found("username", "each row has another number"))
            }
        case "title", "copy", "loan":
            if content.isISBN { candidates.append(found("isbn", "ISBNs with right check digits")) }
            if kind == "title", content.isYear { candidates.append(found("year", "years")) }
            if kind == "copy", content.isMoney { candidates.append(found("replacement_price", "amounts")) }
            if kind != "title", content.isCode, !content.isISBN, !content.isDate {
                candidates.append(found("barcode", "each row has another number"))
            }
        default: break
        }
        return candidates
    }

    // MARK: - Columns

    private mutating func propose(_ kind: String) {
        guard let known = NativeRecords.kinds[kind] else { return }
        var given: [(field: String, index: Int, candidate: Candidate)] = []
        func isFree(_ index: Int) -> Bool {
            explained[index].fields.isEmpty && !given.contains { $0.index == index }
        }
        for near in [false, true] {
            for (index, name) in columns.enumerated() where isFree(index) {
                guard let candidate = candidate(name, kind, near: near) else { continue }
                // Of a column that says nothing, a name that is only near says nothing either.
                if near, candidate.confidence == .possible, contents[index].values.isEmpty { continue }
                if candidate.field == "status", !isStatus(index) { continue }
                let isTaken = given.contains { $0.field == candidate.field }
                if isTaken, near || !["isbn", "phone", "email", "authors"].contains(candidate.field) { continue }
                given.append((candidate.field, index, candidate))
            }
        }
        for (index, content) in contents.enumerated() where isFree(index) && !FieldNames.isPassword(columns[index]) {
            guard
                let candidate = byContent(content, kind).first(where: { one in
                    !given.contains { $0.field == one.field }
                })
            else { continue }
            given.append((candidate.field, index, candidate))
        }
        var members = JSONObject()
        for field in orderedFields(given.map(\.field)) {
            let sources = given.filter { $0.field == field }
            guard let first = sources.first else { continue }
            if field == "whole_name" {
                putWholeName(
                    first.index, in: &members, hasSurname: given.contains { $0.field == "surname" },
                    hasName: given.contains { $0.field == "name" })
                continue
            }
            members[field] = source(field, sources.map(\.index), known)
            for one in sources {
                explain(one.index, ["\(known.plural).\(field)"], one.candidate.confidence, one.candidate.why)
            }
        }
        for (index, column) in columns.enumerated()
        where explained[index].fields.isEmpty && explained[index].why.isEmpty
            && candidate(column, kind, near: false) != nil
        {
            explained[index].why =
                "another column is taken for \(candidate(column, kind, near: false)?.field ?? "it") already"
        }
        guard !members.isEmpty else { return }
        report(kind, known, members)
        var record: JSONObject = ["kind": .string(known.plural)]
        if kind == "copy", records.contains(where: { $0["kind"] == "titles" }), let barcode = members["barcode"] {
            record["when"] = barcode["column"] ?? barcode
        }
        record["columns"] = .object(members)
        records.append(.object(record))
    }

    /// Whether all that a column says is a status of a copy in some language; where it is not, that is said.
    private mutating func isStatus(_ index: Int) -> Bool {
        guard let word = contents[index].values.first(where: { FieldNames.status($0) == nil }) else { return true }
        explained[index].why = "by its name it is the status of a copy, and '\(word)' is none that is known"
        return false
    }

    private func orderedFields(_ fields: [String]) -> [String] {
        var known: Set<String> = []
        return fields.filter { known.insert($0).inserted }
    }

    private mutating func explain(
        _ index: Int, _ fields: [String], _ confidence: FileExplanation.Column.Confidence, _ why: String
    ) {
        explained[index].fields += fields
        explained[index].confidence = confidence
        explained[index].why = why
    }

    /// What a mapping file says of the columns of a field.
    private mutating func source(_ field: String, _ indices: [Int], _ kind: RecordKind) -> JSON {
        let names = indices.map { JSON.string(columns[$0]) }
        var source: JSONObject = names.count == 1 ? ["column": names[0]] : ["first_of": .array(names)]
        let cell = kind.cellMember(field)?.cell
        if cell == .date || cell == .moment {
            for index in indices {
                let dates = contents[index].dates
                explained[index].problems += dates.problems
                if let order = dates.order { source["dates"] = .string(order.rawValue) }
            }
        }
        if cell == .isbns {
            for index in indices {
                let wrong = contents[index].values.filter { !ColumnContent.hasISBN($0) }
                if let first = wrong.first, !contents[index].values.isEmpty {
                    explained[index].problems.append(
                        "'\(first)' is no right ISBN (\(wrong.count) of the first \(contents[index].values.count) values)"
                    )
                }
            }
        }
        if field == "authors", contents[indices[0]].hasCommas { source["turn_names"] = true }
        if field == "status" {
            var words = JSONObject()
            for word in contents[indices[0]].values {
                if let status = FieldNames.status(word) { words[word] = .string(status) }
            }
            source["values"] = .object(words)
        }
        if source.count == 1, names.count == 1 { return names[0] }
        return .object(source)
    }

    /// A column that has first name and surname.
    private mutating func putWholeName(
        _ index: Int, in members: inout JSONObject, hasSurname: Bool, hasName: Bool
    ) {
        let column = JSON.string(columns[index])
        if hasName, !hasSurname, !contents[index].hasCommas {
            members["surname"] = column
            explain(index, ["patrons.surname"], .possible, "by its name, beside a column of first names")
            return
        }
        if hasSurname {
            if members["name"] == nil {
                members["name"] = column
                explain(index, ["patrons.name"], .possible, "by its name, beside a column of surnames")
            }
            return
        }
        if contents[index].hasCommas {
            members["surname"] = ["column": column, "split": ",", "part": "first"]
            members["name"] = ["column": column, "split": ",", "part": "all_but_first"]
        } else {
            members["surname"] = ["column": column, "split": " ", "part": "last"]
            members["name"] = ["column": column, "split": " ", "part": "all_but_last"]
        }
        explain(
            index, ["patrons.surname", "patrons.name"], .possible,
            contents[index].hasCommas ? "by its name: surname, first name" : "by its name: first names, then a surname")
    }

    private mutating func decide(_ index: Int) {
        guard FieldText.nonBlank(columns[index]) != nil else {
            explained[index].why = "the column has no name; give it one in the file"
            return
        }
        if FieldNames.isPassword(columns[index]) {
            explained[index].why = "passwords are never taken over"
            return
        }
        undecided.append(columns[index])
        if explained[index].why.isEmpty {
            explained[index].why =
                contents[index].values.isEmpty ? "it is blank in the first rows" : "nothing says what it is"
        }
    }

    /// What a record still needs.
    private mutating func report(_ kind: String, _ known: RecordKind, _ members: JSONObject) {
        for member in known.cellMembers where member.isRequired && member.name != "key" && members[member.name] == nil {
            problems.append(
                "no column is known to give '\(member.name)', which \(known.plural) need: name one in the mapping")
        }
        if kind == "loan", members["lent_at"] == nil, members["lent_on"] == nil {
            problems.append("no column is known to give 'lent_at', which loans need: name one in the mapping")
        }
    }
}
