-- Shows what happens on the market: orders and their value month by month, what is offered, and what is rented out.
-- For whoever looks after the market. Orders that were cancelled count apart and bring nothing.
--
--     moonshelf run scripts/market_activity.lua
--     moonshelf run --format html --output market.html scripts/market_activity.lua --span last_year

report.params {
    span = { type = "period", default = "this_year", help = "which orders count" },
    limit = { type = "integer", default = 10000, help = "how many orders and listings at most, the latest first" },
}

local from, to = args.span.from, args.span.to
local nothing = money "0"
local by_month, months_found = {}, {}
local orders, cancelled, turnover = 0, 0, nothing

for _, order in ipairs(market.orders { limit = args.limit }) do
    local day = order.placed_at.date
    if (not from or day >= from) and (not to or day <= to) then
        local key = string.format("%04d-%02d", day.year, day.month)
        local row = by_month[key]
        if not row then
            row = { month = key, orders = 0, cancelled = 0, bought = 0, rented = 0, value = nothing }
            by_month[key] = row
            months_found[#months_found + 1] = row
        end
        if order.state == "cancelled" then
            row.cancelled = row.cancelled + 1
            cancelled = cancelled + 1
        else
            row.orders = row.orders + 1
            row.value = row.value + order.total
            orders = orders + 1
            turnover = turnover + order.total
            for _, item in ipairs(order.items) do
                local name = item.kind == "rent" and "rented" or "bought"
                row[name] = row[name] + item.quantity
            end
        end
    end
end
table.sort(months_found, function(a, b) return a.month < b.month end)

local offers, by_kind, offered = {}, {}, 0
for _, listing in ipairs(market.listings { state = "all", limit = args.limit }) do
    local row = by_kind[listing.kind]
    if not row then
        row = { kind = listing.kind, active = 0, review = 0, other = 0, pieces = 0 }
        by_kind[listing.kind] = row
        offers[#offers + 1] = row
    end
    local state = (listing.state == "active" or listing.state == "review") and listing.state or "other"
    row[state] = row[state] + 1
    if state == "active" then
        row.pieces = row.pieces + listing.quantity
        offered = offered + 1
    end
end
table.sort(offers, function(a, b) return a.kind < b.kind end)

local rentals, late = 0, 0
for _, rental in ipairs(market.rentals { limit = args.limit }) do
    rentals = rentals + 1
    if rental.ends_on < today() then
        late = late + 1
    end
end

report.title("Activity on the market")
report.metric { name = "Orders", value = orders, note = cancelled .. " were cancelled" }
report.metric { name = "Their value", value = turnover }
report.metric { name = "Offered now", value = offered, unit = "listings" }
report.metric { name = "Rented out now", value = rentals, note = late .. " should be back" }

if #months_found > 1 then
    local labels, values = {}, {}
    for i, row in ipairs(months_found) do
        labels[i], values[i] = report.name("month", row.month), row.value
    end
    report.chart {
        kind = "bar", title = "Value of orders by month", labels = labels, values = values, label_title = "months",
        value_title = "value",
    }
end
report.table {
    title = "Orders by month",
    columns = {
        { name = "month", of = "month" },
        { name = "orders", type = "integer" },
        { name = "cancelled", type = "integer" },
        { name = "bought", label = "pieces bought", type = "integer" },
        { name = "rented", label = "pieces rented", type = "integer" },
        { name = "value", type = "money" },
    },
    rows = months_found,
}
report.table {
    title = "Listings",
    columns = {
        { name = "kind", of = "word" },
        { name = "active", type = "integer" },
        { name = "review", label = "in review", type = "integer" },
        { name = "other", label = "over or hidden", type = "integer" },
        { name = "pieces", label = "pieces to be had", type = "integer" },
    },
    rows = offers,
}
