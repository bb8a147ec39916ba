-- Lists the patrons who owe fees, those who owe most first, with the sum of it all.
-- For the desk and the accounts. Patrons who owe less than the minimum are left out of the list, not of the sum.
--
--     moonshelf run scripts/fees_owed.lua
--     moonshelf run scripts/fees_owed.lua --minimum 5.00 --category public

report.params {
    minimum = { type = "money", default = "0.01", help = "list patrons who owe at least this much" },
    category = { of = "category", help = "only patrons of this category" },
}

local debt = fees.debt_total { category = args.category }
local rows = {}
for i, debtor in ipairs(fees.debtors { category = args.category, least = args.minimum, limit = 100000 }) do
    local patron = debtor.patron
    rows[i] = {
        patron = report.link("patron", patron),
        name = patron.name .. " " .. patron.surname,
        category = patron.category,
        owed = debtor.owed,
    }
end

report.title("Fees owed")
report.metric { name = "Owed in all", value = debt.owed }
report.metric { name = "Patrons who owe", value = debt.patrons }
report.table {
    columns = {
        "patron", "name",
        { name = "category", of = "category" },
        { name = "owed", type = "money" },
    },
    rows = rows,
}
