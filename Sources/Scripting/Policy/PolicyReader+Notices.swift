import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

extension PolicyReader {
    // MARK: - Notices

    /// In `notices`, `channel` is the way the notice goes; the other conditions narrow who gets it.
    mutating func readNotice(_ row: ReadRow) {
        complainOfUnknown(in: row)
        var conditions = conditions(of: row)
        conditions.channels = nil
        let texts = ["stage", "channel"].map { text(row, $0) }
        let before = period(row, "before")
        let after = period(row, "after")
        if before != nil, after != nil {
            complain("wrong_type", "\(row.title) has either before or after, not both", at: row.range(of: "after"))
        }
        let notice = NoticeRow(
            conditions: conditions, stage: texts[0] ?? "", before: before, after: after, every: period(row, "every"),
            times: count(row, "times"), charge: money(row, "charge"), channel: texts[1] ?? "",
            subject: words(row, "subject"), body: words(row, "body"), digest: digest(row), place: row.place)
        content.tables.notices.append(notice)
    }

    private mutating func text(_ row: ReadRow, _ field: String) -> String? {
        guard let value = row[field] else {
            complain("wrong_type", "\(row.title) must say \(field), a text", at: row.outline?.range)
            return nil
        }
        if let text = value.stringValue, !text.isEmpty { return text }
        expect("a text", in: row, field, value)
        return nil
    }

    /// A text, or texts by language.
    private mutating func words(_ row: ReadRow, _ field: String) -> PolicyMessage {
        guard let value = row[field] else {
            complain("wrong_type", "\(row.title) must say \(field), a text", at: row.outline?.range)
            return ""
        }
        guard let words = PolicyMessage(value), field == "body" || words != .text("") else {
            expect("a text, or texts by language such as { en = \"...\" }", in: row, field, value)
            return ""
        }
        checkLanguages(of: words, "\(row.title): \(field)", at: row.range(of: field))
        return words
    }

    private mutating func checkLanguages(of words: PolicyMessage, _ title: String, at range: SourceRange?) {
        guard let name = words.wrongLanguage else { return }
        complain(
            "wrong_type", "\(title): '\(SafeText.line(name))' is not a language such as de or de-AT",
            at: range)
    }

    private mutating func digest(_ row: ReadRow) -> NoticeDigest? {
        let many = row["many"]
        guard let value = row["digest"] else {
            if many != nil {
                complain("wrong_type", "\(row.title): many goes with digest = \"patron\"", at: row.range(of: "many"))
            }
            return nil
        }
        guard value.stringValue == "patron" else {
            expect("\"patron\"", in: row, "digest", value)
            return nil
        }
        guard let many else { return NoticeDigest() }
        guard let texts = NoticeDigest.Texts(many) else {
            expect(
                "{ subject = ..., body = ..., line = ... }, texts of which the line may be left out", in: row, "many",
                many)
            return nil
        }
        for (name, words) in [("subject", texts.subject), ("body", texts.body), ("line", texts.line)] {
            checkLanguages(of: words, "\(row.title): many.\(name)", at: row.range(of: "many"))
        }
        return NoticeDigest(many: texts)
    }

    private mutating func period(_ row: ReadRow, _ field: String) -> Period? {
        guard let value = row[field] else { return nil }
        if let period = value.periodValue, period.count >= (field == "every" ? 1 : 0) { return period }
        expect("a period such as days(\(field == "every" ? 7 : 0))", in: row, field, value)
        return nil
    }

    private mutating func count(_ row: ReadRow, _ field: String) -> Int64? {
        guard let value = row[field], !value.isUnlimited else { return nil }
        if let count = value.integerValue, count >= 0 { return count }
        expect("a whole number from 0 on, or unlimited", in: row, field, value)
        return nil
    }

    private mutating func money(_ row: ReadRow, _ field: String) -> Money? {
        guard let value = row[field], !value.isNone else { return nil }
        if let money = value.moneyValue, !money.isNegative { return money }
        expect("an amount such as money \"2.15\"", in: row, field, value)
        return nil
    }

    // MARK: - Messages

    mutating func readMessages(_ value: LuaValue) {
        let place = outline?["messages"]
        guard let table = value.tableValue else {
            return expect("a table of texts by code", of: "messages", value, at: place)
        }
        for entry in table.entries {
            guard let code = entry.key.stringValue else {
                expect("named by codes such as no_copies", of: "messages", entry.key, at: place)
                continue
            }
            guard let message = PolicyMessage(entry.value) else {
                expect(
                    "a text, or texts by language such as { en = \"...\" }", of: "messages.\(code)", entry.value,
                    at: place)
                continue
            }
            checkLanguages(of: message, "messages.\(code)", at: place?.value.range)
            content.tables.messages[code] = message
        }
    }
}

extension PolicyMessage {
    /// A text, or texts by language; nil for anything else.
    init?(_ value: LuaValue) {
        if let text = value.stringValue {
            self = .text(text)
            return
        }
        guard let table = value.tableValue, !table.isEmpty else { return nil }
        var texts: [String: String] = [:]
        for entry in table.entries {
            guard let language = entry.key.stringValue, let text = entry.value.stringValue else { return nil }
            texts[language] = text
        }
        self = .byLanguage(texts)
    }

    /// The first name that is not a language.
    var wrongLanguage: String? {
        guard case .byLanguage(let texts) = self else { return nil }
        return texts.keys.sorted().first { !PolicyMessage.isLanguage($0) }
    }
}

extension NoticeDigest.Texts {
    /// `{ subject = ..., body = ..., line = ... }`; nil for anything else.
    init?(_ value: LuaValue) {
        guard let table = value.tableValue,
            table.entries.allSatisfy({ ["subject", "body", "line"].contains($0.key.stringValue ?? "") }),
            let subject = PolicyMessage(table["subject"]), let body = PolicyMessage(table["body"])
        else { return nil }
        let line = table["line"].isNil ? nil : PolicyMessage(table["line"])
        if line == nil && !table["line"].isNil { return nil }
        self.init(subject: subject, body: body, line: line)
    }
}
