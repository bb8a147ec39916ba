-- Counts the loans of each month of a year, with the year before beside it.
-- For the annual report and for the committee that asks whether it goes up or down. Months to come stay empty, and the
-- month that is under way is compared as it stands.
--
--     moonshelf run scripts/circulation_compared.lua
--     moonshelf run scripts/circulation_compared.lua --year 2025 --measure returns --branches true

report.params {
    year = { type = "integer", help = "the year; this one if left out" },
    measure = {
        default = "loans",
        choices = { "loans", "renewals", "returns", "in_house" },
        help = "what is counted",
    },
    branches = { type = "boolean", default = false, help = "a table of the branches as well" },
}

local year = args.year or today().year
assert(year >= 2 and year <= 9998, "the year lies between 2 and 9998")

local function first(of_year)
    return date(string.format("%04d-01-01", of_year))
end

local function counts(group, of_year)
    local found = {}
    for _, line in ipairs(stats.loans_by {
        group = group, measure = args.measure, from = first(of_year), to = first(of_year + 1) - days(1),
    }) do
        found[line.key] = line.count
    end
    return found
end

-- Nothing to compare with gives no percentage.
local function change(now, before)
    if now and before > 0 then
        return (now - before) / before * 100
    end
end

local names = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December" }
local current, former = counts("month", year), counts("month", year - 1)
local rows, labels, now, before, total, total_before = {}, {}, {}, {}, 0, 0

for month = 1, 12 do
    local begins = date(string.format("%04d-%02d-01", year, month))
    local is_known = begins <= today()
    local count = is_known and (current[string.format("%04d-%02d", year, month)] or 0)
    local count_before = former[string.format("%04d-%02d", year - 1, month)] or 0
    rows[month] = {
        month = names[month],
        current = count or nil,
        former = count_before,
        difference = count and count - count_before or nil,
        change = change(count or nil, count_before),
    }
    labels[month], now[month], before[month] = names[month]:sub(1, 3), count, count_before
    if is_known then
        total = total + count
        total_before = total_before + count_before
    end
end

local function columns(label)
    return {
        { name = label },
        { name = "current", label = tostring(year), type = "integer" },
        { name = "former", label = tostring(year - 1), type = "integer" },
        { name = "difference", type = "integer" },
        { name = "change", type = "percent" },
    }
end

report.title("Circulation in " .. year .. " and the year before")
local what = args.measure == "in_house" and "uses in the house" or args.measure
report.metric { name = what:sub(1, 1):upper() .. what:sub(2) .. " in " .. year, value = total }
report.metric { name = "The same months of " .. (year - 1), value = total_before }
if today().year == year then
    report.text(names[today().month] .. " " .. year .. " is under way; it stands beside a whole month.")
end
report.chart {
    kind = "bar", title = "By month", labels = labels, value_title = what,
    series = { { name = tostring(year - 1), values = before }, { name = tostring(year), values = now } },
}
report.table { title = "By month", columns = columns("month"), rows = rows }

if args.branches then
    local here, there, by_branch = counts("branch", year), counts("branch", year - 1), {}
    for branch in branches.each() do
        local count, count_before = here[branch.code] or 0, there[branch.code] or 0
        by_branch[#by_branch + 1] = {
            branch = branch.name,
            current = count,
            former = count_before,
            difference = count - count_before,
            change = change(count, count_before),
        }
    end
    report.table { title = "By branch, whole years", columns = columns("branch"), rows = by_branch }
end
