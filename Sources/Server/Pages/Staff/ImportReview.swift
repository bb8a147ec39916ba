import Circulation
import Interchange
import Languages
import Scripting
import TextFormats

/// What the page shows of a step of an import: what the file was taken for, its columns with their choices, and what is open.
struct ImportReview {
    private let step: ImportStep
    private let explanation: FileExplanation
    private let call: PageCall

    /// So many characters of a value are shown.
    private static let mostSample = 40

    /// - Returns: nil where nothing could be said of the file.
    init?(_ step: ImportStep) {
        guard let explanation = step.explanation else { return nil }
        self.step = step
        self.explanation = explanation
        call = step.call
    }

    var fields: [String: Any] {
        var fields: [String: Any] = [
            "found": found, "why": why, "token": step.token,
            "fileName": PageWords.safe(step.file.name), "isTable": step.draft != nil,
            "isRecognised": step.draft != nil && !step.isMapped,
            "columns": columns, "values": values, "constants": constants, "problems": problems,
        ]
        if let mapping = step.mapping { fields["mapping"] = ["text": mapping.text] }
        let more = explanation.columns.count - ImportChoices.mostColumns
        if more > 0 { fields["moreColumns"] = ["count": more] }
        let (open, other) = ImportReading.inputs(call, open: openReadings, form: "review")
        fields["openInputs"] = open
        fields["otherInputs"] = other
        fields["isRead"] = other.contains { call.form.text($0["name"] as? String ?? "") != nil }
        return fields
    }

    private var why: String {
        let why = PageWords.sentence(explanation.why)
        return why.prefix(1).uppercased() + why.dropFirst()
    }

    /// Of a file that could not be read: how to read it otherwise.
    static func unread(_ step: ImportStep) -> [String: Any] {
        let inputs = ImportReading.inputs(step.call, form: "review").other
        return [
            "token": step.token, "fileName": PageWords.safe(step.file.name), "isUnread": true, "otherInputs": inputs,
            "isRead": true,
        ]
    }

    /// What the file was taken for.
    private var found: String {
        let name = explanation.name.map { name in
            KnownHeadings.kind(name).map { ImportFieldNames.kind($0) } ?? PageWords.safe(name)
        }
        if case .columns? = step.mapping?.content { return say("A table that the mapping file describes") }
        switch explanation.recogniser {
        case .export: return say("An exported table: \(name ?? "")")
        case .table: return say("A table: \(name ?? "")")
        case .plugin: return say("A file for the plugin’s import “\(name ?? "")”")
        case .mapping: return say("A table that the mapping file describes")
        case .json: return "JSON"
        case .marc: return "MARC"
        case .none:
            return step.mapping == nil
                ? say("A table whose headings no kind of table has") : say("A table that the mapping file describes")
        }
    }

    private var problems: [[String: Any]] {
        explanation.problems.filter { $0.code != "encoding" && !$0.code.hasPrefix("ambiguous") }.prefix(20).map {
            ["message": PageWords.sentence($0.message)]
        }
    }

    // MARK: - Columns

    private var columns: [[String: Any]] {
        guard let draft = step.draft else { return [] }
        let groups = ImportFieldNames.groups(call)
        var seen: Set<String> = []
        return explanation.columns.prefix(ImportChoices.mostColumns).enumerated().map { number, column in
            var row: [String: Any] = [
                "number": number, "heading": PageWords.safe(column.name), "key": column.name,
                "samples": column.samples.map { PageWords.safe(Self.short($0)) }.joined(separator: " · "),
                "problems": column.problems.map { ["message": PageWords.sentence($0)] as [String: Any] },
            ]
            let isFirst = seen.insert(CSVHeader.normalized(column.name)).inserted
            let target = draft.target(of: column.name)
            let isProposed = target == MappingDraft(explanation.mapping).target(of: column.name)
            row["why"] = isProposed ? PageWords.sentence(column.why) : step.mapping == nil ? say("Chosen by you") : ""
            let sure = isProposed ? ImportFieldNames.words(column.confidence) : ""
            if !sure.isEmpty { row["sure"] = sure }
            guard column.mayBeTaken, isFirst else { return row }
            row["choice"] =
                [
                    "number": number, "groups": Self.options(column.name, target, groups),
                    "isLeftOut": target == .leftOut,
                ]
                as [String: Any]
            if let others = others(column.name, target, draft) { row["others"] = others }
            return row
        }
    }

    private static func short(_ text: String) -> String {
        text.count > mostSample ? String(text.prefix(mostSample)) + "…" : text
    }

    /// That other columns give the same field.
    private func others(_ column: String, _ target: MappingDraft.Target, _ draft: MappingDraft) -> String? {
        guard case .field(let kind, let name) = target else { return nil }
        let others = draft.columns(of: name, in: kind).filter {
            CSVHeader.normalized($0) != CSVHeader.normalized(column)
        }
        guard !others.isEmpty else { return nil }
        return say(
            "Also given by \(others.map { "“\(PageWords.safe($0))”" }.joined(separator: ", ")): the first that is not blank counts."
        )
    }

    private static func options(
        _ heading: String, _ target: MappingDraft.Target,
        _ groups: [(name: String, fields: [(value: String, name: String)])]
    ) -> [[String: Any]] {
        let chosen = ImportChoices.text(target)
        func option(_ value: String, _ words: String) -> [String: Any] {
            ["value": value, "words": words, "isIt": value == chosen]
        }
        var isListed = target == .leftOut
        let own = ImportFieldNames.ownName(heading)
        var shown = groups.map { group -> [String: Any] in
            var options = group.fields.map { field in
                if field.value == chosen { isListed = true }
                return option(field.value, field.name)
            }
            if let own,
                let kind = ["patrons.", "titles.", "copies."].first(where: { kind in
                    group.fields.first?.value.hasPrefix(kind) == true
                })
            {
                let value = "\(kind)extra.\(own)"
                if value == chosen { isListed = true }
                options.append(option(value, ImportFieldNames.label("extra.\(own)", "")))
            }
            return ["groupName": group.name, "options": options]
        }
        if !isListed {
            let words: String
            switch target {
            case .several(let fields): words = say("As the mapping file says: \(fields.joined(separator: ", "))")
            case .field(let kind, let name):
                words = "\(ImportFieldNames.kind(kind)): \(ImportFieldNames.label(name, kind))"
            default: words = ""
            }
            shown.insert(["groupName": say("No change"), "options": [option(chosen, words)]], at: 0)
        }
        return shown
    }

    // MARK: - Values and constants

    private var values: [[String: Any]] {
        guard let draft = step.draft else { return [] }
        return step.words.map { words in
            let rows = words.unknown.enumerated().map { number, value -> [String: Any] in
                let chosen = words.chosen(value.text, in: draft)
                func option(_ value: String, _ name: String) -> [String: Any] {
                    ["value": value, "words": name, "isIt": value == chosen]
                }
                let word = PageWords.safe(Self.short(value.text))
                var options = words.choices.map { option($0.value, PageWords.safe($0.name)) }
                if words.mayBeNew {
                    options.insert(option(ImportChoices.asItIs, say("Add it as a new one")), at: 0)
                }
                options.append(option("", say("Leave out")))
                return [
                    "id": words.name(number), "wordName": words.wordName(number), "key": value.text, "word": word,
                    "options": options, "count": say(.count(Int64(value.count), "row", "rows")),
                ]
            }
            return [
                "heading": PageWords.safe(words.column), "label": ImportFieldNames.label(words.field, words.kind),
                "rows": rows, "more": words.more, "hasMore": words.more > 0,
            ]
        }
    }

    private var constants: [[String: Any]] {
        guard let draft = step.draft else { return [] }
        let fields = draft.kinds.flatMap { kind in
            ImportFieldNames.constants(of: kind).compactMap { field -> PageField? in
                guard let path = ImportFieldNames.codes[field], let codes = try? RecordForm.codes(path, call) else {
                    return nil
                }
                let label = ImportFieldNames.label(field, kind)
                let given = !draft.columns(of: field, in: kind).isEmpty
                let name = ImportChoices.name(ofConstant: field, kind)
                var input = PageField(name: name, label: "\(ImportFieldNames.kind(kind)): \(label) of all rows")
                if given {
                    input = PageField(
                        name: name, label: "\(ImportFieldNames.kind(kind)): \(label), where the file has none")
                }
                input.choices = [("", say("Not said: the library’s first"))] + codes
                if let value = draft.constant(field, of: kind), !codes.contains(where: { $0.value == value }) {
                    input.choices.append((value, value))
                }
                return input
            }
        }
        return PageField.inputs(fields, call, form: "review") { name in
            let parts = name.split(separator: "-").map(String.init)
            return parts.count == 3 ? draft.constant(parts[2], of: parts[1]) : nil
        }
    }

    // MARK: - What can be read in two ways

    /// The ways of reading that the file leaves open, with both readings of a sample.
    private var openReadings: [String: ImportReading.Open] {
        var open: [String: ImportReading.Open] = [:]
        for column in explanation.columns {
            if open["dates"] == nil, isTaken(column, for: .date), let date = explanation.openDate(in: column.name) {
                open["dates"] = ImportReading.Open(
                    column: column.name,
                    readings: date.readings.map {
                        ($0.order.rawValue, say("“\(date.text)” is \(PageWords.words($0.date))"))
                    })
            }
            if open["decimals"] == nil, let amount = explanation.openAmount(in: column.name, call.library.currency),
                isTaken(column, for: .amount)
            {
                open["decimals"] = ImportReading.Open(
                    column: column.name,
                    readings: amount.readings.map { ($0.mark.rawValue, say("“\(amount.text)” is \($0.amount)")) })
            }
        }
        if explanation.problems.contains(where: { $0.code == "encoding" }) {
            open["encoding"] = ImportReading.Open(column: "", readings: [])
        }
        return open
    }

    private func isTaken(_ column: FileExplanation.Column, for wanted: KnownHeadings.Content) -> Bool {
        guard let draft = step.draft else { return false }
        // What knows the file may have stopped at the very value that is asked for.
        guard step.isMapped else { return wanted == .date || column.confidence == .certain }
        guard case .field(let kind, let name) = draft.target(of: column.name) else { return false }
        return KnownHeadings.content(of: name, in: kind) == wanted
    }
}

/// How files are read, as forms ask it.
enum ImportReading {
    /// What a file leaves open: a column, and how a value of it can be read.
    struct Open {
        let column: String
        let readings: [(value: String, words: String)]
    }

    /// What the form asks of how files are read: what is open, and the rest.
    static func inputs(
        _ call: PageCall, open: [String: Open] = [:], form: String? = nil
    ) -> (open: [[String: Any]], other: [[String: Any]]) {
        let all = fields(open)
        func shown(_ fields: [PageField]) -> [[String: Any]] {
            PageField.inputs(fields, call, form: form) { form == nil ? nil : call.form[$0] }
        }
        return (shown(all.filter { open[$0.name] != nil }), shown(all.filter { open[$0.name] == nil }))
    }

    private static func fields(_ open: [String: Open]) -> [PageField] {
        let shows = ("", say("Detect from the file"))
        var dates = PageField(name: "dates", label: "Ambiguous dates")
        dates.choices = [
            shows, ("dmy", say("Day, month, year")), ("mdy", say("Month, day, year")), ("ymd", say("Year, month, day")),
        ]
        var decimals = PageField(name: "decimals", label: "Decimal separator of amounts")
        decimals.choices = [shows, ("point", say("Decimal point")), ("comma", say("Decimal comma"))]
        var encoding = PageField(name: "encoding", label: "Text encoding")
        encoding.choices = [shows] + TextEncoding.allCases.map { ($0.rawValue, $0.rawValue) }
        if open["encoding"] != nil {
            let hint: Phrase =
                "The file is not UTF-8. If letters with accents look wrong above, choose another encoding and try again."
            encoding.hint = hint
        }
        let sheet = PageField(
            name: "sheet", label: "Sheet to read", most: 100,
            hint: "Leave empty for the first sheet whose headings are recognized.")
        var rows = PageField(name: "header_rows", label: "Number of heading rows")
        rows.choices = [shows, ("1", "1"), ("2", "2")]
        var repeated = PageField(name: "repeated", label: "If a row has the same key as an earlier one")
        repeated.choices = [("", say("Reject it")), ("update", say("Update the earlier record"))]
        for (name, one) in open where !one.readings.isEmpty {
            func say(_ field: inout PageField) {
                field.choices = field.choices.compactMap { choice in
                    guard let reading = one.readings.first(where: { $0.value == choice.value }) else {
                        return choice.value.isEmpty ? choice : nil
                    }
                    return (choice.value, "\(choice.name): \(reading.words)")
                }
                let hint: Phrase = "Asked for the column “\(PageWords.safe(one.column))”."
                field.hint = hint
            }
            if name == "dates" { say(&dates) }
            if name == "decimals" { say(&decimals) }
        }
        return [dates, decimals, encoding, sheet, rows, repeated]
    }
}
