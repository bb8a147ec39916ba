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
        let called = NativeRecords.ofTables.map(\.name).filter { kind in
            columns.contains { self.called($0, kind) != nil }
        }
        if !called.isEmpty { return called }
        let named = Dictionary(
            uniqueKeysWithValues: ["patron", "title", "copy", "loan"].map { kind in
                (kind, Set(columns.compactMap { candidates($0, kind, near: true).first?.field }))
            })
        func has(_ kind: String, _ fields: String...) -> Bool { !(named[kind] ?? []).isDisjoint(with: fields) }
        let isWork = has("title", "title", "isbn") || has("copy", "title", "isbn")
        if has("loan", "lent_at", "lent_on"), has("loan", "barcode", "isbn", "title") { return ["loan"] }
        if has("title", "title") { return has("copy", "barcode") ? ["title", "copy"] : ["title"] }
        if has("copy", "barcode"), isWork { return ["copy"] }
        let isPerson = has("patron", "surname", "birth_date", "email", "extra.class") || has("patron", "username")
        if isPerson, !isWork { return ["patron"] }
        if isWork || contents.contains(where: \.isISBN) { return ["title"] }
        return has("patron", "whole_name") || contents.contains(where: \.isEmail) ? ["patron"] : []
    }

    /// The field of a kind that a column names itself, as `patrons.username`.
    private func called(_ name: String, _ kind: String) -> Candidate? {
        let parts = (FieldText.nonBlank(name) ?? "").lowercased().split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let known = NativeRecords.kinds[kind], known.plural == parts[0] || kind == parts[0],
            known.cellMember(parts[1]) != nil
        else { return nil }
        return Candidate(field: parts[1], confidence: .certain, why: why("it is called by kind and field"))
    }

    /// By the whole name, or else by the own one below a name of a group that may have fields of the kind; the likeliest first.
    private func candidates(_ name: String, _ kind: String, near: Bool) -> [Candidate] {
        if let called = called(name, kind) { return [called] }
        guard let (group, own) = parts[name] else { return named(name, kind, near: near) }
        let whole = named(name, kind, near: false)
        guard whole.isEmpty else { return whole }
        guard FieldNames.mayBe(group, of: kind) else { return [] }
        return named(own, kind, near: near).map { found in
            Candidate(
                field: found.field, confidence: found.confidence, why: "\(found.why), '\(own)' below '\(group)'")
        }
    }

    private func named(_ name: String, _ kind: String, near: Bool) -> [Candidate] {
        let key = FieldNames.key(name)
        let fields = FieldNames.fields(of: kind)
        guard !key.isEmpty, !FieldNames.isPassword(name) else { return [] }
        if let found = fields[key] {
            return found.map { Candidate(field: $0, confidence: .likely, why: why("by its name")) }
        }
        guard near, key.count >= 5, let other = NameSuggestion.nearest(to: key, among: fields.keys),
            // A slip of the pen, and no other word.
            NameSuggestion.distance(Array(key.unicodeScalars), Array(other.unicodeScalars)) <= (key.count < 8 ? 1 : 2),
            other.first == key.first, let field = fields[other]?.first
        else { return [] }
        return [
            Candidate(field: field, confidence: .possible, why: why("by its name, which is near to '\(other)'"))
        ]
    }

    private func byContent(_ content: ColumnContent, _ kind: String) -> [Candidate] {
        func found(_ field: String, _ why: String) -> Candidate {
            Candidate(field: field, confidence: .possible, why: why)
        }
        var candidates: [Candidate] = []
        switch kind {
        case "patron":
            if content.isEmail { candidates.append(found("email", why("by its content: e-mail addresses"))) }
            if content.isCode, !content.isDate, !content.isEmail {
                candidates.append(found("username", why("by its content: each row has another number")))
            }
        case "title", "copy", "loan":
            if content.isISBN { candidates.append(found("isbn", why("by its content: ISBNs with right check digits"))) }
            if kind == "title", content.isYear { candidates.append(found("year", why("by its content: years"))) }
            if kind == "copy", content.isMoney {
                candidates.append(found("replacement_price", why("by its content: amounts")))
            }
            if kind != "title", content.isCode, !content.isISBN, !content.isDate {
                candidates.append(found("barcode", why("by its content: each row has another number")))
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
        for (near, isOpen) in [(false, false), (false, true), (true, false), (true, true)] {
            for (index, name) in columns.enumerated() where isFree(index) {
                // Names that stand for several fields come after those that stand for one of these alone.
                let found = candidates(name, kind, near: near)
                guard (found.count > 1) == isOpen else { continue }
                let isTaken = { (candidate: Candidate) in given.contains { $0.field == candidate.field } }
                guard let candidate = found.first(where: { !isTaken($0) }) ?? found.first else { continue }
                // Of a column that says nothing, a name that is only near says nothing either.
                if near, candidate.confidence == .possible, contents[index].values.isEmpty { continue }
                if kind == "copy", candidate.field == "status", !isStatus(index) { continue }
                if isTaken(candidate), near || !["isbn", "phone", "email", "authors"].contains(candidate.field) {
                    continue
                }
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
        where explained[index].fields.isEmpty && explained[index].why.isEmpty {
            guard let field = candidates(column, kind, near: false).first?.field else { continue }
            explained[index].why = why("another column is taken for \(field) already")
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
        explained[index].why = why("by its name it is the status of a copy, and '\(word)' is none that is known")
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
        let cell = kind.cellMember(field)?.cell
        if cell == .date || cell == .moment {
            for index in indices { explained[index].problems += contents[index].dates.problems }
        }
        if cell == .isbns {
            for index in indices {
                let wrong = contents[index].values.filter { !ColumnContent.hasISBN($0) }
                if let first = wrong.first, !contents[index].values.isEmpty {
                    explained[index].problems.append(
                        why(
                            "'\(first)' is no right ISBN (\(wrong.count) of the first \(contents[index].values.count) values)"
                        ))
                }
            }
        }
        return ColumnSource.source(of: field, kind, indices.map { columns[$0] }, indices.map { contents[$0] })
    }

    /// A column that has first name and surname.
    private mutating func putWholeName(
        _ index: Int, in members: inout JSONObject, hasSurname: Bool, hasName: Bool
    ) {
        let column = JSON.string(columns[index])
        if hasName, !hasSurname, !contents[index].hasCommas {
            members["surname"] = column
            explain(index, ["patrons.surname"], .possible, why("by its name, beside a column of first names"))
            return
        }
        if hasSurname {
            if members["name"] == nil {
                members["name"] = column
                explain(index, ["patrons.name"], .possible, why("by its name, beside a column of surnames"))
            }
            return
        }
        let whole = ColumnSource.wholeName(columns[index], isSurnameFirst: contents[index].hasCommas)
        (members["surname"], members["name"]) = (whole.surname, whole.name)
        explain(
            index, ["patrons.surname", "patrons.name"], .possible,
            contents[index].hasCommas
                ? why("by its name: surname, first name") : why("by its name: first names, then a surname"))
    }

    private mutating func decide(_ index: Int) {
        guard FieldText.nonBlank(columns[index]) != nil else {
            explained[index].why = why("the column has no name; give it one in the file")
            return
        }
        if FieldNames.isPassword(columns[index]) {
            explained[index].why = why("passwords are never taken over")
            return
        }
        undecided.append(columns[index])
        if explained[index].why.isEmpty {
            explained[index].why =
                contents[index].values.isEmpty ? why("it is blank in the first rows") : why("nothing says what it is")
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

/// A reason, which pages say in the language of their reader: catalogues have what stands in these parentheses.
func why(_ text: String) -> String { text }
