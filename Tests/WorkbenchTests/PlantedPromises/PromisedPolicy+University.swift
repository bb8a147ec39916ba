// University libraries: long loans that end on fixed days, recalls, course reserves, as functions.
extension PromisedPolicy {
    /// A campus library whose loans end with the term, and which calls back what others need.
    static let campus = PromisedPolicy(
        name: "campus",
        source: """
            local terms = { date "2026-05-31", date "2026-12-20", date "2027-05-31" }

            local function term_end(day)
                for _, last in ipairs(terms) do
                    if day <= last then return last end
                end
            end

            return policy {
                api = 1,
                limits = {
                    { category = "faculty", max = 200 },
                    { category = "graduate", max = 100 },
                    { item_type = "reserve", max = 2 },
                    { category = "undergraduate", max = 50 },
                    { max = 200 },
                },
                rules = {
                    { item_type = "reserve", loan = hours(2), closed_hours = "previous_close", renewals = 0,
                      fine = money "3.00", per = hours(1), fine_cap = money "36.00" },
                    { category = "faculty", loan = months(12), renewals = 3, fine = none },
                    { category = "graduate", loan = months(4), renewals = 2 },
                    { category = "undergraduate", loan = days(28), renewals = 2 },
                    { loan = days(14), fine = money "0.50", grace = days(3), fine_cap = money "10.00" },
                },
                due = function(case, rule)
                    if case.copy ~= nil and has(case.copy.item_types, "reserve") then return nil end
                    if has(case.patron.categories, "faculty") or rule.loan == nil then return nil end
                    local last = term_end(date(case.now))
                    local ends = standard(case, rule)
                    if last and date(ends) > last then return last end
                    return ends
                end,
                recall = function(case)
                    if case.copy ~= nil and has(case.copy.item_types, "reserve") then return nil end
                    local fair, soon = date(case.loan.lent_at) + days(14), date(case.now) + days(7)
                    local ends = fair > soon and fair or soon
                    if ends < date(case.loan.due_at) then return ends end
                end,
                request = function(case)
                    if case.patron.overdue > 2 and case.actor.channel == "self" then
                        return deny("overdue", "Please come to the desk.")
                    end
                end,
            }
            """,
        promises: """
            never("a recall leaves less than a week", "recall", function(case, decision)
                return decision.due ~= nil and decision.due < date(case.now) + days(7)
            end)
            never("a recall takes a book within two weeks of its loan", "recall", function(case, decision)
                return decision.due ~= nil and decision.due < date(case.loan.lent_at) + days(14)
            end)
            always("students bring a book back by the end of the term", "due", function(case, decision)
                if within(case.patron.category, "faculty") then return true end
                if case.copy ~= nil and within(case.copy.item_type, "reserve") then return true end
                local day = date(case.now)
                return decision.due == nil or day > date "2027-05-31" or day <= date "2026-12-20"
                    or decision.due <= date "2027-05-31"
            end)
            never("a book of the faculty is fined", "fine", function(case, decision)
                return within(case.patron.category, "faculty") and not within(case.copy.item_type, "reserve")
                    and decision.fine > money "0.00"
            end)
            always("no fine is above thirty-six", "fine", function(_, decision)
                return decision.fine <= money "36.00"
            end)
            never("who has three overdue serves himself", "request", function(case, decision)
                return case.patron.overdue >= 3 and case.actor.channel == "self" and decision.answer == "allow"
            end)
            never("a reserve is renewed", "renew", function(case, decision)
                return within(case.copy.item_type, "reserve") and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(breaks: "a recall leaves less than a week", "fair > soon and fair or soon", "fair"),
            Fault(
                breaks: "a recall takes a book within two weeks of its loan", "fair > soon and fair or soon",
                "fair < soon and fair or soon"),
            Fault(
                breaks: "students bring a book back by the end of the term", "date \"2027-05-31\" }",
                "date \"2027-06-30\" }"),
            Fault(
                breaks: "students bring a book back by the end of the term", "date(ends) > last then",
                "date(ends) > last + days(7) then"),
            Fault(
                breaks: "a book of the faculty is fined", "loan = months(12), renewals = 3, fine = none",
                "loan = months(12), renewals = 3"),
            Fault(breaks: "no fine is above thirty-six", "fine_cap = money \"36.00\"", "fine_cap = money \"63.00\""),
            Fault(breaks: "who has three overdue serves himself", "overdue > 2", "overdue > 3"),
            Fault(
                breaks: "a reserve is renewed", "closed_hours = \"previous_close\", renewals = 0,",
                "closed_hours = \"previous_close\", renewals = 1,"),
        ])

    /// A faculty library: keys, laptops and theses, with rows that functions choose.
    static let faculty = PromisedPolicy(
        name: "faculty",
        source: """
            return policy {
                api = 1,
                match = { "item_type", "category" },
                rules = {
                    { loan = weeks(2), renewals = 1, fine = money "0.30", fine_cap = money "9.00" },
                    { category = "staff", loan = weeks(26), renewals = 5, fine = none },
                    { item_type = "thesis", on_site = true, lend = true, loan = hours(8),
                      closed_hours = "previous_close" },
                    { item_type = "thesis", lend = false, reason = "Theses are read here." },
                    { item_type = "laptop", loan = hours(24), fine = money "2.00", per = hours(6),
                      fine_cap = money "40.00" },
                    {
                        when = function(case) return #case.title.courses > 2 end,
                        renewals = 0,
                    },
                },
                checkout = function(case)
                    if case.copy ~= nil and has(case.copy.item_types, "laptop") then
                        if case.patron.age == nil or case.patron.age < 18 then
                            return deny("age", "Laptops are for adults.")
                        end
                        for _, loan in ipairs(case.patron.loans) do
                            if has(loan.item_types, "laptop") then
                                return deny("one_laptop", "One laptop at a time.")
                            end
                        end
                    end
                end,
                checkin = function(case)
                    if has(case.copy.item_types, "laptop") and case.loan.hours_overdue > 24 then
                        return charge { key = "overnight", amount = money "15.00", label = "Kept overnight" }
                    end
                end,
            }
            """,
        promises: """
            never("a thesis leaves the house", "checkout", function(case, decision)
                return case.copy ~= nil and within(case.copy.item_type, "thesis")
                    and not within(case.copy.item_type, "laptop")
                    and not case.request.on_site and decision.answer == "allow"
            end)
            never("a minor takes a laptop", "checkout", function(case, decision)
                return case.copy ~= nil and within(case.copy.item_type, "laptop")
                    and case.patron.age ~= nil and case.patron.age < 18
                    and decision.answer == "allow"
            end)
            never("somebody of unknown age takes a laptop", "checkout", function(case, decision)
                return case.copy ~= nil and within(case.copy.item_type, "laptop")
                    and case.patron.age == nil and decision.answer == "allow"
            end)
            always("a book is fined with nine at most", "fine", function(case, decision)
                return within(case.copy.item_type, "laptop") or decision.fine <= money "9.00"
            end)
            always("a laptop is fined with forty at most", "fine", function(_, decision)
                return decision.fine <= money "40.00"
            end)
            never("a return costs anything within the day", "checkin", function(case, decision)
                return case.loan.hours_overdue <= 24 and decision.charges ~= nil
            end)
            """,
        faults: [
            Fault(
                breaks: "a thesis leaves the house", "{ item_type = \"thesis\", on_site = true, lend = true,",
                "{ item_type = \"thesis\", lend = true,"),
            Fault(breaks: "a minor takes a laptop", "case.patron.age < 18", "case.patron.age < 16"),
            Fault(
                breaks: "somebody of unknown age takes a laptop", "case.patron.age == nil or case.patron.age < 18",
                "case.patron.age ~= nil and case.patron.age < 18"),
            Fault(breaks: "a book is fined with nine at most", ", fine_cap = money \"9.00\"", ""),
            Fault(
                breaks: "a laptop is fined with forty at most", "fine_cap = money \"40.00\"",
                "fine_cap = \"replacement_price\""),
            Fault(breaks: "a return costs anything within the day", "hours_overdue > 24", "hours_overdue >= 24"),
        ])
}
