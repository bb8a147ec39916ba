import Circulation

extension DeskModel {
    func price() throws -> DecisionModel {
        var decision = DecisionModel()
        let answer = try ask(.price, standard: { [self] in .table(Table(list: try standardLines().map(\.table))) })
        switch answer?.first ?? .null {
        case .null: decision.lines = try standardLines()
        case .money(let amount):
            guard try path.holds(.constant(0) <= amount) else {
                throw bad(.price, "must answer an amount that is not negative")
            }
            decision.lines = [.init(label: .text("Total"), amount: amount)]
        case .table(let table): decision.lines = try lines(table)
        default: throw bad(.price, "must answer nothing, money or a list of { label =, amount = }")
        }
        return decision
    }

    private func lines(_ table: Table) throws -> [DecisionModel.Line] {
        var sum = Number.constant(0)
        let lines = try table.elements.map { element in
            guard case .table(let line) = element, case .text = line["label"], case .money(let amount) = line["amount"]
            else { throw bad(.price, "must answer a list of { label =, amount = }") }
            sum = try interpreter.checked(sum + amount, site(of: .price))
            return DecisionModel.Line(label: line["label"], amount: amount)
        }
        guard table.elements.count == table.fields.count else {
            throw bad(.price, "must answer a list of { label =, amount = }")
        }
        guard try path.holds(.constant(0) <= sum) else {
            throw bad(.price, "answered lines that come to less than nothing")
        }
        return lines
    }

    private func standardLines() throws -> [DecisionModel.Line] {
        guard case .list(let list) = try model.root.value("lines") else {
            guard try model.part("loan") != nil else { return [] }
            let terms = try rule.terms(.rental).rental
            guard let rental = terms.rental, rental.isPositive, let lent = try model.number("loan", "lent_at") else {
                return []
            }
            let count = try rentalPeriods(terms, from: lent, to: lent.greatest(model.dueAt()))
            return [.init(label: .text("Rental"), amount: try amount(rental, times: count))]
        }
        var lines: [DecisionModel.Line] = []
        var index: Int64 = 1
        while try path.holds(.constant(index) <= list.length()) {
            if index > Interpreter.mostRounds {
                throw site(of: .price).unsettled("more than \(Interpreter.mostRounds) lines to be paid for")
            }
            if case .record(let line) = try list.element(index), let one = try standardLine(line) { lines.append(one) }
            index += 1
        }
        return lines
    }

    private func standardLine(_ line: Record) throws -> DecisionModel.Line? {
        guard case .text(let kind)? = try line.value("kind"), let label = try line.value("label"),
            case .money(let amount)? = try line.value("amount")
        else { return nil }
        let isLoan = model.texts.number(of: kind).equals(.constant(model.texts.number(of: SaleKind.loan.rawValue)))
        if try path.holds(isLoan) { return nil }
        return .init(label: label, amount: amount)
    }

    func publish() throws -> DecisionModel {
        var decision = DecisionModel()
        let isKnown = try model.part("title") != nil
        let standard = DecisionModel.publication(isKnown)
        guard
            let answer = try ask(
                .publish,
                standard: {
                    var fields: [(String, Value)] = [("answer", .text(standard.answer))]
                    if let message = standard.message { fields.append(("message", message)) }
                    return .table(Table(fields))
                })
        else { return standard }
        guard case .table(let table)? = answer.first, case .text(.known(let word)) = table["answer"] else {
            throw bad(.publish, "must answer allow(), review(message) or deny(code, message)")
        }
        switch word {
        case "allow": break
        case "review":
            decision.answer = "review"
            decision.message = table["message"].isNull ? .text("") : table["message"]
        case "deny":
            guard case .text(let code) = table["code"], case .text = table["message"] else {
                throw bad(.publish, "must give a code and a message with its refusal")
            }
            decision.verdict = VerdictModel([.init(code, table["message"], .refuses)])
        default: throw bad(.publish, "must answer allow(), review(message) or deny(code, message)")
        }
        return decision
    }
}

extension DecisionModel {
    fileprivate static func publication(_ isKnown: Bool) -> DecisionModel {
        var decision = DecisionModel()
        if !isKnown { (decision.answer, decision.message) = ("review", .text("The title is new to the catalogue.")) }
        return decision
    }
}

extension DecisionModel.Line {
    var table: Value { .table(Table([("label", label), ("amount", .money(amount))])) }
}
