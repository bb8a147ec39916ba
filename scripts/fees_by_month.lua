-- Sums up what was charged, paid, waived and refunded in each month, and what is owed at its end.
-- For the accounts: the last figure is what all patrons together owe, those who owe nothing any more included. Months
-- are the library's own, by its clock.
--
--     moonshelf run --allow sql scripts/fees_by_month.lua
--     moonshelf run --allow sql --format csv --output fees.csv scripts/fees_by_month.lua --span last_year

needs { "sql" }

report.params {
    span = { type = "period", default = "this_year", help = "which months are shown" },
}

-- The views count in minor units, as exact whole numbers.
local zero = money "0"
local places = #(tostring(zero):match("%.(%d+)") or "")

local function amount(minor)
    local digits = string.format("%0" .. (places + 1) .. "d", math.abs(minor))
    local whole, rest = digits:sub(1, #digits - places), digits:sub(#digits - places + 1)
    return money((minor < 0 and "-" or "") .. whole .. (places > 0 and "." .. rest or ""))
end

local from, to = args.span.from, args.span.to
local kinds = { fine = "charged", charge = "charged", adjustment = "adjusted", payment = "paid", waiver = "waived",
    refund = "refunded" }

local rows, by_month, balance, before = {}, {}, 0, 0

local function month_of(day)
    local key = string.format("%04d-%02d", day.year, day.month)
    local row = by_month[key]
    if not row then
        row = { month = key, charged = 0, adjusted = 0, paid = 0, waived = 0, refunded = 0, owed = 0 }
        by_month[key] = row
        rows[#rows + 1] = row
    end
    return row
end

-- By the hour, so that what belongs to a month is decided by the library's clock and not by that of the view.
local sums = stats.query [[
    SELECT SUBSTR(at, 1, 13) AS hour, kind, CAST(SUM(amount) AS BIGINT) AS amount
    FROM report_fees GROUP BY SUBSTR(at, 1, 13), kind ORDER BY SUBSTR(at, 1, 13), kind]]

for _, line in ipairs(sums) do
    local day = date(line.hour .. ":00:00Z")
    if to and day > to then
        break
    end
    balance = balance + line.amount
    if from and day < from then
        before = balance
    else
        local row = month_of(day)
        local kind = kinds[line.kind] or "adjusted"
        local is_credit = kind == "paid" or kind == "waived"
        row[kind] = row[kind] + (is_credit and -line.amount or line.amount)
        row.owed = balance
    end
end

local labels, charged, paid, total_charged, total_paid = {}, {}, {}, 0, 0
for i, row in ipairs(rows) do
    total_charged, total_paid = total_charged + row.charged, total_paid + row.paid
    labels[i], charged[i], paid[i] = report.name("month", row.month), amount(row.charged), amount(row.paid)
    for _, name in ipairs { "charged", "adjusted", "paid", "waived", "refunded", "owed" } do
        row[name] = amount(row[name])
    end
end

report.title("Fees charged and paid")
report.metric { name = "Charged", value = amount(total_charged) }
report.metric { name = "Paid", value = amount(total_paid) }
report.metric {
    name = "Owed at the end", value = amount(balance), note = "it was " .. tostring(amount(before)) .. " before",
}
if #rows > 1 then
    report.chart {
        kind = "bar", title = "By month", labels = labels, label_title = "months",
        series = { { name = "charged", values = charged }, { name = "paid", values = paid } },
    }
end
report.table {
    columns = {
        { name = "month", of = "month" },
        { name = "charged", type = "money" },
        { name = "adjusted", type = "money" },
        { name = "paid", type = "money" },
        { name = "waived", type = "money" },
        { name = "refunded", type = "money" },
        { name = "owed", label = "owed then", type = "money" },
    },
    rows = rows,
}
