-- Lists the carts that nobody has touched for a while, with what is in them and what it would cost.
-- For whoever looks after the market and the web: a word to the patron may help, or nothing in it can be had any more.
--
--     moonshelf run scripts/abandoned_carts.lua
--     moonshelf run scripts/abandoned_carts.lua --days 14

report.params {
    days = { type = "integer", default = 7, help = "nothing was added for at least so many days" },
}

local nothing = money "0"
local rows, carts, lines, value = {}, 0, 0, nothing
local kinds, counts = { "loan", "buy", "rent" }, { loan = 0, buy = 0, rent = 0 }

for patron in progress(patrons.each {}, patrons.count()) do
    local items = cart.items(patron)
    if #items > 0 then
        carts = carts + 1
        local latest, sum, names = items[1].added_at, nothing, {}
        for i, item in ipairs(items) do
            if item.added_at > latest then
                latest = item.added_at
            end
            if item.price then
                sum = sum + item.price * item.quantity
            end
            names[i] = item.name
        end
        local age = (today() - latest.date).count
        if age >= args.days then
            for _, item in ipairs(items) do
                counts[item.kind] = counts[item.kind] + 1
            end
            lines, value = lines + #items, value + sum
            rows[#rows + 1] = {
                since = latest.date,
                days = age,
                patron = report.link("patron", patron),
                username = patron.username,
                email = patron.email,
                lines = #items,
                price = sum,
                titles = table.concat(names, "; "),
            }
        end
    end
end
table.sort(rows, function(a, b)
    if a.days ~= b.days then return a.days > b.days end
    return a.username < b.username
end)

report.title("Abandoned carts")
report.metric { name = "Abandoned", value = #rows, unit = "carts", note = "of " .. carts .. " that hold something" }
report.metric { name = "Lines in them", value = lines }
report.metric { name = "Their prices", value = value, note = "of what is to be bought or rented, a period each" }
if lines > 0 then
    local values = {}
    for i, kind in ipairs(kinds) do
        values[i] = counts[kind]
    end
    report.chart {
        kind = "pie", title = "What was left in carts", labels = { "to borrow", "to buy", "to rent" }, values = values,
        value_title = "lines",
    }
end
report.table {
    columns = {
        { name = "since", label = "untouched since", type = "date" },
        { name = "days", type = "integer" },
        "patron",
        { name = "email", label = "e-mail" },
        { name = "lines", type = "integer" },
        { name = "price", type = "money" },
        "titles",
    },
    rows = rows,
}
