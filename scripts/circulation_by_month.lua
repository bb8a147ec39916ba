-- Counts the loans of each month, over everything recorded or over a span of dates.
-- For the annual report and for planning: imported history counts as well.
--
--     moonshelf run scripts/circulation_by_month.lua
--     moonshelf run scripts/circulation_by_month.lua --span last_year --measure renewals

report.params {
    span = { type = "period", help = "only these dates, such as last_year or 2025-09-01..2026-06-30" },
    measure = {
        default = "loans",
        choices = { "loans", "renewals", "returns", "in_house" },
        help = "what is counted",
    },
}

local span = args.span or {}
local counts = stats.loans_by { group = "month", measure = args.measure, from = span.from, to = span.to }

local rows, months, values, total = {}, {}, {}, 0
for i, line in ipairs(counts) do
    rows[i] = { month = line.key, [args.measure] = line.count }
    months[i], values[i] = report.name("month", line.key), line.count
    total = total + line.count
end

report.title("Circulation by month")
report.metric { name = "Total", value = total, unit = args.measure }
if #rows > 1 then
    report.chart { kind = "bar", title = "By month", labels = months, values = values, value_title = args.measure }
end
report.table {
    columns = { { name = "month", type = "text", of = "month" }, { name = args.measure, type = "integer" } },
    rows = rows,
}
