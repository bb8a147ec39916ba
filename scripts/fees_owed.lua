-- Lists the patrons who owe fees, those who owe most first, with the sum of it all.
-- For the desk and the accounts. Patrons who owe less than the minimum are left out of the list, not of the sum.
--
--     moonshelf run scripts/fees_owed.lua
--     moonshelf run scripts/fees_owed.lua --minimum 5.00 --category public

report.params {
    minimum = { type = "money", default = "0.01", help = "list patrons who owe at least this much" },
    category = { help = "only patrons of this category" },
}

local nothing = money "0"
local rows, total, debtors = {}, nothing, 0

for patron in progress(patrons.each { category = args.category }, patrons.count()) do
    local owed = fees.owed(patron)
    if owed > nothing then
        debtors = debtors + 1
        total = total + owed
        if owed >= args.minimum then
            rows[#rows + 1] = {
                patron = patron.username,
                name = patron.name .. " " .. patron.surname,
                category = patron.category,
                owed = owed,
            }
        end
    end
end

table.sort(rows, function(a, b)
    if a.owed == b.owed then return a.patron < b.patron end
    return a.owed > b.owed
end)

report.title("Fees owed")
report.metric { name = "Owed in all", value = total }
report.metric { name = "Patrons who owe", value = debtors }
report.table { columns = { "patron", "name", "category", { name = "owed", type = "money" } }, rows = rows }
