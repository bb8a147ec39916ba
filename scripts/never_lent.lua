-- Lists the titles that nobody has borrowed, ever or since a date: candidates for the display table, or for weeding.
-- For whoever looks after the collection. Imported history counts as lending.
--
--     moonshelf run scripts/never_lent.lua
--     moonshelf run scripts/never_lent.lua --since 2024-01-01 --limit 500

report.params {
    since = { type = "date", help = "not lent on this day or later; never at all if left out" },
    limit = { type = "integer", default = 100, help = "how many titles at most" },
}

-- All are counted, also those for which the list has no room.
local all = stats.rarely_lent_totals { since = args.since }
local rows = {}
for i, title in ipairs(stats.never_lent { since = args.since, limit = args.limit }) do
    rows[i] = {
        isbn = title.isbn,
        title = report.link("title", title),
        authors = table.concat(title.authors, ", "),
        year = title.year,
        copies = title.copies,
    }
end

report.title(args.since and "Titles that were not lent" or "Titles that were never lent")
report.metric { name = "Titles", value = all.titles }
report.metric { name = "Copies", value = all.copies }
if #rows < all.titles then
    report.text("The first " .. #rows .. " of them; --limit lists more.")
end
report.table {
    columns = {
        { name = "isbn", label = "ISBN" }, "title", "authors",
        { name = "year", type = "integer" },
        { name = "copies", type = "integer" },
    },
    rows = rows,
}
