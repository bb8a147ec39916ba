import Circulation

extension DecisionModel {
    /// The decision as properties read it: what the tests of a policy see.
    func record(_ point: DecisionPoint, _ desk: DeskModel) -> Record {
        if let unsettled { return Self.record(of: unsettled, point, desk.path) }
        let (rule, path) = (desk.rule, desk.path)
        return Record("decision", names: Self.names, path.journal) { name in
            switch name {
            case "point": .text(point.rawValue)
            case "answer": .text(answer(desk.model.texts))
            case "code": try verdict.first(on: path).map { .text($0.code) } ?? .null
            case "reasons":
                try path.holds(verdict.isAllowed)
                    ? .null
                    : .table(reasons(path, Site(file: desk.policy.file, line: 1)))
            case "override":
                try path.holds(verdict.isAllowed) ? .null : .flag(verdict.isQuestion || verdict.mayBeOverridden)
            case "due": try dueTime(path)?.value ?? .null
            case "due_at": try dueTime(path).map { .instant($0.instant, .plain) } ?? .null
            case "priority": priority ?? .null
            // A fine of nothing is money too.
            case "fine":
                point == .fine && failure == nil ? .money(fine ?? .constant(0)) : fine.map { .money($0) } ?? .null
            case "lost": point == .lost ? .flag(isLost) : .null
            case "lost_fee": lostFee.map { .money($0) } ?? .null
            case "suspended_until": suspendedUntil.map { .date($0) } ?? .null
            case "failure": try found(desk).map { Self.record(of: $0, path) } ?? .null
            case "fields": .record(Record("decision.fields", names: nil, path.journal) { try rule.setValue($0) })
            case "message": try words(desk)
            default: try more(name, point, desk)
            }
        }
    }

    /// Of a decision that may be any: its answer is one of all, and what else is asked of it cannot be said.
    private static func record(of unsettled: Unsettled, _ point: DecisionPoint, _ path: Path) -> Record {
        Record("decision", names: names, path.journal) { name in
            switch name {
            case "point": return .text(point.rawValue)
            case "answer":
                let answer = "the answer of a way that cannot be followed"
                path.loosen(answer, unsettled)
                return .text(.symbol(try path.number(answer, CaseModel.texts)))
            default: throw unsettled
            }
        }
    }

    /// The codes of the reasons. The desk gives one for each block that stops the patron: after the first there are any number.
    private func reasons(_ path: Path, _ site: Site) throws -> Table {
        let reasons = try verdict.reasons.filter { try path.holds($0.condition) }
        let codes = reasons.map { Value.text($0.code) }
        guard let place = reasons.firstIndex(where: \.isOfBlocks) else { return Table(list: codes) }
        let table = Table(list: Array(codes[...place]))
        let name = "further reasons of blocks"
        let count = try path.number(name, ProofDomain.listLength)
        path.loosen(name, site.unsettled("how many blocks stop the patron"))
        path.wish(count.equals(.constant(0)))
        table.tail = Table.Tail(
            count: count, element: { (codes[place], Standing(name: name)) }, after: Array(codes[(place + 1)...]))
        return table
    }

    /// What failed, found out where that was left open.
    private func found(_ desk: DeskModel) throws -> Failure? {
        guard let pending, pending.fails else { return failure }
        return try desk.settled(self).failure
    }

    /// Its words are the desk's or Lua's.
    private static func record(of failure: Failure, _ path: Path) -> Value {
        .record(
            Record("decision.failure", names: ["code", "message"], path.journal) { name in
                if name == "code" { return .text(failure.code) }
                throw failure.site.unsettled("the words of a failure")
            })
    }

    func dueTime(_ path: Path) throws -> Due? {
        guard let pending else { return due }
        return pending.fails ? nil : try pending.value(path).due
    }

    /// The answer, which depends on what speaks against it.
    private func answer(_ texts: Texts) -> Text {
        if answer == "failed" || verdict.reasons.isEmpty { return .known(answer) }
        func number(_ word: String) -> Number { .constant(texts.number(of: word)) }
        let against = Number.either(verdict.isQuestion, number("confirm"), number("deny"))
        return .symbol(.either(verdict.isAllowed, number(answer), against))
    }

    static let names = [
        "point", "answer", "code", "message", "reasons", "override", "due", "due_at", "priority", "lines", "total",
        "fields", "where", "notices", "charges", "fine", "suspended_until", "lost", "lost_fee", "rental", "expires_on",
        "failure",
    ]

    /// The desk's own words are not reckoned with, nor those of `messages`.
    private func words(_ desk: DeskModel) throws -> Value {
        if let message { return message }
        guard let reason = try verdict.first(on: desk.path) else { return .null }
        if desk.policy.tables.source.messages.isEmpty, case .text(let text) = reason.message,
            text != .known(Reason.ownText)
        {
            return reason.message
        }
        throw Unsettled(file: desk.policy.file, line: 1, message: "the words of a refusal")
    }

    private func more(_ name: String, _ point: DecisionPoint, _ desk: DeskModel) throws -> Value {
        let (rule, path) = (desk.rule, desk.path)
        switch name {
        case "rental":
            let rental = try pending.map { $0.fails ? [] : try $0.value(path).rental } ?? rental
            return rental.isEmpty ? .null : .money(rental.total)
        case "expires_on": return membership ?? .null
        case "lines": return lineTable ?? lines?.table ?? .null
        case "total":
            guard let lines, try !path.holds(lines.areNone) else { return .null }
            return .money(lines.total)
        case "charges":
            if charges.isEmpty { return .null }
            return .table(
                Table(
                    list: charges.map {
                        .table(Table([("key", $0.key), ("amount", .money($0.amount)), ("label", $0.label)]))
                    }))
        case "notices":
            guard point == .overdue || point == .notify else { return .null }
            if let unsettledNotices { throw unsettledNotices }
            return .table(Table(list: notices.map(\.table)))
        default:
            throw Unsettled(file: rule.policy.file, line: 1, message: "`\(name)` of a decision")
        }
    }
}

extension DecisionModel.Notice {
    fileprivate var table: Value {
        .table(
            Table([
                ("stage", stage), ("repetition", repetition), ("channel", channel), ("subject", subject),
                ("body", body), ("charge", charge), ("superseded", isSuperseded),
            ]))
    }
}
