import Circulation

extension DeskModel {
    /// When a membership ends that is made or renewed.
    func expiry() throws -> DecisionModel {
        var decision = DecisionModel()
        let answer = try ask(.expiry, isRuled: false, standard: { [self] in try endByRows() ?? .null })
        switch answer?.first ?? .null {
        case .null: decision.membership = try endByRows()
        case .unlimited: decision.membership = .unlimited
        case .date(let day): decision.membership = .date(try checked(day))
        case .instant(let instant, _):
            decision.membership = .date(try checked(instant.divided(by: ProofDomain.microsecondsPerDay)))
        case let value: throw bad(.expiry, "must answer a date or unlimited, not a \(value.kind)")
        }
        return decision
    }

    private func checked(_ day: Number) throws -> Number {
        guard try path.holds(model.today() <= day) else { throw bad(.expiry, "must not end a membership before today") }
        return day
    }

    private func endByRows() throws -> Value? {
        guard let row = try membershipRow() else { return nil }
        return try path.reckoning { try end(policy.tables.source.membership[row]) }
    }

    /// The first row of `membership` that holds; nil where none does.
    func membershipRow() throws -> Int? {
        try policy.tables.source.membership.firstIndex { row in
            try path.asking { try path.holds(holds(row)) && row.conditions.when.map(rule.holds) ?? true }
        }
    }

    /// The conditions of a row but its `when`.
    private func holds(_ row: MembershipRow) throws -> Condition {
        var all = [try rule.meets(row.conditions)]
        if row.fromAge != nil || row.underAge != nil || row.untilAge != nil {
            guard let age = try model.number("patron", "age") else { return .constant(false) }
            if let least = row.fromAge { all.append(.constant(least) <= age) }
            for bound in [row.underAge, row.untilAge].compactMap({ $0 }) { all.append(age < .constant(bound)) }
            if row.untilAge != nil { all.append(try path.condition("patron.birth_date is there")) }
        }
        if let date = row.untilDate { all.append(try model.today() <= .constant(Int64(date.dayNumber))) }
        return .every(all)
    }

    /// The last day. What is reckoned by months, days of the year and birthdays is any day from today on, the same for
    /// rows that say the same.
    private func end(_ row: MembershipRow) throws -> Value {
        let date = row.untilDate.map { Number.constant(Int64($0.dayNumber)) }
        if row.untilDay == nil, row.untilAge == nil {
            guard let lasts = row.lasts else { return date.map { .date($0) } ?? .unlimited }
            if lasts.unit == .days || lasts.unit == .weeks {
                let days = try start(row) + .constant(lasts.count * (lasts.unit == .weeks ? 7 : 1))
                return .date(date.map { .either(days < $0, days, $0) } ?? days)
            }
        }
        let site = Site(file: row.place.file, line: row.place.line)
        path.approximate(site.unsettled("the end of a membership by months, a day of the year or a birthday"))
        let start = try start(row)
        let name = "a membership of \(row.endWords) from \(start.smt)"
        let end = try path.number(name, ProofDomain.reckonedDays)
        try path.assume(model.today() <= end)
        if let date { try path.assume(end <= date) }
        return .date(end)
    }

    private func start(_ row: MembershipRow) throws -> Number {
        let today = try model.today()
        if row.renewsFromNow { return today }
        let (isThere, end) = try model.optional("patron", "expires_on")
        return .either(isThere && today < end, end, today)
    }
}

extension CaseModel {
    /// There is one at `expiry` alone, where the age follows of it.
    func birthDate() throws -> Value {
        guard point == .expiry else { return .null }
        throw Unsettled(file: "policy.lua", line: 1, message: "the birth date of a patron, of which the age follows")
    }
}
