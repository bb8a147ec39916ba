-- Counts the patrons who joined in each month, by the category that they have now.
-- For the annual report. Patrons who were imported joined on the day of the import; those who left the library since
-- count as "left".
--
--     moonshelf run scripts/new_patrons.lua
--     moonshelf run scripts/new_patrons.lua --span last_year

report.params {
    span = { type = "period", default = "this_year", help = "who joined on these dates" },
}

local rows, by_month, names, known, total = {}, {}, {}, {}, 0
for _, line in ipairs(stats.new_patrons { from = args.span.from, to = args.span.to, limit = 100000 }) do
    local row = by_month[line.month]
    if not row then
        row = { month = line.month, all = 0 }
        by_month[line.month] = row
        rows[#rows + 1] = row
    end
    local category = line.category or "left"
    if not known[category] then
        known[category] = true
        names[#names + 1] = category
    end
    row["c_" .. category] = (row["c_" .. category] or 0) + line.count
    row.all = row.all + line.count
    total = total + line.count
end
table.sort(names)
table.sort(rows, function(a, b) return a.month < b.month end)

local columns = { { name = "month", of = "month" } }
local labels, series = {}, {}
for _, name in ipairs(names) do
    local column = "c_" .. name
    local label = report.name("category", name)
    columns[#columns + 1] = { name = column, label = label, type = "integer" }
    local values = {}
    for i, row in ipairs(rows) do
        row[column] = row[column] or 0
        values[i] = row[column]
    end
    series[#series + 1] = { name = label, values = values }
end
columns[#columns + 1] = { name = "all", type = "integer" }
for i, row in ipairs(rows) do
    labels[i] = report.name("month", row.month)
end

report.title("New patrons")
report.metric { name = "Joined", value = total, unit = "patrons" }
if #rows > 0 then
    report.chart {
        kind = "bar", title = "By month and category", labels = labels, series = series, stacked = true,
        label_title = "months", value_title = "patrons",
    }
end
report.table { columns = columns, rows = rows }
