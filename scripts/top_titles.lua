-- Lists the titles that were lent most often in a span of dates, with their loans for each copy.
-- For whoever buys books: many loans for each copy mean that another copy would be read.
--
--     moonshelf run scripts/top_titles.lua
--     moonshelf run scripts/top_titles.lua --span this_year --limit 50

report.params {
    span = { type = "period", help = "only loans of these dates; all if left out" },
    limit = { type = "integer", default = 20, help = "how many titles" },
}

local span = args.span or {}
local counts = stats.loans_by { group = "title", from = span.from, to = span.to, limit = args.limit }

local rows = {}
for i, line in ipairs(counts) do
    local id = math.tointeger(tonumber(line.key))
    local title = id and id > 0 and catalogue.get(id)
    local copies = title and title.copies or 0
    rows[i] = {
        rank = i,
        title = title and report.link("title", title) or "(no longer in the catalogue)",
        authors = title and table.concat(title.authors, ", "),
        loans = line.count,
        copies = copies,
        turnover = copies > 0 and math.floor(line.count / copies * 100 + 0.5) / 100 or nil,
    }
end

report.title("Most lent titles")
report.table {
    columns = {
        { name = "rank", type = "integer" },
        "title", "authors",
        { name = "loans", type = "integer" },
        { name = "copies", type = "integer" },
        { name = "turnover", label = "loans a copy", type = "number" },
    },
    rows = rows,
}
