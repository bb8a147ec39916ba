-- Lists titles that could leave the shelves: old, with copies, and hardly lent for years.
-- For whoever looks after the collection; it is a list to walk along the shelves with, not a verdict. What the library
-- recommends is left out, and so is what somebody waits for or has at home.
--
--     moonshelf run scripts/weeding_candidates.lua
--     moonshelf run scripts/weeding_candidates.lua --years 5 --published-before 2005 --loans 1 --format csv

report.params {
    years = { type = "integer", default = 3, help = "how many years back loans are looked for" },
    loans = { type = "integer", default = 0, help = "lent at most so often in that time" },
    published_before = { type = "integer", help = "published before this year; ten years ago if left out" },
    limit = { type = "integer", default = 200, help = "how many titles" },
}

assert(args.years >= 1 and args.years <= 100, "years lies between 1 and 100")
local since = today() - months(12 * args.years)
local year = args.published_before or today().year - 10

local all = stats.rarely_lent_totals { since = since, most = args.loans, published_before = year, idle = true }
local rows = {}
for i, line in ipairs(stats.rarely_lent {
    since = since, most = args.loans, published_before = year, idle = true, limit = args.limit,
}) do
    local title = line.title
    rows[i] = {
        isbn = title.isbn,
        title = report.link("title", title),
        authors = table.concat(title.authors, ", "),
        year = tostring(title.year),
        copies = title.copies,
        recent = line.recent,
        ever = line.ever,
    }
end

report.title("Candidates for weeding")
report.metric { name = "Titles", value = all.titles }
report.metric { name = "Copies", value = all.copies }
local often = args.loans == 0 and "not lent" or args.loans == 1 and "lent once at most"
    or "lent " .. args.loans .. " times at most"
report.text("Published before " .. year .. ", " .. often .. " since " .. tostring(since) .. ".")
if #rows < all.titles then
    report.text("The first " .. #rows .. " of them; --limit lists more.")
end
report.table {
    columns = {
        { name = "isbn", label = "ISBN" }, "title", "authors", "year",
        { name = "copies", type = "integer" },
        { name = "recent", label = "loans since", type = "integer" },
        { name = "ever", label = "loans ever", type = "integer" },
    },
    rows = rows,
}
