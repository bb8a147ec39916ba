-- Counts loans and returns by weekday and hour: when the desk is busy.
-- For whoever makes the rota. Hours are those of the branch's clock. Imported history is left out: other systems rarely
-- know the hour.
--
--     moonshelf run scripts/load_by_hour.lua
--     moonshelf run scripts/load_by_hour.lua --span last_month --branch main

report.params {
    span = { type = "period", default = "this_year", help = "which days count" },
    branch = { of = "branch", help = "only this branch" },
}

local from, to = args.span.from, args.span.to
local names = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
local grid, by_day, lent_at_hour, returned_at_hour, lent, returned = {}, {}, {}, {}, 0, 0
for day = 1, 7 do
    grid[day], by_day[day] = {}, 0
    for hour = 0, 23 do
        grid[day][hour] = 0
    end
end
for hour = 0, 23 do
    lent_at_hour[hour], returned_at_hour[hour] = 0, 0
end

for _, line in ipairs(stats.by_hour { from = from, to = to, branch = args.branch }) do
    local both = line.loans + line.returns
    grid[line.weekday][line.hour] = both
    by_day[line.weekday] = by_day[line.weekday] + both
    lent_at_hour[line.hour] = lent_at_hour[line.hour] + line.loans
    returned_at_hour[line.hour] = returned_at_hour[line.hour] + line.returns
    lent, returned = lent + line.loans, returned + line.returns
end

-- The hours between the first and the last at which anything happens.
local first, last = 23, 0
for hour = 0, 23 do
    if lent_at_hour[hour] + returned_at_hour[hour] > 0 then
        first, last = math.min(first, hour), math.max(last, hour)
    end
end

report.title("Load by weekday and hour")
report.metric { name = "Loans", value = lent }
report.metric { name = "Returns", value = returned }

local columns, rows = { { name = "day" } }, {}
if lent + returned > 0 then
    local labels, loans_of, returns_of = {}, {}, {}
    for hour = first, last do
        local label = string.format("%02d", hour)
        columns[#columns + 1] = { name = label, type = "integer" }
        labels[#labels + 1] = label .. ":00"
        loans_of[#loans_of + 1], returns_of[#returns_of + 1] = lent_at_hour[hour], returned_at_hour[hour]
    end
    report.chart {
        kind = "bar", title = "By hour", labels = labels, label_title = "from this hour on", value_title = "requests",
        stacked = true, series = { { name = "loans", values = loans_of }, { name = "returns", values = returns_of } },
    }
    report.chart { kind = "bar", title = "By weekday", labels = names, values = by_day, value_title = "requests" }
end
columns[#columns + 1] = { name = "all", type = "integer" }
for day = 1, 7 do
    rows[day] = { day = names[day], all = by_day[day] }
    for hour = first, last do
        rows[day][string.format("%02d", hour)] = grid[day][hour]
    end
end
report.table { title = "Loans and returns", columns = columns, rows = rows }
