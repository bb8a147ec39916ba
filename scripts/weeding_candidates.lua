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

local recent, ever = {}, {}
for _, line in ipairs(stats.loans_by { group = "title", from = since }) do
    recent[math.tointeger(tonumber(line.key)) or 0] = line.count
end
for _, line in ipairs(stats.loans_by { group = "title" }) do
    ever[math.tointeger(tonumber(line.key)) or 0] = line.count
end

local wanted = {}
for _, state in ipairs { "waiting", "transit", "shelf" } do
    for hold in holds.each { state = state } do
        if hold.title then
            wanted[hold.title] = true
        end
    end
end

local found = {}
for title in progress(catalogue.each {}, catalogue.count {}) do
    local is_old = title.year and title.year < year
    local rests = title.copies > 0 and title.on_loan == 0 and not title.recommended and not wanted[title.id]
    if is_old and rests and (recent[title.id] or 0) <= args.loans then
        found[#found + 1] = {
            isbn = title.isbn,
            title = title.title,
            authors = table.concat(title.authors, ", "),
            year = tostring(title.year),
            copies = title.copies,
            recent = recent[title.id] or 0,
            ever = ever[title.id] or 0,
            published = title.year,
            id = title.id,
        }
    end
end
table.sort(found, function(a, b)
    if a.recent ~= b.recent then return a.recent < b.recent end
    if a.ever ~= b.ever then return a.ever < b.ever end
    if a.published ~= b.published then return a.published < b.published end
    return a.id < b.id
end)

local rows, copies = {}, 0
for i = 1, math.min(args.limit, #found) do
    local line = found[i]
    line.published, line.id = nil, nil
    rows[i] = line
end
for _, line in ipairs(found) do
    copies = copies + line.copies
end

report.title("Candidates for weeding")
report.metric { name = "Titles", value = #found }
report.metric { name = "Copies", value = copies }
local often = args.loans == 0 and "not lent" or args.loans == 1 and "lent once at most"
    or "lent " .. args.loans .. " times at most"
report.text("Published before " .. year .. ", " .. often .. " since " .. tostring(since) .. ".")
if #rows < #found then
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
