import Circulation

extension DeskModel {
    func price() throws -> DecisionModel {
        var decision = DecisionModel()
        let answer = try ask(.price, standard: { [self] in try standardLines().table })
        switch answer?.first ?? .null {
        case .null: decision.lines = try standardLines()
        case .money(let amount):
            guard try path.holds(.constant(0) <= amount) else {
                throw bad(.price, "must answer an amount that is not negative")
            }
            decision.lines = [.init(label: .text("Total"), amount: amount)]
        case .table(let table): (decision.lines, decision.lineTable) = (try lines(table), .table(table))
        default: throw bad(.price, "must answer nothing, money or a list of { label =, amount = }")
        }
        return decision
    }

    private func lines(_ table: Table) throws -> [DecisionModel.Line] {
        func line(_ element: Value) throws -> DecisionModel.Line {
            guard case .table(let line) = element, case .text = line["label"], case .money(let amount) = line["amount"]
            else { throw bad(.price, "must answer a list of { label =, amount = }") }
            switch line["to"] {
            case .null, .text: break
            default: throw bad(.price, "must answer lines to \"library\" or \"seller\"")
            }
            return DecisionModel.Line(label: line["label"], amount: amount)
        }
        guard table.elements.count == table.fields.count else {
            throw bad(.price, "must answer a list of { label =, amount = }")
        }
        var lines = try table.elements.map(line)
        if let tail = table.tail, try path.holds(.constant(1) <= tail.count) {
            let (value, standing) = try tail.element()
            lines.append(try sum(of: line(value), standing, tail))
        }
        lines += try table.tail?.after.map(line) ?? []
        guard try path.holds(.constant(0) <= interpreter.checked(lines.total, site(of: .price))) else {
            throw bad(.price, "answered lines that come to less than nothing")
        }
        return lines
    }

    /// Lines of which there are any number, in one, if each costs what one costs.
    private func sum(
        of line: DecisionModel.Line, _ standing: Standing, _ tail: Table.Tail
    ) throws -> DecisionModel.Line {
        let why = site(of: .price).unsettled("amounts of lines of which there are any number")
        guard let bounds = line.amount.bounds,
            let sum = try interpreter.sum(line.amount, bounds, of: standing, count: tail.count, why)
        else { throw why }
        return .init(label: line.label, amount: sum, tail: tail)
    }

    private func standardLines() throws -> [DecisionModel.Line] {
        guard case .list(let list) = try model.root.value("lines") else {
            guard try model.part("loan") != nil else { return [] }
            let terms = try rule.terms(.rental).rental
            guard let rental = terms.rental, rental.isPositive, let lent = try model.number("loan", "lent_at") else {
                return []
            }
            let count = try rentalPeriods(
                terms, from: lent, to: lent.greatest(model.dueAt()), rule.site(.rental))
            return [.init(label: .text("Rental"), amount: try amount(rental, times: count))]
        }
        let length = try list.length()
        if try path.holds(length <= .constant(0)) { return [] }
        if try path.holds(length <= .constant(1)) {
            guard case .record(let line) = try list.element(1), let one = try standardLine(line) else { return [] }
            return [one]
        }
        return try standardLines(of: list, length)
    }

    /// Of two lines and more, one that stands for all.
    private func standardLines(of list: List, _ length: Number) throws -> [DecisionModel.Line] {
        path.approximate(site(of: .price).unsettled("two and more lines to be paid for"))
        let count = try path.number("lines that are no loans", ProofDomain.listLength)
        try path.assume(count <= length)
        path.wish(count.equals(length))
        let place = List.any - 1
        guard case .record(let record) = try list.element(place), case .text(let kind)? = try record.value("kind"),
            let label = try record.value("label"), case .money(let amount)? = try record.value("amount")
        else { return [] }
        try path.assume(isLoan(kind).negated)
        let line = DecisionModel.Line(label: label, amount: amount)
        let standing = Standing(name: list.element(named: place), condition: isLoan(kind).negated)
        return [try sum(of: line, standing, .init(count: count) { (line.table, standing) })]
    }

    private func isLoan(_ kind: Text) -> Condition {
        model.texts.number(of: kind).equals(.constant(model.texts.number(of: SaleKind.loan.rawValue)))
    }

    private func standardLine(_ line: Record) throws -> DecisionModel.Line? {
        guard case .text(let kind)? = try line.value("kind"), let label = try line.value("label"),
            case .money(let amount)? = try line.value("amount")
        else { return nil }
        if try path.holds(isLoan(kind)) { return nil }
        return .init(label: label, amount: amount)
    }

    func publish() throws -> DecisionModel {
        let isKnown = try model.part("title") != nil
        let standard = DecisionModel.publication(isKnown)
        let answer = try ask(
            .publish,
            standard: {
                var fields: [(String, Value)] = [("answer", .text(standard.answer))]
                if let message = standard.message { fields.append(("message", message)) }
                return .table(Table(fields))
            })
        return try answer.map(publication) ?? standard
    }

    /// What a function's answer to `publish` decides.
    func publication(_ answer: [Value]) throws -> DecisionModel {
        guard case .table(let table)? = answer.first, case .text(.known(let word)) = table["answer"] else {
            throw bad(.publish, "must answer allow(), review(message) or deny(code, message)")
        }
        var decision = DecisionModel()
        switch word {
        case "allow":
            if ["despite", "due", "priority"].contains(where: { !table[$0].isNull }) {
                throw bad(.publish, "can allow without options only")
            }
        case "review":
            decision.answer = "review"
            let message = table["message"]
            decision.message = if case .text = message { message } else { .text("") }
        case "deny":
            decision.verdict = VerdictModel([try reason(table, .publish, .refuses)])
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
    fileprivate var table: Value { .table(Table([("label", label), ("amount", .money(amount))])) }
}

extension [DecisionModel.Line] {
    var total: Number { map(\.amount).reduce(.constant(0), +) }

    /// Whether there are none.
    var areNone: Condition {
        .every(map { $0.tail.map { $0.count.equals(.constant(0)) } ?? .constant(false) })
    }

    /// As functions and properties read them.
    var table: Value {
        let table = Table(list: filter { $0.tail == nil }.map(\.table))
        table.tail = lazy.compactMap(\.tail).first
        return .table(table)
    }
}
