import Circulation

extension DeskModel {
    func overdue() throws -> DecisionModel {
        var decision = DecisionModel()
        let answer = try ask(
            .overdue, standard: { [self] in .table(Table(list: try tableNotices().map(\.effect))) })
        guard let answer, let effects = try effects(answer, at: .overdue) else {
            do {
                decision.notices = try tableNotices()
            } catch let unsettled as Unsettled {
                decision.unsettledNotices = unsettled
            }
            return decision
        }
        for effect in effects {
            if case .text(.known("charge")) = effect["effect"] {
                decision.charges.append(try charge(effect, .overdue))
            } else {
                let notice = try notice(effect, .overdue)
                if try !isRecorded(notice) { decision.notices.append(notice) }
            }
        }
        return decision
    }

    /// Whether the notice was recorded for this due time already.
    private func isRecorded(_ notice: DecisionModel.Notice) throws -> Bool {
        let name = "loan.notices has \(interpreter.name(of: notice.stage)) \(interpreter.name(of: notice.repetition))"
        let condition = try path.condition(name)
        if path.looks.lists["loan.notices"] != nil {
            path.approximate(site(of: .overdue).unsettled("the notices sent before, which are looked at one by one"))
        }
        path.wish(condition.negated)
        return try path.holds(condition)
    }

    /// How many times a stage may come before its notices are no longer told apart.
    private static let mostRepetitions: Int64 = 12

    /// What the table of notices says: of all stages reached and not recorded the latest to be sent, the others as
    /// superseded.
    func tableNotices() throws -> [DecisionModel.Notice] {
        var stages: Set<String> = []
        var reached: [(at: Number, notice: DecisionModel.Notice)] = []
        for (index, row) in policy.tables.source.notices.enumerated() where !stages.contains(row.stage) {
            guard try rule.matches(row.conditions) else { continue }
            stages.insert(row.stage)
            reached += try path.reckoning { try repetitions(of: row) }.map { at, notice in
                var notice = notice
                notice.row = index
                return (at, notice)
            }
        }
        return try path.reckoning {
            guard var latest = reached.first?.at else { return [] }
            var last = 0
            for (index, one) in reached.enumerated().dropFirst() where try path.holds(latest <= one.at) {
                (latest, last) = (one.at, index)
            }
            var notices: [DecisionModel.Notice] = []
            for (index, one) in reached.enumerated() {
                var notice = one.notice
                if try isRecorded(notice) { continue }
                if index != last {
                    notice.isSuperseded = .flag(true)
                    notice.charge = .null
                }
                notices.append(notice)
            }
            return notices
        }
    }

    private func repetitions(of row: NoticeRow) throws -> [(at: Number, notice: DecisionModel.Notice)] {
        let site = Site(file: row.place.file, line: row.place.line)
        let (now, due) = (try model.now(), try model.dueAt())
        if row.before != nil, try path.holds(due <= now) { return [] }
        let most = row.every == nil ? min(row.times ?? 1, 1) : row.times ?? .max
        var reached: [(at: Number, notice: DecisionModel.Notice)] = []
        var base = due
        if let distance = try row.before?.negated() ?? row.after { base = try moment(distance, from: due, site) }
        var index: Int64 = 0
        while index < most {
            var at = base
            if index > 0, let every = row.every {
                at = try moment(Period(every.count * index, every.unit), from: base, site)
            }
            guard try path.holds(at <= now) else { break }
            if index >= Self.mostRepetitions { throw site.unsettled("a notice that is repeated many times") }
            let charge = row.charge.map { Value.money(.constant($0.minorUnits)) } ?? .null
            reached.append(
                (
                    at,
                    DecisionModel.Notice(
                        stage: .text(row.stage), repetition: .integer(index), channel: .text(row.channel),
                        subject: .text(row.subject.text(in: nil) ?? ""), body: .text(row.body.text(in: nil) ?? ""),
                        charge: charge)
                ))
            index += 1
        }
        return reached
    }

    private func moment(_ period: Period, from start: Number, _ site: Site) throws -> Number {
        let moved = try interpreter.moved(.instant(start, .plain), .constant(period.count), period.unit, site)
        guard case .instant(let moment, _) = moved else { return start }
        let day = ProofDomain.microsecondsPerDay
        return period.isElapsed ? moment : moment.divided(by: day) * .constant(day)
    }

    func notify() throws -> DecisionModel {
        var decision = DecisionModel()
        let event = try model.root.value("event") ?? .null
        let standard = standardNotice(event)
        let answer = try ask(.notify, standard: { .table(Table(list: [standard.effect])) })
        decision.notices =
            try answer.flatMap { try effects($0, at: .notify) }?
            .map { try notice($0, .notify, stage: event) } ?? [standard]
        return decision
    }

    /// The desk's own words for an event.
    private func standardNotice(_ event: Value) -> DecisionModel.Notice {
        func number(_ text: String) -> Number { .constant(model.texts.number(of: text)) }
        var (subject, body) = (number(""), number(""))
        if case .text(let word) = event {
            for event in NotifyEvent.allCases {
                let isIt = model.texts.number(of: word).equals(number(event.rawValue))
                let notice = event.standardNotice
                subject = .either(isIt, number(notice.subject), subject)
                body = .either(isIt, number(notice.body), body)
            }
        }
        return .init(
            stage: event, channel: .text(NoticeChannel.email.name), subject: .text(.symbol(subject)),
            body: .text(.symbol(body)))
    }
}

extension DecisionModel.Notice {
    /// As `standard` hands it to functions.
    var effect: Value {
        var fields: [(String, Value)] = [
            ("effect", .text("notice")), ("stage", stage), ("channel", channel), ("subject", subject), ("body", body),
            ("charge", charge),
        ]
        if case .integer(.constant(0)) = repetition {} else { fields.append(("repetition", repetition)) }
        if case .flag(.constant(true)) = isSuperseded { fields.append(("superseded", isSuperseded)) }
        return .table(Table(fields))
    }
}
