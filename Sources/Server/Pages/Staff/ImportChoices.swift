import Interchange
import TextFormats

/// What a form says that the columns of a file are: each column with its heading, so that it is found again where the file is read
/// otherwise.
struct ImportChoices {
    /// So many columns are offered; of those behind it a mapping file says what they are.
    static let mostColumns = 100
    /// A column that stays as it is.
    static let asItIs = "="

    private let form: PageForm
    private let columns: [(heading: String, target: String)]

    init(_ form: PageForm) {
        self.form = form
        columns = (0..<Self.mostColumns).compactMap { number in
            guard let heading = form["heading-\(number)"], let target = form["column-\(number)"] else { return nil }
            return (heading, target)
        }
    }

    /// A mapping with what the form says.
    ///
    /// - Parameter explanation: of the file; nil: it is no longer at hand, and what was chosen is kept.
    func applied(to mapping: MappingDraft, in explanation: FileExplanation?) -> MappingDraft {
        var draft = mapping
        let takeable = explanation.map { Set($0.columns.filter(\.mayBeTaken).map { CSVHeader.normalized($0.name) }) }
        for (heading, text) in columns where takeable?.contains(CSVHeader.normalized(heading)) ?? true {
            guard let target = Self.target(text) else { continue }
            draft.set(heading, to: target, in: explanation)
        }
        for kind in draft.kinds {
            for field in ImportFieldNames.constants(of: kind) {
                guard let value = form[Self.name(ofConstant: field, kind)] else { continue }
                draft.set(constant: value.isEmpty ? nil : value, field, of: kind)
            }
        }
        return draft
    }

    static func name(ofConstant field: String, _ kind: String) -> String { "constant-\(kind)-\(field)" }

    // MARK: - Targets as texts

    /// The value of a select; nil: it stays as it is.
    static func target(_ text: String) -> MappingDraft.Target? {
        switch text {
        case "": return .leftOut
        case "patrons.surname,name": return .wholeName(isSurnameFirst: true)
        case "patrons.name,surname": return .wholeName(isSurnameFirst: false)
        default:
            let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = KnownHeadings.kind(parts[0]) else { return nil }
            return .field(kind: kind, name: parts[1])
        }
    }

    static func text(_ target: MappingDraft.Target) -> String {
        switch target {
        case .leftOut: ""
        case .several: asItIs
        case .wholeName(let isSurnameFirst): isSurnameFirst ? "patrons.surname,name" : "patrons.name,surname"
        case .field(let kind, let name):
            KnownHeadings.kind(KnownHeadings.plural(kind) ?? "") == nil
                ? asItIs : "\(KnownHeadings.plural(kind) ?? kind).\(name)"
        }
    }
}

/// Values of a column that are codes of the library, or words of the program, and that are not known here: what each of them is.
struct ImportWords {
    let kind: String
    let field: String
    let column: String
    /// The codes and words that there are.
    let choices: [(value: String, name: String)]
    /// Whether a value that is none of them may become one.
    let mayBeNew: Bool
    /// The values that are none of them.
    let unknown: [(text: String, count: Int)]
    /// How many more there are.
    let more: Int

    /// So many values of a column are asked for.
    private static let most = 30

    /// Of all columns that the draft takes for such fields.
    static func all(
        of draft: MappingDraft, _ explanation: FileExplanation, _ explainer: FileExplainer, _ path: String,
        _ call: PageCall
    ) throws -> [ImportWords] {
        var fields: [(kind: String, field: String, column: String)] = []
        for kind in draft.kinds {
            for (name, _) in FieldLabels.fields(of: kind) where isOne(name, kind) {
                let columns = draft.columns(of: name, in: kind)
                if columns.count == 1 { fields.append((kind, name, columns[0])) }
            }
        }
        let found = try explainer.values(of: fields.map(\.column), in: path, most: 200)
        return try fields.compactMap { kind, field, column in
            guard let distinct = found[column] else { return nil }
            let choices = try choices(field, kind, call)
            let known = Set(choices.map(\.value))
            let unknown = distinct.values.filter { !known.contains($0.text) }
            guard !unknown.isEmpty else { return nil }
            return ImportWords(
                kind: kind, field: field, column: column, choices: choices,
                mayBeNew: ImportFieldNames.codes[field] != nil, unknown: Array(unknown.prefix(most)),
                more: max(0, unknown.count - most) + distinct.more)
        }
    }

    private static func isOne(_ field: String, _ kind: String) -> Bool {
        ImportFieldNames.codes[field] != nil || !KnownHeadings.words(of: field, in: kind).isEmpty
    }

    private static func choices(
        _ field: String, _ kind: String, _ call: PageCall
    ) throws -> [(value: String, name: String)] {
        if let path = ImportFieldNames.codes[field] { return try RecordForm.codes(path, call) }
        return KnownHeadings.words(of: field, in: kind).map { ($0, RecordForm.words($0)) }
    }

    func name(_ number: Int) -> String { "value-\(kind)-\(field)-\(number)" }
    func wordName(_ number: Int) -> String { "word-\(kind)-\(field)-\(number)" }

    /// What a value is, as its select says it: nothing, one of the choices, or what it is.
    func chosen(_ word: String, in draft: MappingDraft) -> String {
        if let value = draft.translation(of: word, as: field, in: kind) { return value }
        return mayBeNew ? ImportChoices.asItIs : ""
    }

    /// A choice that is called as the value is, but for capitals.
    private func alike(_ word: String) -> String? {
        let word = word.lowercased()
        return choices.first { $0.value.lowercased() == word || $0.name.lowercased() == word }?.value
    }

    /// Brings into a draft what the form says of the values; of a mapping in the making also what goes without saying.
    func apply(to draft: inout MappingDraft, _ form: PageForm, isMapped: Bool) {
        var said: [(word: String, value: String?)] = []
        var posted: [String: String] = [:]
        for number in 0..<Self.most {
            if let word = form[wordName(number)], let value = form[name(number)] { posted[word] = value }
        }
        for (word, _) in unknown {
            if let value = posted[word] {
                guard value != chosen(word, in: draft) else {
                    // A word of the program that is not known, and of which nothing is said, would refuse its row.
                    if !mayBeNew, isMapped { said.append((word, value)) }
                    continue
                }
                let isChoice = value.isEmpty || choices.contains { $0.value == value }
                if isChoice || mayBeNew, isChoice || value == ImportChoices.asItIs {
                    said.append((word, isChoice ? value : nil))
                }
            } else if isMapped, draft.translation(of: word, as: field, in: kind) == nil {
                if let value = alike(word) { said.append((word, value)) } else if !mayBeNew { said.append((word, "")) }
            }
        }
        guard !said.isEmpty else { return }
        draft.translate(field, in: kind, said, keepsOthers: mayBeNew)
    }
}
