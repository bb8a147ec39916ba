package import TextFormats

/// The records of the case as a library has them: with the fields of its own.
package struct LibraryCase: Sendable {
    /// The case, with the records inside it.
    package let question: CaseRecord<Case>
    let patron: CaseRecord<PatronFacts>
    let title: CaseRecord<TitleFacts>
    let copy: CaseRecord<CopyFacts>

    /// Without fields of a library's own.
    package static let plain = LibraryCase(.none)

    /// - Parameter withLapsed: whether names that were declared once are there as well, without a value.
    package init(_ fields: CustomFields, withLapsed: Bool = false) {
        func added<Part>(
            _ record: CaseRecord<Part>, _ owner: CustomField.Owner,
            _ path: any WritableKeyPath<Part, JSONObject> & Sendable
        ) -> CaseRecord<Part> {
            let lapsed = withLapsed ? (fields.lapsed[owner] ?? []).subtracting(record.names).sorted() : []
            let own =
                fields[owner].map { CaseField($0, path) }
                + lapsed.map { name in CaseField(name) { _ in String?.none } }
            return own.isEmpty ? record : CaseRecord(record.name, record.summary, record.fields + own)
        }
        let patron = added(CaseRecords.patron, .patron, \.extra)
        let title = added(CaseRecords.title, .title, \.extra)
        let copy = added(CaseRecords.copy, .copy, \.extra)
        (self.patron, self.title, self.copy) = (patron, title, copy)
        question = fields.isEmpty && !withLapsed ? CaseRecords.question : CaseRecords.question(patron, title, copy)
    }
}

extension CaseField {
    /// A field of the library's own. Files and the log of decisions have it among `extra`.
    convenience init(_ field: CustomField, _ path: any WritableKeyPath<Part, JSONObject> & Sendable) {
        let name = field.name
        self.init(
            ofLibrary: name, field.note, field.caseKind, field.kind == .branch ? .branch : nil,
            value: { field.fieldValue($0[keyPath: path][name]) },
            set: { part, written in
                guard let json = field.json(written) else { return false }
                part[keyPath: path][name] = json
                return true
            })
    }
}

extension CustomField {
    /// What is written about it: its label and its help.
    package var note: String { help.isEmpty ? label : "\(label): \(help)" }

    var caseKind: FieldKind {
        switch kind {
        case .text: values.isEmpty ? .text : .choice(values)
        case .integer, .patron, .title: .integer
        case .number: .number
        case .boolean: .flag
        case .date: .date
        case .money: .money
        case .branch: .text
        }
    }

    /// The value in a record's `extra`; absent where it is of another type, as a declaration that came later may find it.
    package func fieldValue(_ json: JSON?) -> FieldValue {
        switch (kind, json) {
        case (.text, .string(let text)?), (.branch, .string(let text)?): .text(text)
        case (.integer, .integer(let it)?), (.patron, .integer(let it)?), (.title, .integer(let it)?): .integer(it)
        case (.number, let json?): json.doubleValue.map { .number($0) } ?? .absent
        case (.boolean, .bool(let it)?): .flag(it)
        case (.date, .string(let text)?): (try? CivilDate(parsing: text)).map { .date($0) } ?? .absent
        case (.money, .string(let text)?): (try? Money(parsing: text)).map { .money($0) } ?? .absent
        default: .absent
        }
    }

    /// As a record's `extra` has a value, if it is one of the field's.
    func json(_ written: FieldValue) -> JSON? {
        let json: JSON
        switch written {
        case .text(let text): json = .string(text)
        case .integer(let it): json = .integer(it)
        case .number(let it): json = .number(it)
        case .flag(let it): json = .bool(it)
        case .date(let date): json = .string(date.description)
        case .money(let money): return (try? value(.string(money.description), currency: money.currency))?.json
        default: return nil
        }
        return (try? value(json, currency: .eur))?.json
    }
}
