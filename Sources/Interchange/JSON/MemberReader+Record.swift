import Circulation
import TextFormats

extension MemberReader {
    /// Reads a record as exports write it, without what it refers to: the names of those are for the desk to find.
    ///
    /// - Parameters:
    ///   - required: fields that must stand there. Others are blank without their member, or what is usual.
    ///   - others: members that are not the record's own.
    /// - Returns: nil if the record is rejected.
    mutating func record<Record: DeclaredRecord>(
        _ members: RecordMembers<Record>, required: [String] = [], others: [String] = []
    ) -> Record? {
        allow(only: members.names + others)
        var record = Record.blank
        var absent: [RecordMembers<Record>.Member] = []
        for member in members.members {
            if case .reference = member.field.meaning { continue }
            let value = fieldValue(member.name, member.field.kind)
            if case .absent = value {
                if required.contains(member.field.name) {
                    if !isRejected { reject(member.name, "missing", "'\(member.name)' is required") }
                } else {
                    absent.append(member)
                }
            } else if !member.field.set(&record, value) {
                reject(member.name, "wrong_type", "not a value of this member")
            }
        }
        // What is usual may lie in other fields, so these come first.
        for member in absent {
            if let usual = member.leftOut?.first ?? member.field.usual.value(record) {
                _ = member.field.set(&record, usual)
            }
        }
        return isRejected ? nil : record
    }

    private mutating func fieldValue(_ name: String, _ kind: FieldKind) -> FieldValue {
        switch kind {
        case .integer: integer(name).map { .integer($0) } ?? .absent
        case .text: text(name).map { .text($0) } ?? .absent
        case .choice(let words): word(name, among: words).map { .text($0) } ?? .absent
        case .flag: boolean(name).map { .flag($0) } ?? .absent
        case .instant: instant(name).map { .instant($0) } ?? .absent
        case .date: date(name).map { .date($0) } ?? .absent
        case .money: money(name).map { .money($0) } ?? .absent
        case .isbn: isbn(name).map { .isbn($0) } ?? .absent
        case .period: period(name).map { .period($0) } ?? .absent
        case .texts: value(name) == nil ? .absent : .texts(texts(name))
        case .integers: .absent
        case .object: object(name).map { .object($0) } ?? .absent
        case .due: due().map { .due($0) } ?? .absent
        case .courses: value(name) == nil ? .absent : .courses(courses(name))
        case .actions: value(name) == nil ? .absent : .actions(actions(name))
        case .priceLines: value(name) == nil ? .absent : .priceLines(priceLines(name))
        case .proposal: proposal(name).map { .proposal($0) } ?? .absent
        case .digest: digest(name).map { .digest($0) } ?? .absent
        // They name records of their own.
        case .items, .number: .absent
        }
    }

    private mutating func word(_ member: String, among words: [String]) -> String? {
        guard let text = text(member) else { return nil }
        if words.contains(text) { return text }
        reject(member, "bad_value", "'\(text)' is not known here; expected \(words.joined(separator: ", "))")
        return nil
    }

    private mutating func due() -> DueTime? {
        let date = date("due_on")
        let isExact = boolean("due_exact") ?? false
        guard let at = instant("due_at") else { return nil }
        return DueTime(instant: at, date: date ?? Zone.utc.date(of: at), isExact: isExact)
    }

    private mutating func digest(_ name: String) -> DigestWords? {
        let subject = text(name + "_subject")
        if let body = text(name + "_body") { return .templates(subject: subject ?? "", body: body) }
        return text(name + "_line").map(DigestWords.line)
    }

    private mutating func courses(_ member: String) -> [Course] {
        guard let elements = value(member)?.arrayValue else {
            reject(member, "wrong_type", "expected a list")
            return []
        }
        return elements.compactMap { element in
            if let code = element.stringValue { return Course(code: code) }
            return element["code"]?.stringValue.map { Course(code: $0, name: element["name"]?.stringValue) }
        }
    }

    private mutating func actions(_ member: String) -> Set<BlockFacts.Action> {
        let words = texts(member)
        let actions = Set(words.compactMap(BlockFacts.Action.init(rawValue:)))
        if actions.count != words.count { reject(member, "bad_value", "an action is not known here") }
        return actions
    }

    private mutating func priceLines(_ member: String) -> [PriceLine] {
        let lines = (value(member)?.arrayValue ?? []).map { PriceLine(json: $0) }
        if lines.contains(nil) { reject(member, "wrong_type", "expected a list of labels and amounts") }
        return lines.compactMap { $0 }
    }

    mutating func money(_ member: String) -> Money? {
        guard let text = text(member) else { return nil }
        do throws(MoneyError) {
            if let currency, !text.contains(" ") { return try Money(parsing: text, currency: currency) }
            return try Money(parsing: text)
        } catch {
            reject(member, "bad_money", "\(error)")
            return nil
        }
    }

    private mutating func period(_ member: String) -> Period? {
        guard let text = text(member) else { return nil }
        guard let period = try? Period(parsing: text), period.count > 0 else {
            reject(member, "bad_value", "'\(text)' is not a period")
            return nil
        }
        return period
    }

    private mutating func proposal(_ member: String) -> TitleProposal? {
        guard let object = object(member) else { return nil }
        guard let proposal = TitleProposal(json: object) else {
            reject(member, "bad_value", "that proposes no title")
            return nil
        }
        return proposal
    }
}
