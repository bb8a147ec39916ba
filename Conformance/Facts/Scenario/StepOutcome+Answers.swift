import Circulation
import Desk
import TextFormats

// What is found under the name of a result.
extension StepOutcome {
    /// - Returns: what was expected, where it is met; otherwise what there is.
    func found(_ name: String, _ expected: JSON) throws -> JSON {
        if let moment = try moment(name) { return Self.met(moment, expected, scenario) }
        let found = try value(name)
        // Amounts may be written with more or fewer digits.
        if let amount = found.stringValue.flatMap({ _ in SchemaValues.money(found) }),
            SchemaValues.money(expected) == amount
        {
            return expected
        }
        return found
    }

    private static func met(_ found: Instant, _ expected: JSON, _ scenario: Scenario) -> JSON {
        let local = scenario.zone.local(of: found)
        guard let text = expected.stringValue, let moment = MomentText(text),
            let wanted = try? moment.moment(scenario.words())
        else { return .string("\(local.date)T\(local.time)") }
        if wanted.isDate { return wanted.date == local.date ? expected : .string(local.date.description) }
        return wanted.instant == found ? expected : .string("\(local.date)T\(local.time)")
    }

    private func moment(_ name: String) throws -> Instant? {
        switch name {
        case "due": try promisedLoan()?.due.map { $0.instant }
        case "returned": try loan()?.returnedAt
        case "soonest":
            refusal?.reasons.first?.figures["soonest"]?.stringValue.flatMap {
                try? Instant(parsing: $0, in: scenario.zone)
            }
        case "shelf_until": try someHold()?.shelfUntil
        case "next_notice":
            try moments[name]
                ?? loan()?.due.flatMap {
                    operation == "next_notice"
                        ? nil : try NextNotice.next(after: library.now.adding(seconds: 1), $0.instant, library)
                }
        default: moments[name]
        }
    }

    private func value(_ name: String) throws -> JSON {
        if let answer = answers[name] { return answer }
        let groups = ResultGroup.allCases.filter { $0.fields.contains { $0.name == name } }
        switch groups.first {
        case .permission: return permission(name)
        case .loan: return try ofLoan(name)
        case .account: return try ofAccount(name)
        case .suspension: return suspension(name)
        case .hold: return try ofHold(name)
        case .notices: return try ofNotices(name)
        case .rule: return try ofRules(name)
        default: return .null
        }
    }

    private func permission(_ name: String) -> JSON {
        let figures = refusal?.reasons.first?.figures ?? [:]
        switch name {
        case "allowed":
            guard let refusal else { return true }
            return refusal.isQuestion || refusal.mayBeOverridden ? "asks" : false
        case "reason": return refusal.map { .string($0.code) } ?? .null
        case "term": return refusal?.reasons.first?.origin?.field.map { .string($0) } ?? .null
        case "reasons": return .array((refusal?.reasons ?? []).map { .string($0.code) })
        case "limit", "until": return figures[name] ?? .null
        case "count":
            let overdue = refusal?.code == Refusal.Code.overdue ? try? library.overdueLoans(of: patron) : nil
            return figures["count"] ?? overdue.map { .integer($0) } ?? .null
        default: return .null
        }
    }

    // MARK: Loans

    private func promisedLoan() throws -> Loan? { try promised ?? loan() }

    private func ofLoan(_ name: String) throws -> JSON {
        if name == "loans" {
            return .integer(Int64(try library.desk.read { try $0.loans.active(of: .username(patron)) }.count))
        }
        if name == "group_overdue" { return .integer(try groupOverdue()) }
        guard let loan = try promisedLoan() else { return .null }
        switch name {
        case "due_changed": return .bool(loan.due != before?.due)
        case "due_capped": return .bool(try isCapped(loan))
        case "loan_days":
            let today = scenario.zone.date(of: library.now)
            return loan.due.map { .integer(Int64($0.date.days(since: today))) } ?? .null
        case "renewals": return .integer(loan.renewals)
        case "last_renewal":
            guard let most = scenario.given.record("rule")?.number("renewals") else { return false }
            return .bool(loan.renewals >= most)
        case "recalled": return .bool(loan.recalledAt != nil)
        case "lost": return .bool(loan.lostAt != nil)
        case "late": return .bool(loan.due.map { $0.instant < library.now } ?? false)
        default: return .null
        }
    }

    /// A group is the patrons who say so in a field of the library's own; its late loans are counted one by one.
    private func groupOverdue() throws -> Int64 {
        var count: Int64 = 0
        try library.desk.read { session in
            guard let group = try session.patrons.get(.username(patron))?.extra["group"] else { return }
            try session.loans.overdue { loan in
                let borrower = try loan.patron.flatMap { try session.patrons.get(.id($0)) }
                if borrower?.extra["group"] == group { count += 1 }
                return true
            }
        }
        return count
    }

    /// Asked of a patron whose membership does not end.
    private func isCapped(_ loan: Loan) throws -> Bool {
        try scenario.addPatron("member")
        let channel = desk(values)
        let other = try channel.rehearse { session in
            _ = try session.loans.checkin(.id(loan.id)).done("the return before the same loan of another")
            return try session.loans.checkout(
                CheckoutRequest(patron: .username("member"), wanted: .barcode(try self.knownBarcode())))
        }
        let due = try other.done("the same loan of another").first?.due?.instant
        guard let due, let own = loan.due?.instant else { return false }
        return due != own
    }

    // MARK: Accounts

    private func ofAccount(_ name: String) throws -> JSON {
        let all = try lines ?? library.ledger(of: patron)
        let loan = try loan()?.id
        let own = all.filter { loan != nil && $0.loan == loan }
        switch name {
        case "owed": return try money(all)
        case "forgiven": return try money(all.filter { $0.kind == .waiver }, isNegated: true)
        case "refunded": return try money(own.filter { $0.key == "lost:\($0.loan ?? 0):credit" }, isNegated: true)
        case "rental": return try money(own.filter { $0.key.hasPrefix("rental:") })
        case "fine": return try money(own.filter { Self.isOfFine($0, all) })
        case "fines":
            return .integer(Int64(Set(all.filter { $0.kind == .fine && !$0.amount.isZero }.compactMap(\.loan)).count))
        case "fine_lines": return .integer(Int64(own.count { $0.kind == .fine }))
        default: break
        }
        let charges = own.filter { $0.kind == .charge && !$0.key.hasPrefix("rental:") }
        switch name {
        case "charges": return try money(charges)
        case "charge_lines": return .integer(Int64(charges.count))
        default: return .array(charges.map { .string($0.amount.amountText) })
        }
    }

    /// Whether a line is a fine, or brings one up or down.
    private static func isOfFine(_ line: LedgerEntry, _ all: [LedgerEntry]) -> Bool {
        switch line.kind {
        case .fine: return true
        case .adjustment, .waiver:
            if line.key.hasPrefix("forgiven:") || line.key.contains("fine:") { return true }
            guard let id = line.key.split(separator: "#").last.flatMap({ Int64($0) }) else { return false }
            return all.contains { $0.id == id && $0.kind == .fine }
        default: return false
        }
    }

    private func money(_ lines: [LedgerEntry], isNegated: Bool = false) throws -> JSON {
        let sum = try Money.sum(lines.map(\.amount), currency: .eur)
        return .string(try isNegated ? sum.negated().amountText : sum.amountText)
    }

    private func suspension(_ name: String) -> JSON {
        let end = checkin?.suspension?.ends
        switch name {
        case "suspended": return .bool(end != nil)
        case "suspended_until": return end.map { .string($0.description) } ?? .null
        default: return .integer(end.map { Int64($0.days(since: scenario.zone.date(of: library.now))) } ?? 0)
        }
    }

    // MARK: Holds and notices

    private func ofHold(_ name: String) throws -> JSON {
        switch name {
        case "state": return try someHold().map { .string($0.state.rawValue) } ?? .null
        case "holds":
            let open = try library.desk.read { try $0.holds.of(.username(patron)) }
                .filter { [.waiting, .transit, .shelf].contains($0.hold.state) }
            return .integer(Int64(open.count))
        default: break
        }
        let hold = try someHold()
        guard let title = try values.text("title").map({ try scenario.title($0) }) ?? hold?.title else { return .null }
        let queue = try library.desk.read { try $0.holds.queue(of: .id(title)) }
            .filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
        if name == "place" {
            return queue.first { $0.hold.id == hold?.id }?.position.map { .integer($0) } ?? .null
        }
        let names = Dictionary(scenario.holds.map { ($0.id, $0.patron) }) { first, _ in first }
        return .array(queue.map { .string(names[$0.hold.id] ?? "") })
    }

    /// Kinds of messages about loans.
    private static let kinds = ["due_soon", "overdue", "due_moved", "digest"]

    private func ofNotices(_ name: String) throws -> JSON {
        let told = notices.filter { Self.kinds.contains($0.kind) && $0.state != .superseded }
        switch name {
        case "kept": return .bool(try lastNotice() != nil)
        case "failed": return .bool(try lastNotice().map { $0.tries > 0 } ?? false)
        case "tried_again":
            let last = try lastNotice()?.id
            return .bool(try library.desk.read { try $0.notices.outbox() }.contains { $0.id == last })
        case "sent": return .integer(Int64(told.count { $0.carriedBy == nil }))
        case "stages": return .array(told.map { .string($0.stage) })
        case "sent_total":
            let all = try library.desk.read { try $0.notices.list(NoticeQuery()) }
            return .integer(
                Int64(all.count { Self.kinds.contains($0.kind) && $0.state != .superseded && $0.carriedBy == nil }))
        case "loans_told":
            let carried = Dictionary(grouping: notices.filter { $0.carriedBy != nil }) { $0.carriedBy ?? 0 }
            let messages = told.filter { $0.carriedBy == nil && $0.state != .superseded }
            let counts = messages.map { Int64(carried[$0.id]?.count ?? 1) }.sorted()
            return .array(counts.map { .integer($0) })
        default: return .null
        }
    }
}
