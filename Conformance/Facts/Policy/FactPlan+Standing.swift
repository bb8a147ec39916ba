import Circulation
import Desk
import TextFormats

extension FactPlan {
    /// What speaks for or against the patron, whatever they ask for.
    func readStanding() throws {
        try readOverdue()
        try readCounts()
        try readRestrictions()
        try readMembership()
        try readMoneyOwed()
        try readSameTitle()
    }

    /// Refuses at each of the points if a condition holds.
    private func refuse(_ points: [String], if condition: String, _ code: String, _ message: String, asks: Bool = false)
    {
        for point in points {
            let word = asks && point != "renew" ? "confirm" : "deny"
            policy.add(
                to: point, "if \(condition) then",
                "    return \(word)(\(LuaText.quoted(code)), \(LuaText.quoted(message)))", "end")
        }
    }

    // MARK: Overdue loans

    private func readOverdue() throws {
        if let count = try given.count("patron_overdue_items") { lendOverdue(Int(count)) }
        if let count = try given.count("overdue") { lendOverdue(Int(count)) }
        if let mode = try given.text("overdue_policy") {
            let message = "The patron has overdue loans."
            switch mode {
            case "block", "block_all": refuse(["checkout", "renew"], if: "case.patron.overdue > 0", "overdue", message)
            case "ask", "confirm", "confirmation":
                refuse(["checkout"], if: "case.patron.overdue > 0", "overdue", message, asks: true)
            case "blockitem", "block_item", "block item":
                refuse(["renew"], if: "case.loan.due_at < case.now", "overdue", "This loan is overdue.")
            case "allow", "ignore": break
            default: throw given.unreadable("overdue_policy")
            }
        }
        if let most = try given.number("max_overdue") {
            refuse(
                ["checkout", "renew", "hold"], if: "case.patron.overdue >= \(most)", "overdue",
                "Too many loans are overdue.")
            if let due = loan.due, reading.operation.begins("checkout", "place") {
                lendBefore(1, due: try asDue(due))
                loan.due = nil
            }
        }
    }

    private func lendOverdue(_ count: Int) {
        guard let due = try? daysFromNow(-10) else { return }
        lendBefore(count, due: due)
    }

    // MARK: Conditions of FOLIO's patron blocks

    /// So many items lent block lending when they are reached and all when they are exceeded; other counts block all
    /// when they are exceeded.
    private func readCounts() throws {
        if let most = try given.number("max_items_out") {
            refuse(["checkout"], if: "#case.patron.loans >= \(most)", "items_out", "Too many items are lent.")
            refuse(["renew", "hold"], if: "#case.patron.loans > \(most)", "items_out", "Too many items are lent.")
        }
        if let most = try given.number("max_overdue_items") {
            refuse(
                ["checkout", "renew", "hold"], if: "case.patron.overdue > \(most)", "overdue",
                "Too many items are overdue.")
        }
        if let most = try given.number("max_lost_items") {
            refuse(["checkout", "renew", "hold"], if: "case.patron.lost > \(most)", "lost", "Too many items are lost.")
        }
        for key in ["max_fees", "max_fines", "max_outstanding", "max_outstanding_fees", "max_outstanding_fee"] {
            guard let most = try given.money(key) else { continue }
            refuse(
                ["checkout", "renew", "hold"], if: "case.patron.fees_owed > \(LuaText.money(most))", "fees_owed",
                "Too much is owed.")
        }
        for key in ["items_out", "loans_out"] { lendBefore(Int(try given.count(key) ?? 0)) }
        lendOverdue(Int(try given.count("overdue_items") ?? 0))
        if let lost = try given.count("lost_items") { try loseBefore(Int(lost)) }
        for key in ["outstanding_fees", "outstanding_fee", "outstanding", "fees", "fines"] {
            guard let owed = try given.money(key) else { continue }
            charge(owed)
        }
    }

    func charge(_ amount: Money, label: String = "Debt from before") {
        guard amount.isPositive else { return }
        after.append { library, _ in
            let outcome = try library.desk.write {
                try $0.fees.charge(.username(FactLibrary.reader), amount: amount, label: label)
            }
            _ = try library.noted("\(amount) is charged", outcome).done("a charge")
        }
    }

    // MARK: Restrictions

    private func readRestrictions() throws {
        if let until = try given.text("restriction_until") {
            let end = try moments.moment(until).date
            block("restriction", ends: end == .latest ? nil : end, actions: Set(BlockFacts.Action.allCases))
        }
        if let state = try given.text("penalty") {
            let renews = try given.flag("permit_renew_when_over_fines") ?? false
            block(state, actions: renews ? [.borrow, .hold] : Set(BlockFacts.Action.allCases))
        }
    }

    private func readMembership() throws {
        guard let state = given.object["patron"]?.stringValue else { return }
        given.ignore("patron")
        switch state {
        case "restricted":
            let blocksRenewal = try given.flag("restriction_blocks_renewal") ?? true
            block("restriction", actions: blocksRenewal ? Set(BlockFacts.Action.allCases) : [.borrow, .hold])
        case "expired":
            try expire(renews: given.flag("allow_renewal_for_expired") ?? false)
        case "in good standing", "active", "valid", "not expired", "not restricted", "unrestricted": break
        default: throw given.unreadable("patron")
        }
    }

    /// The membership ended yesterday. Where such patrons may still renew, its end stands in a field of the library's own,
    /// and lending and holding ask for it.
    private func expire(renews: Bool) throws {
        let yesterday = try today.adding(days: -1)
        after.append { library, _ in
            try library.change { reader in
                if renews {
                    reader.extra["member_until"] = .string(yesterday.description)
                } else {
                    reader.expiresOn = yesterday
                }
            }
            library.note("the reader's membership ended on \(yesterday)")
        }
        guard renews else { return }
        refuse(
            ["checkout", "hold"],
            if: "case.patron.extra.member_until and date(case.patron.extra.member_until) < date(case.now)",
            "expired", "The membership has ended.")
    }

    private func block(_ kind: String, ends: CivilDate? = nil, actions: Set<BlockFacts.Action>) {
        after.append { library, _ in
            let outcome = try library.desk.write {
                try $0.patrons.block(.username(FactLibrary.reader), kind: kind, actions: actions, ends: ends)
            }
            _ = try library.noted("the reader is blocked (\(kind))", outcome).done("the block")
        }
    }

    // MARK: Money

    /// Owed money and credit. A credit that counts is paid into the account; one that does not stands beside it.
    private func readMoneyOwed() throws {
        guard let most = try given.money("max_owed") else { return }
        let owed = try given.money("owed") ?? .zero(.eur)
        let credit = try given.money("credit") ?? .zero(.eur)
        let counts = try given.flag("credit_counts") ?? true
        refuse(
            ["checkout", "renew"], if: "case.patron.fees_owed > \(LuaText.money(most))", "fees_owed",
            "Too much is owed.")
        charge(owed)
        guard credit.isPositive else { return }
        patronExtra = [:]
        after.append { library, _ in
            guard counts else { return try library.change { $0.extra = ["deposit": .string(credit.amountText)] } }
            let outcome = try library.desk.write { try $0.fees.pay(.username(FactLibrary.reader), amount: credit) }
            _ = try library.noted("\(credit) is paid", outcome).done("the credit")
        }
    }

    // MARK: The same title

    private func readSameTitle() throws {
        if let allowed = try given.flag("allow_multiple_copies") {
            policy.everything["same_title"] = LuaText.quoted(allowed ? "allow" : "confirm")
        }
        guard let has = try given.text("patron_has") else { return }
        guard has.contains("same title") else { throw given.unreadable("patron_has") }
        copies = max(copies, 2)
        before.append { library, title in
            guard let other = title.barcodes.last else { return }
            _ = try library.lend(other)
        }
    }
}
