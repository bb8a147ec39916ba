import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// A row as it came out of Lua, with its place in the source.
struct ReadRow {
    let table: PolicyTable
    /// One-based.
    let number: Int
    let fields: [(name: String, value: LuaValue)]
    let outline: PolicyOutline.Row?
    let place: SourcePlace

    subscript(_ name: String) -> LuaValue? { fields.first { $0.name == name }?.value }

    func range(of field: String) -> SourceRange? { outline?[field]?.value.range ?? outline?.range }

    /// `rules row 2`
    var title: String { "\(table.rawValue) row \(number)" }
}

extension PolicyReader {
    /// Reads the rows of a table, as far as they are rows.
    mutating func readRows(
        of key: PolicyKey, _ value: LuaValue, _ read: (inout PolicyReader, ReadRow) -> Void
    ) {
        let place = outline?[key.rawValue]
        guard let list = value.tableValue, let table = PolicyTable(rawValue: key.rawValue) else {
            return expect("a list of rows", of: key.rawValue, value, at: place)
        }
        let elements = list.array
        if elements.count != list.entries.count {
            complain(
                "wrong_type", "\(key.rawValue) must be a list of rows { ... }, { ... }; it has keys of its own",
                at: place?.value.range)
        }
        for (index, element) in elements.enumerated() {
            let written = places.row(index + 1, of: table)
            rowFile = written?.file
            let outlined = written?.outline ?? outline?.row(index + 1, of: table.rawValue)
            if let row = row(in: table, number: index + 1, element, outlined, place) { read(&self, row) }
        }
        rowFile = nil
    }

    private mutating func row(
        in table: PolicyTable, number: Int, _ value: LuaValue, _ outlined: PolicyOutline.Row?,
        _ list: PolicyOutline.Field?
    ) -> ReadRow? {
        let range = outlined?.range ?? list?.value.range
        guard let content = value.tableValue else {
            complain(
                "wrong_type", "\(table.rawValue) row \(number) must be a table, not \(Self.words(value))", at: range)
            return nil
        }
        var fields: [(name: String, value: LuaValue)] = []
        for entry in content.entries {
            guard let name = entry.key.stringValue else {
                complain(
                    "wrong_type",
                    "\(table.rawValue) row \(number): every value needs a name, as in max = 5; "
                        + "\(Self.words(entry.value)) has none", at: range)
                continue
            }
            fields.append((name, entry.value))
        }
        return ReadRow(
            table: table, number: number, fields: fields, outline: outlined,
            place: SourcePlace(file: rowFile ?? file, line: range?.start.line ?? 1))
    }

    /// The row's conditions; complaints are noted.
    mutating func conditions(of row: ReadRow) -> RowConditions {
        var conditions = RowConditions()
        conditions.categories = texts(row, "category")
        conditions.itemTypes = texts(row, "item_type")
        conditions.branches = texts(row, "branch")
        conditions.copyBranches = texts(row, "copy_branch")
        conditions.homeBranches = texts(row, "home_branch")
        conditions.locations = texts(row, "location")
        conditions.channels = texts(
            row, "channel", among: row.table == .notices ? nil : ActorFacts.Channel.allCases.map(\.rawValue))
        conditions.onSite = boolean(row, "on_site")
        guard let when = row["when"] else { return conditions }
        guard let function = when.functionValue else {
            expect("a function", in: row, "when", when)
            return conditions
        }
        conditions.when = content.conditions.count
        content.conditions.append(function)
        return conditions
    }

    mutating func expect(_ what: String, in row: ReadRow, _ field: String, _ value: LuaValue) {
        complain(
            "wrong_type", "\(row.title): \(field) must be \(what), not \(Self.words(value))", at: row.range(of: field),
            suggestion: value.stringValue.flatMap(ValueSuggestion.meant))
    }

    // MARK: - Single values

    private mutating func texts(_ row: ReadRow, _ field: String, among known: [String]? = nil) -> [String]? {
        guard let value = row[field] else { return nil }
        let list: [LuaValue]
        if let table = value.tableValue {
            list = table.array
            if list.count != table.entries.count || list.isEmpty {
                expect("a text or a list of texts", in: row, field, value)
                return nil
            }
        } else {
            list = [value]
        }
        var texts: [String] = []
        for element in list {
            guard let text = element.stringValue else {
                expect("a text or a list of texts", in: row, field, element)
                return nil
            }
            if let known, !known.contains(text) {
                expect("one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))", in: row, field, element)
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    private mutating func boolean(_ row: ReadRow, _ field: String) -> Bool? {
        guard let value = row[field] else { return nil }
        guard let answer = value.booleanValue else {
            expect("true or false", in: row, field, value)
            return nil
        }
        return answer
    }

    // MARK: - Limits

    mutating func readLimit(_ row: ReadRow) {
        complainOfUnknown(in: row)
        let conditions = conditions(of: row)
        guard let max = row["max"] else {
            return complain("wrong_type", "\(row.title) must say max, a number or unlimited", at: row.outline?.range)
        }
        var maximum: Int64?
        if !max.isUnlimited {
            guard let number = max.integerValue, number >= 0 else {
                return expect("a whole number from 0 on, or unlimited", in: row, "max", max)
            }
            maximum = number
        }
        var limit = limitRow(row, conditions, maximum: maximum)
        limit.countsClaimed = word(row, "claimed", among: LimitRow.claimedWords).map { $0 == "counted" } ?? true
        content.tables.limits.append(limit)
    }

    /// One of the words that a field takes; nil where it is not there, or another, which is complained about.
    mutating func word(_ row: ReadRow, _ field: String, among words: [String]) -> String? {
        guard let value = row[field] else { return nil }
        guard let word = value.stringValue, words.contains(word) else {
            complain(
                "wrong_type",
                "\(row.title): \(field) must be \(words.map { "\"\($0)\"" }.joined(separator: " or ")), not"
                    + " \(Self.words(value))", at: row.range(of: field),
                suggestion: value.stringValue.flatMap { NameSuggestion.nearest(to: $0, among: words) }
                    .map { "\"\($0)\"" })
            return nil
        }
        return word
    }

    /// Fields that such a row does not have: a condition among them would hold for everybody.
    mutating func complainOfUnknown(in row: ReadRow) {
        guard let known = rowFields[row.table.rawValue] else { return }
        for field in row.fields {
            guard let complaint = known.complaint(about: field.name, in: row.table.rawValue),
                complaint.severity == .error
            else { continue }
            complain(
                "unknown_rule_field", complaint.message, at: row.outline?[field.name]?.key.range ?? row.outline?.range,
                suggestion: complaint.suggestion)
        }
    }

    // MARK: - Rules

    /// `fields = { "shelf_mark" }`.
    mutating func readOwnFields(_ value: LuaValue) {
        let key = PolicyKey.fields.rawValue
        if value.isNil { return }
        let place = outline?[key]
        guard let list = value.tableValue, list.array.count == list.entries.count else {
            return expect("a list of names such as { \"shelf_mark\" }", of: key, value, at: place)
        }
        let taken = Set(RowConditions.names + RuleField.all.map(\.name))
        for element in list.array {
            guard let name = element.stringValue, !name.isEmpty else {
                expect("a list of names such as { \"shelf_mark\" }", of: key, element, at: place)
                continue
            }
            if taken.contains(name) {
                complain("wrong_type", "rows have a field '\(name)' already", at: place?.value.range)
            }
            content.tables.ownFields.append(name)
        }
    }

    mutating func readRule(_ row: ReadRow) {
        if !takesAnyField { complainOfUnknown(in: row) }
        let conditions = conditions(of: row)
        var fields: [String: RuleValue] = [:]
        var places: [String: SourcePlace] = [:]
        for field in row.fields where !RowConditions.names.contains(field.name) {
            guard let value = ruleValue(row, field.name, field.value) else { continue }
            if let complaint = RuleField.complaint(about: value, of: field.name) {
                complain(
                    "wrong_type", "\(row.title): \(complaint)", at: row.range(of: field.name),
                    suggestion: field.value.stringValue.flatMap(ValueSuggestion.meant))
                continue
            }
            fields[field.name] = value
            if let line = row.outline?[field.name]?.key.range.start.line {
                places[field.name] = SourcePlace(file: row.place.file, line: line)
            }
        }
        content.tables.rules.append(
            RuleRow(conditions: conditions, fields: fields, place: row.place, fieldPlaces: places))
    }

    private mutating func ruleValue(_ row: ReadRow, _ name: String, _ value: LuaValue) -> RuleValue? {
        if RuleField.named[name]?.kind == .fineSteps, let table = value.tableValue { return steps(row, name, table) }
        switch value {
        case .boolean(let value): return .boolean(value)
        case .integer, .number:
            if let whole = value.integerValue { return .integer(whole) }
            return value.numberValue.map { .free(.number($0)) }
        case .string(let text): return .text(text)
        case .value(let small):
            if small.isNone { return RuleValue.none }
            if small.isUnlimited { return .unlimited }
            if let period = small.period { return .period(period) }
            if let money = small.money { return .money(money) }
            if let date = small.date { return .date(date) }
        case .table where RuleField.named[name] == nil:
            if let json = JSON(plain: value) { return .free(json) }
        default: break
        }
        let expected = RuleField.complaint(about: .free(.null), of: name) ?? "\(name) must be a plain value"
        complain(
            "wrong_type", "\(row.title): \(expected.replacing("not null", with: "not \(Self.words(value))"))",
            at: row.range(of: name))
        return nil
    }

    private mutating func steps(_ row: ReadRow, _ name: String, _ table: LuaTable) -> RuleValue? {
        var steps: [FineStep] = []
        for element in table.array {
            guard let step = element.tableValue, let from = step["from"].periodValue,
                let fine = step["fine"].moneyValue,
                step["to"].isNil || step["to"].periodValue != nil,
                step.entries.allSatisfy({ entry in
                    ["from", "to", "fine"].contains(entry.key.stringValue ?? "")
                })
            else {
                expect(
                    "a list of steps { from = days(2), to = days(3), fine = money \"0.20\" }", in: row, name, element)
                return nil
            }
            steps.append(FineStep(from: from, to: step["to"].periodValue, fine: fine))
        }
        return .fineSteps(steps)
    }
}
