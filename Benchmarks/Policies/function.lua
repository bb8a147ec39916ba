-- The lending rules of a university library with a function for each checkout, which reads a dozen facts. For `make bench`.

return policy {
    api = 1,
    name = "function",
    description = "University rules with a function",

    limits = {
        { category = "staff", max = unlimited },
        { category = "undergraduate", item_type = "book", max = 10 },
        { category = "graduate", item_type = "book", max = 30 },
        { item_type = { "dvd", "bluray" }, max = 3 },
        { item_type = "laptop", max = 1 },
        { category = "guest", max = 3 },
        { max = 40 },
    },

    rules = {
        { item_type = "reference", lend = false, reason = "Reference works stay in the library." },
        { item_type = "laptop", loan = hours(3), closed_hours = "previous_close", renewals = 0 },
        { item_type = { "dvd", "bluray" }, loan = days(7), renewals = 1, same_title = "refuse" },
        { category = "staff", loan = months(6), renewals = 6, fine = none, same_title = "allow" },
        { category = "graduate", loan = weeks(8), renewals = 4, renew_not_before = days(7) },
        { category = "undergraduate", loan = weeks(4), renewals = 2, renew_not_before = days(7) },
        { category = "guest", loan = weeks(2), renewals = 0, fine = none, suspension = days(1) },
        { loan = weeks(2), renewals = 1, fine = money "0.20", fine_cap = money "10.00", same_title = "confirm" },
    },

    checkout = function(case, rule)
        local patron, title, copy = case.patron, case.title, case.copy
        if patron.overdue > 2 or patron.lost > 0 then
            return deny("overdue", "Please return what is overdue first.")
        end
        if patron.age and patron.age < 18 and title.copies < 2 then
            return deny("young", "The only copy is for adults.")
        end
        if title.holds_waiting > title.available and copy.branch ~= patron.home_branch then
            return confirm("waiting", "Others wait for this title.")
        end
        if patron.category == "guest" and copy.item_type == "map" and rule.renewals == 0 then
            return deny("maps", "Maps are not lent to guests.")
        end
    end,
}
