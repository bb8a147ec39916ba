// Public libraries: what they publish about age, fees and limits, as tables.
extension PromisedPolicy {
    /// A town library of the usual kind: children free of fines, films for a week, new novels for two.
    static let town = PromisedPolicy(
        name: "town",
        source: """
            local adult = 18
            return policy {
                api = 1,
                limits = {
                    { category = "child", item_type = { "dvd", "game" }, max = 3 },
                    { category = "child", max = 20 },
                    { item_type = "game", max = 2 },
                    { max = 40 },
                },
                rules = {
                    { item_type = "newspaper", lend = false, reason = "Newspapers are read in the library." },
                    { item_type = "game", loan = days(14), renewals = 0 },
                    { item_type = "dvd", loan = days(7), renewals = 1 },
                    { category = "child", fine = none },
                    { item_type = "dvd", fine = money "1.00", fine_cap = money "8.00" },
                    { loan = days(28), renewals = 2, fine = money "0.15", grace = days(1), fine_cap = money "6.00" },
                },
                checkout = function(case)
                    local rating = case.title.extra.rating
                    if type(rating) == "number" and rating >= adult and has(case.patron.categories, "child") then
                        return deny("rating", "This title is for adults.")
                    end
                    if case.patron.fees_owed >= money "15.00" then
                        return deny("fees", "Please pay first.", { override = true })
                    end
                end,
            }
            """,
        promises: """
            never("a child borrows what is rated for adults", "checkout", function(case, decision)
                local rating = case.title.extra.rating
                return type(rating) == "number" and rating >= 18 and within(case.patron.category, "child")
                    and decision.answer == "allow"
            end)
            never("a child is fined", "fine", function(case, decision)
                return within(case.patron.category, "child") and decision.fine > money "0.00"
            end)
            always("a fine is at most eight", "fine", function(_, decision) return decision.fine <= money "8.00" end)
            never("a newspaper is lent", "checkout", function(case, decision)
                return case.copy ~= nil and within(case.copy.item_type, "newspaper") and decision.answer == "allow"
            end)
            never("who owes fifteen borrows", "checkout", function(case, decision)
                return case.patron.fees_owed >= money "15.00" and decision.answer == "allow"
            end)
            never("somebody has more than forty loans", "checkout", function(case, decision)
                return #case.patron.loans >= 40 and decision.answer == "allow"
            end)
            never("a game is renewed", "renew", function(case, decision)
                return within(case.copy.item_type, "game") and not within(case.copy.item_type, "newspaper")
                    and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(breaks: "a child borrows what is rated for adults", "rating >= adult", "rating > adult"),
            Fault(
                breaks: "a child borrows what is rated for adults", "has(case.patron.categories, \"child\")",
                "case.patron.category == \"child\""),
            Fault(
                breaks: "a child is fined",
                "{ category = \"child\", fine = none },",
                "{ category = \"child\", item_type = \"game\", fine = none },"),
            Fault(
                breaks: "a fine is at most eight", "fine = money \"1.00\", fine_cap = money \"8.00\"",
                "fine = money \"1.00\""),
            Fault(
                breaks: "who owes fifteen borrows", "fees_owed >= money \"15.00\"", "fees_owed > money \"15.00\""),
            Fault(
                breaks: "a newspaper is lent", "{ item_type = \"newspaper\", lend = false,",
                "{ item_type = \"newspaper\", category = \"child\", lend = false,"),
            Fault(breaks: "somebody has more than forty loans", "{ max = 40 }", "{ max = 41 }"),
            Fault(
                breaks: "a game is renewed", "{ item_type = \"game\", loan = days(14), renewals = 0 }",
                "{ item_type = \"game\", loan = days(14) }"),
        ])

    /// A village library without fines, as many are: who is late waits, and what is not back after six weeks is lost.
    static let village = PromisedPolicy(
        name: "village",
        source: """
            return policy {
                api = 1,
                limits = { { category = "school", max = unlimited }, { max = 12 } },
                rules = {
                    { category = "school", loan = months(3), renewals = 1, lost_after = months(6) },
                    {
                        loan = weeks(3), renewals = 3, holds = 5, holds_per_day = 2,
                        suspension = days(1), suspension_cap = days(30),
                        lost_after = days(42), lost_fee = money "20.00", lost_refund_within = days(90),
                    },
                },
                notices = {
                    { stage = "late", after = days(7), channel = "email", subject = "Late", body = "Please." },
                    { stage = "very_late", after = days(21), charge = money "2.00", channel = "letter",
                      subject = "Late", body = "Please." },
                },
                hold = function(case)
                    if case.title.available > 0 then
                        return deny("on_shelf", "It is on the shelf.")
                    end
                    if has(case.patron.categories, "school") then
                        return allow { priority = -1 }
                    end
                end,
                renew = function(case)
                    if case.title.holds_waiting > 0 then
                        return deny("waiting", "Others wait.")
                    end
                end,
            }
            """,
        promises: """
            never("anybody is fined", "fine", function(_, decision) return decision.fine > money "0.00" end)
            never("a hold is placed on what stands on the shelf", "hold", function(case, decision)
                return case.title.available > 0 and decision.answer == "allow"
            end)
            never("a renewal keeps others waiting", "renew", function(case, decision)
                return case.title.holds_waiting > 0 and decision.answer == "allow"
            end)
            always("a loss costs at most twenty", "lost", function(_, decision)
                return decision.lost_fee == nil or decision.lost_fee <= money "20.00"
            end)
            never("a loan counts as lost before six weeks", "lost", function(case, decision)
                return decision.lost and case.loan.lost_at == nil and case.loan.days_overdue < 42
            end)
            always("a suspension ends within thirty days of the day after", "checkin", function(case, decision)
                return decision.suspended_until == nil or case.patron.suspended_until ~= nil
                    or decision.suspended_until <= date(case.now) + days(31)
            end)
            never("more than five holds are held", "hold", function(case, decision)
                return case.patron.holds >= 5 and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(
                breaks: "anybody is fined", "loan = weeks(3), renewals = 3,",
                "loan = weeks(3), fine = money \"0.10\", renewals = 3,"),
            Fault(breaks: "a hold is placed on what stands on the shelf", "available > 0", "available > 1"),
            Fault(
                breaks: "a renewal keeps others waiting", "deny(\"waiting\", \"Others wait.\")",
                "allow { despite = \"holds_waiting\" }"),
            Fault(
                breaks: "a loss costs at most twenty", "lost_fee = money \"20.00\"",
                "lost_fee = \"replacement_price\""),
            Fault(breaks: "a loan counts as lost before six weeks", "lost_after = days(42)", "lost_after = days(24)"),
            Fault(
                breaks: "a suspension ends within thirty days of the day after", "suspension_cap = days(30)",
                "suspension_cap = days(300)"),
            Fault(breaks: "more than five holds are held", "holds = 5", "holds = 6"),
        ])
}
