import Circulation
import TextFormats

extension EventPayload {
    /// The counterpart of ``TextFormats/JSONWriter/members(of:)``: what is personal comes back blank.
    func record<Record: DeclaredRecord>(_ type: Record.Type = Record.self) throws -> Record {
        var record = Record.blank
        var leftOut: [RecordField<Record>] = []
        for field in Record.declaration.fields {
            let value = field.isPersonal ? .absent : try value(field.name, field.kind)
            if case .absent = value {
                leftOut.append(field)
            } else if !field.set(&record, value) {
                throw missing(field.name)
            }
        }
        // What is usual may lie in other fields, so these come first.
        for field in leftOut {
            if let usual = field.usual.value(record) {
                guard field.set(&record, usual) else { throw missing(field.name) }
            } else if !field.mayBeAbsent && !field.isPersonal {
                throw missing(field.name)
            }
        }
        return record
    }

    /// The value of a declared field of that name; absent where the payload leaves it out.
    func value(_ name: String, _ kind: FieldKind) throws -> FieldValue {
        switch kind {
        case .integer: try optionalInteger(name).map { .integer($0) } ?? .absent
        case .text, .choice: try optionalText(name).map { .text($0) } ?? .absent
        case .flag: .flag(try flag(name))
        case .instant: try optionalInstant(name).map { .instant($0) } ?? .absent
        case .date: try optionalDate(name).map { .date($0) } ?? .absent
        case .money: try optionalMoney(name).map { .money($0) } ?? .absent
        case .isbn: try optionalText(name).map { .isbn(try ISBN($0)) } ?? .absent
        case .period: try optionalPeriod(name).map { .period($0) } ?? .absent
        case .texts: .texts(try texts(name))
        case .integers: .integers(try ids(name))
        case .object: .object(try members(name))
        case .due: try due().map { .due($0) } ?? .absent
        case .courses:
            .courses(try inners(name).map { Course(code: try $0.text("code"), name: try $0.optionalText("name")) })
        case .actions: .actions(Set(try texts(name).compactMap(BlockFacts.Action.init(word:))))
        case .priceLines: .priceLines(try inners(name).map { try $0.priceLine() })
        case .items: .items(try inners(name).map { try $0.record() })
        case .proposal: try optionalProposal(name).map { .proposal($0) } ?? .absent
        case .digest, .number: .absent
        }
    }

    private func priceLine() throws -> PriceLine {
        PriceLine(label: try text("label"), amount: try money("amount"), item: try optionalInteger("item"))
    }

    private func optionalPeriod(_ key: String) throws -> Period? {
        guard let text = try optionalText(key) else { return nil }
        guard let period = try? Period(parsing: text) else {
            throw DeskError.event("The payload's \(key) is \"\(text)\", which is not a period.")
        }
        return period
    }

    private func optionalProposal(_ key: String) throws -> TitleProposal? {
        let object = try members(key)
        if object.isEmpty { return nil }
        guard let proposal = TitleProposal(json: object) else {
            throw DeskError.event("The payload's \(key) is not a proposal.")
        }
        return proposal
    }
}
