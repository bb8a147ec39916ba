// Consortia and special libraries: trees of categories, required modules, money and dates.
extension PromisedPolicy {
    /// Branches that share a file of terms and differ in their own rows.
    static let consortium = PromisedPolicy(
        name: "consortium",
        source: """
            local terms = require "shared.terms"
            local people = require "shared.people"

            return policy {
                api = 1,
                limits = {
                    { category = "partner", max = terms.partner_limit },
                    { category = "member", max = terms.member_limit },
                },
                rules = {
                    { branch = "mountain", loan = days(42), renewals = 1 },
                    { category = "partner", copy_branch = "valley", lend = false, reason = "Not for partners." },
                    { loan = terms.loan, renewals = 2, fine = terms.fine, fine_cap = terms.cap, holds = 10 },
                },
                request = function(case)
                    if not people.is_known(case.patron) then
                        return deny("stranger", "Please join the library.")
                    end
                    if people.is_blocked(case.patron) then
                        return deny("blocked", "Please ask at your own library.")
                    end
                end,
                hold = function(case)
                    if people.is_partner(case.patron) and case.hold.pickup_branch ~= case.patron.home_branch then
                        return deny("pickup", "Partners pick up at home.")
                    end
                end,
            }
            """,
        modules: [
            "shared/terms.lua": """
            return {
                loan = days(28),
                fine = money "0.25",
                cap = money "5.00",
                partner_limit = 10,
                member_limit = 60,
            }
            """,
            "shared/people.lua": """
            local people = {}

            function people.is_partner(patron)
                return has(patron.categories, "partner")
            end

            function people.is_known(patron)
                return people.is_partner(patron) or has(patron.categories, "member")
            end

            function people.is_blocked(patron)
                return people.is_partner(patron) and (patron.overdue > 0 or patron.fees_owed > money "0.00")
            end

            return people
            """,
        ],
        promises: """
            never("a partner who owes anything borrows", "request", function(case, decision)
                return within(case.patron.category, "partner") and case.patron.fees_owed > money "0.00"
                    and decision.answer == "allow"
            end)
            never("a partner who is late borrows", "request", function(case, decision)
                return within(case.patron.category, "partner") and case.patron.overdue > 0
                    and decision.answer == "allow"
            end)
            never("a partner has more than ten", "checkout", function(case, decision)
                return within(case.patron.category, "partner") and #case.patron.loans >= 10
                    and decision.answer == "allow"
            end)
            never("a stranger borrows", "request", function(case, decision)
                return not within(case.patron.category, "partner") and not within(case.patron.category, "member")
                    and decision.answer == "allow"
            end)
            always("a fine is at most five", "fine", function(_, decision) return decision.fine <= money "5.00" end)
            never("a partner picks up elsewhere", "hold", function(case, decision)
                return within(case.patron.category, "partner") and case.hold.pickup_branch ~= case.patron.home_branch
                    and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(
                breaks: "a partner who owes anything borrows", "patron.fees_owed > money \"0.00\"",
                "patron.fees_owed > money \"0.05\""),
            Fault(
                breaks: "a partner who is late borrows", "(patron.overdue > 0 or patron",
                "(patron.overdue > 0 and patron"),
            Fault(breaks: "a partner has more than ten", "partner_limit = 10", "partner_limit = 100"),
            Fault(
                breaks: "a stranger borrows", "or has(patron.categories, \"member\")", "or patron.home_branch ~= \"\""),
            Fault(breaks: "a fine is at most five", "cap = money \"5.00\"", "cap = money \"5.01\""),
            Fault(
                breaks: "a partner picks up elsewhere", "return has(patron.categories, \"partner\")",
                "return patron.category == \"partner\""),
        ])

    /// An archive: nothing leaves, appointments, copies that cost.
    static let archive = PromisedPolicy(
        name: "archive",
        source: """
            local reader_age = 16
            return policy {
                api = 1,
                limits = { { on_site = true, max = 5 } },
                rules = {
                    { on_site = true, lend = true, loan = hours(6), closed_hours = "previous_close",
                      rental = money "1.50" },
                    { lend = false, reason = "Nothing leaves the archive." },
                },
                request = function(case)
                    if not case.request.on_site then
                        return deny("on_site", "Nothing leaves the archive.")
                    end
                    if case.request.size > 3 then
                        return confirm("many", "More than three boxes at once?")
                    end
                end,
                checkout = function(case)
                    local closed = case.title.extra.closed_until
                    if type(closed) == "number" and closed > 2026 then
                        return deny("closed", "The file is closed.")
                    end
                    if case.patron.age ~= nil and case.patron.age < reader_age then
                        return deny("age", "Readers are sixteen or older.")
                    end
                end,
            }
            """,
        promises: """
            never("anything leaves the archive", "request", function(case, decision)
                return not case.request.on_site and decision.answer ~= "deny"
            end)
            never("a box leaves the archive", "checkout", function(case, decision)
                return not case.request.on_site and decision.answer == "allow"
            end)
            never("a closed file is read", "checkout", function(case, decision)
                local closed = case.title.extra.closed_until
                return type(closed) == "number" and closed > 2026 and decision.answer == "allow"
            end)
            never("a child reads", "checkout", function(case, decision)
                return case.patron.age == 15 and decision.answer == "allow"
            end)
            always("reading costs one fifty", "checkout", function(_, decision)
                return decision.answer ~= "allow" or decision.rental == money "1.50"
            end)
            never("four boxes are taken at once unasked", "request", function(case, decision)
                return case.request.size >= 4 and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(
                breaks: "anything leaves the archive",
                "if not case.request.on_site then\n            return deny(\"on_site\"",
                "if not case.request.on_site and case.request.size > 1 then\n            return deny(\"on_site\""),
            Fault(
                breaks: "a box leaves the archive",
                "{ on_site = true, lend = true, loan = hours(6)", "{ lend = true, loan = hours(6)"),
            Fault(breaks: "a closed file is read", "closed > 2026", "closed > 2027"),
            Fault(breaks: "a child reads", "local reader_age = 16", "local reader_age = 15"),
            Fault(
                breaks: "reading costs one fifty", "rental = money \"1.50\"",
                "rental = money \"1.50\", rental_per = hours(1)"),
            Fault(breaks: "four boxes are taken at once unasked", "size > 3", "size > 4"),
        ])

    /// A library of things and films that asks for money, with reminders that cost.
    static let lending = PromisedPolicy(
        name: "lending",
        source: """
            local steps = { money "2.50", money "5.00", money "10.00" }

            return policy {
                api = 1,
                limits = { { item_type = "film", max = 4 }, { max = 30 } },
                rules = {
                    { item_type = "film", loan = days(3), rental = money "2.00", rental_per = days(3),
                      fine = money "1.00", fine_cap = money "15.00" },
                    { category = "reduced", rental = none },
                    { loan = weeks(4), renewals = 2, lost_after = days(61) },
                },
                overdue = function(case)
                    local late = case.loan.days_overdue
                    if late >= 7 then
                        local step = math.min(late // 7, 3)
                        return charge { key = "reminder", amount = steps[step], label = "Reminder" }
                    end
                end,
                lost = function(case)
                    local price = case.copy.replacement_price or money "30.00"
                    return declare_lost { fee = price < money "10.00" and money "10.00" or price }
                end,
            }
            """,
        promises: """
            never("a reminder comes in the first week", "overdue", function(case, decision)
                return case.loan.days_overdue < 7 and decision.charges ~= nil
            end)
            always("a reminder costs ten at most", "overdue", function(_, decision)
                for _, line in ipairs(decision.charges or {}) do
                    if line.amount > money "10.00" then return false end
                end
                return true
            end)
            never("a loss is cheaper than ten", "lost", function(_, decision)
                return decision.lost_fee ~= nil and decision.lost_fee < money "10.00"
            end)
            never("a loan is lost within sixty days", "lost", function(case, decision)
                return decision.lost and case.loan.lost_at == nil and case.loan.days_overdue <= 60
            end)
            always("a film is fined with fifteen at most", "fine", function(_, decision)
                return decision.fine <= money "15.00"
            end)
            """,
        faults: [
            Fault(
                breaks: "a reminder comes in the first week",
                "if late >= 7 then\n            local step = math.min(late // 7, 3)",
                "if late >= 6 then\n            local step = math.min(late // 6, 3)"),
            Fault(breaks: "a reminder costs ten at most", "money \"10.00\" }", "money \"12.00\" }"),
            Fault(
                breaks: "a loss is cheaper than ten", "price < money \"10.00\" and money \"10.00\" or price", "price"),
            Fault(breaks: "a loan is lost within sixty days", "lost_after = days(61)", "lost_after = days(60)"),
            Fault(
                breaks: "a film is fined with fifteen at most", "fine_cap = money \"15.00\"",
                "fine_cap = \"replacement_price\""),
        ])

    /// A library of toys in a tree of types, with loans that end before the holidays.
    static let toys = PromisedPolicy(
        name: "toys",
        source: """
            local holidays = date "2026-12-18"

            local function is(copy, kind)
                return copy ~= nil and has(copy.item_types, kind)
            end

            return policy {
                api = 1,
                limits = { { item_type = "large", max = 1 }, { category = "nursery", max = 20 }, { max = 4 } },
                rules = {
                    { item_type = "large", loan = weeks(2), renewals = 0, holds = 1 },
                    { category = "nursery", loan = weeks(6), renewals = 1 },
                    { loan = weeks(3), renewals = 1, holds = 2, same_title = "refuse" },
                },
                due = function(case, rule)
                    if rule.loan == nil then return nil end
                    local ends = standard(case, rule)
                    if date(case.now) <= holidays and date(ends) > holidays then
                        return holidays
                    end
                    return ends
                end,
                checkin = function(case)
                    if case.loan.days_overdue > 14 then
                        return suspend(days(case.loan.days_overdue > 60 and 60 or case.loan.days_overdue))
                    end
                end,
                hold = function(case)
                    if case.hold.placed_today >= 1 and not has(case.patron.categories, "nursery") then
                        return deny("tomorrow", "One a day.")
                    end
                end,
            }
            """,
        promises: """
            always("toys are back before the holidays", "due", function(case, decision)
                return decision.due == nil or date(case.now) > date "2026-12-18" or decision.due <= date "2026-12-18"
            end)
            never("a family has a fifth toy", "checkout", function(case, decision)
                return not within(case.patron.category, "nursery") and #case.patron.loans > 3
                    and decision.answer == "allow"
            end)
            never("two weeks late is punished", "checkin", function(case, decision)
                return case.loan.days_overdue <= 14 and decision.suspended_until ~= nil
            end)
            always("nobody waits longer than sixty days", "checkin", function(case, decision)
                return decision.suspended_until == nil or decision.suspended_until <= date(case.now) + days(60)
            end)
            never("a family places a second hold on one day", "hold", function(case, decision)
                return case.hold.placed_today > 0 and not within(case.patron.category, "nursery")
                    and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(
                breaks: "toys are back before the holidays", "date(case.now) <= holidays and",
                "date(case.now) < holidays and"),
            Fault(
                breaks: "toys are back before the holidays", "return holidays\n",
                "return case.calendar.next_open(holidays)\n"),
            Fault(breaks: "a family has a fifth toy", "{ max = 4 }", "{ category = \"family\", max = 4 }"),
            Fault(breaks: "two weeks late is punished", "days_overdue > 14", "days_overdue > 13"),
            Fault(
                breaks: "nobody waits longer than sixty days", "days_overdue > 60 and 60", "days_overdue > 90 and 60"),
            Fault(breaks: "a family places a second hold on one day", "placed_today >= 1", "placed_today > 1"),
        ])
}
