-- Counts titles, copies and loans of each subject, and how often a copy of it was lent.
-- For whoever shares out the budget: a high turnover wants more copies, a low one fewer. A title of several subjects
-- counts in each of them; copies that are lost or withdrawn do not count.
--
--     moonshelf run scripts/turnover_by_subject.lua
--     moonshelf run scripts/turnover_by_subject.lua --span last_year --by genre --minimum 20

report.params {
    span = { type = "period", default = "this_year", help = "which loans count" },
    by = { default = "subject", choices = { "subject", "genre", "college" }, help = "what titles are put together by" },
    minimum = { type = "integer", default = 1, help = "only subjects with at least so many copies" },
    limit = { type = "integer", default = 50, help = "how many subjects" },
}

local kept = {}
for i, group in ipairs(stats.holdings {
    group = args.by, from = args.span.from, to = args.span.to, least_copies = math.max(1, args.minimum), limit = 100000,
}) do
    kept[i] = {
        subject = group.key == "" and "(none)" or group.key,
        titles = group.titles,
        copies = group.copies,
        loans = group.loans,
        turnover = group.turnover,
    }
end
table.sort(kept, function(a, b)
    if a.turnover ~= b.turnover then return a.turnover > b.turnover end
    return a.subject < b.subject
end)

local rows, labels, values = {}, {}, {}
for i = 1, math.min(args.limit, #kept) do
    rows[i] = kept[i]
    if i <= 15 then
        labels[i] = kept[i].subject
        values[i] = math.floor(kept[i].turnover * 100 + 0.5) / 100
    end
end

report.title("Turnover by " .. args.by)
report.metric { name = "Groups", value = #kept, note = "with copies enough" }
if #labels > 1 then
    report.chart {
        kind = "bar", title = "The highest turnover", labels = labels, values = values, value_title = "loans a copy",
    }
end
report.table {
    columns = {
        { name = "subject", label = args.by },
        { name = "titles", type = "integer" },
        { name = "copies", type = "integer" },
        { name = "loans", type = "integer" },
        { name = "turnover", label = "loans a copy", type = "number" },
    },
    rows = rows,
}
