-- Shows how old the collection is: titles and copies by decade of publication, and the middle year.
-- For whoever buys and weeds. Copies that are lost or withdrawn do not count; titles without a year stand apart.
--
--     moonshelf run scripts/collection_age.lua
--     moonshelf run scripts/collection_age.lua --genre Fiction --since 1950

report.params {
    genre = { help = "only titles of this genre" },
    since = { type = "integer", default = 1900, help = "titles published before this year stand in one line" },
}

local before = "before " .. args.since
local found, by_name, titles, copies, dated = {}, {}, 0, 0, {}

local function decade(year)
    if not year then return "without a year", math.maxinteger end
    if year < args.since then return before, math.mininteger end
    local start = year - year % 10
    return start .. "s", start
end

for _, line in ipairs(stats.collection { genre = args.genre }) do
    local name, place = decade(line.year)
    local row = by_name[name]
    if not row then
        row = { decade = name, place = place, titles = 0, copies = 0, on_loan = 0 }
        by_name[name] = row
        found[#found + 1] = row
    end
    row.titles = row.titles + line.titles
    row.copies = row.copies + line.copies
    row.on_loan = row.on_loan + line.on_loan
    titles, copies = titles + line.titles, copies + line.copies
    if line.year then
        dated[#dated + 1] = line
    end
end
table.sort(found, function(a, b) return a.place < b.place end)

-- The year that half of the copies are older than; the years come in their order.
local half, middle = 0, nil
for _, line in ipairs(dated) do
    half = half + line.copies
end
half = half / 2
for _, line in ipairs(dated) do
    half = half - line.copies
    if half <= 0 then
        middle = line.year
        break
    end
end

local labels, values, rows = {}, {}, {}
for i, row in ipairs(found) do
    labels[i], values[i] = row.decade, row.copies
    rows[i] = {
        decade = row.decade,
        titles = row.titles,
        copies = row.copies,
        share = row.copies / copies * 100,
        on_loan = row.on_loan,
    }
end

report.title("Age of the collection")
report.metric { name = "Titles", value = titles }
report.metric { name = "Copies", value = copies }
if middle then
    report.metric { name = "Middle year", value = tostring(middle), note = "half of the copies are older" }
end
if #rows > 1 then
    report.chart {
        kind = "bar", title = "Copies by decade of publication", labels = labels, values = values,
        label_title = "published", value_title = "copies",
    }
end
report.table {
    columns = {
        { name = "decade", label = "published" },
        { name = "titles", type = "integer" },
        { name = "copies", type = "integer" },
        { name = "share", label = "of all copies", type = "percent" },
        { name = "on_loan", label = "lent now", type = "integer" },
    },
    rows = rows,
}
