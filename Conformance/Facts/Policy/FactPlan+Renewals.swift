import Circulation
import Desk
import TextFormats

extension FactPlan {
    /// How often and when a loan may be renewed, and how often it was.
    func readRenewalTerms() throws {
        loan.renewals = try given.number("renewals_used") ?? 0
        loan.unseenRenewals = try given.number("unseen_used") ?? 0
        guard (0...50).contains(loan.renewals), (0...50).contains(loan.unseenRenewals) else {
            throw NotExpressed("so many renewals cannot be brought about")
        }
        policy.everything["renewals"] = LuaText.maximum(try given.number("renewals_allowed"))
        if let unseen = try given.number("unseen_allowed") { policy.everything["unseen_renewals"] = "\(unseen)" }
        try readNotBefore()
        try readAutomatic()
        try readStateOfLoan()
        try readBooking()
    }

    private func readNotBefore() throws {
        for key in ["no_renewal_before_days", "no_auto_renewal_before_days"] {
            guard let days = try given.number(key) else { continue }
            let isExact = try given.text("precision").map { $0.hasPrefix("exact") } ?? false
            policy.everything["renew_not_before"] = isExact ? "hours(\(24 * days))" : "days(\(days))"
        }
    }

    private func readAutomatic() throws {
        let isAutomatic = try given.flag("auto") ?? true
        if reading.operation.names("auto") { policy.everything["auto_renew"] = "\(isAutomatic)" }
        if let days = try given.number("no_auto_renewal_after_days") {
            policy.everything["auto_renew_until"] = "days(\(days))"
        }
        guard given.has("hard_limit_in_days"), let days = try given.number("hard_limit_in_days") else { return }
        let last = LuaText.date(try daysFromNow(days).date)
        if policy.everything["auto_renew_until"] == nil {
            policy.everything["auto_renew_until"] = last
        } else {
            policy.add(
                to: "renew", "if case.actor.channel == \"job\" and date(case.now) > \(last) then",
                "    return deny(\"auto_too_late\", \"This loan no longer renews by itself.\")", "end")
        }
    }

    private func readStateOfLoan() throws {
        guard let state = given.object["loan"]?.stringValue else { return }
        given.ignore("loan")
        switch state {
        case "on-site", "onsite", "on site":
            loan.onSite = true
            policy.add(
                to: "renew", "if case.loan.on_site then",
                "    return deny(\"on_site\", \"What is read in the library is not renewed.\")", "end")
        case "not overdue": loan.due = try daysFromNow(5)
        case "overdue": loan.due = try daysFromNow(-2)
        case "open", "normal": break
        case "closed", "returned": loanIsClosed = true
        default: throw given.unreadable("loan")
        }
    }

    /// A title that is promised to somebody from a day on.
    private func readBooking() throws {
        guard let words = try given.text("renewal_would_reach") else { return }
        let lower = words.lowercased()
        guard lower.contains("booking"), let start = lower.split(separator: "starts ").last,
            let (period, rest) = PeriodWords.leading(String(start)), rest == "after the due date"
        else { throw given.unreadable("renewal_would_reach") }
        let due = try loan.due ?? daysFromNow(5)
        loan.due = due
        let booked = try period.added(to: due.date, calendar: calendar)
        titleExtra = ["booked_from": .string(booked.description)]
        policy.add(
            to: "renew", "local booked = case.title.extra.booked_from", "local answer = standard(case, rule)",
            "if booked and answer and answer.due and date(answer.due) >= date(booked) then",
            "    return deny(\"booked\", \"The title is booked from \" .. booked .. \" on.\")", "end")
    }

    // MARK: Others who wait

    /// Copies of the title, those lent, and those who wait for them.
    func readStock() throws {
        if let count = try given.count("items_of_title") { copies = Int(count) }
        let lent = Int(try given.count("items_on_loan") ?? 0)
        let isAboutLoan = reading.operation.names("renew")
        if lent > 1 || (lent == 1 && !isAboutLoan) {
            let others = isAboutLoan ? lent - 1 : lent
            before.append { library, title in
                for barcode in title.barcodes.dropFirst().prefix(others) {
                    let name = "borrower-\(barcode)"
                    try library.addPatron(name)
                    _ = try library.lend(barcode, to: name)
                }
            }
        }
        try readUnavailable(lent)
        placeHolds(Int(try given.count("title_level_holds") ?? 0))
        placeHolds(Int(try given.count("item_level_hold_on_this_item") ?? 0), onCopy: true)
        placeHolds(Int(try given.count("holds_on_title") ?? 0))
        if try given.flag("renew_if_other_items_can_fill") ?? false {
            renewalAnswers.append(
                "if case.title.holds_for_copy == 0 and case.title.available >= case.title.holds_waiting then "
                    + "waived[#waived + 1] = \"holds_waiting\" end")
        }
        try readHighHolds()
    }

    private func readUnavailable(_ lent: Int) throws {
        guard let kinds = try given.part("unavailable_items") else { return }
        var count = 0
        for kind in kinds.object.keys { count += Int(try kinds.count(kind) ?? 0) }
        guard lent + count <= copies else { throw given.unreadable("unavailable_items") }
        before.append { library, title in
            for barcode in title.barcodes.suffix(count) {
                let outcome = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: barcode) }
                _ = try library.noted("\(barcode) is taken out of circulation", outcome).done("an unavailable copy")
            }
        }
    }

    func placeHolds(_ count: Int, onCopy: Bool = false) {
        guard count > 0 else { return }
        let prefix = onCopy ? "waits-for-copy" : "waits"
        after.append { library, title in
            for number in 1...count {
                let name = "\(prefix)-\(number)"
                try library.addPatron(name)
                let wanted: HoldRequest.Wanted =
                    onCopy ? .copy(title.barcodes.first ?? "") : .title(.id(title.id))
                let outcome = try library.desk.write {
                    try $0.holds.place(HoldRequest(patron: .username(name), wanted: wanted))
                }
                _ = try library.noted("\(name) places a hold", outcome).done("a hold of another")
            }
        }
    }

    /// A shorter loan for what many wait for: more than a number (`static`), or more than there are copies and so many
    /// more (`dynamic`).
    private func readHighHolds() throws {
        guard let days = try given.number("shortened_loan_days") else { return }
        let threshold = try given.number("threshold") ?? 0
        let mode = try given.text("mode") ?? "static"
        let condition: String
        switch mode {
        case "static": condition = "case.title.holds_waiting >= \(threshold)"
        case "dynamic": condition = "case.title.holds_waiting > case.title.copies + \(threshold)"
        default: throw given.unreadable("mode")
        }
        policy.add(to: "due", "if \(condition) then return case.now + days(\(days)) end")
        policy.add(to: "checkout", "return allow { despite = { \"held_for_other\" } }")
    }
}
