-- The lending rules of a university library as tables alone: what a decision costs that never enters Lua. For `make bench`.

return policy {
    api = 1,
    name = "tables",
    description = "University rules, tables only",

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
}
