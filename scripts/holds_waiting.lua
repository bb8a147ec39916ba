-- Lists the holds that have waited too long, with how many copies there are and how many patrons wait.
-- For whoever buys books, and for the desk that should say something to the patron. Where many wait for few copies,
-- another copy is due; where nobody has the copy, somebody should look for it.
--
--     moonshelf run scripts/holds_waiting.lua
--     moonshelf run scripts/holds_waiting.lua --days 60 --branch north

report.params {
    days = { type = "integer", default = 30, help = "waiting for at least so many days" },
    branch = { of = "branch", help = "only holds to be picked up there" },
    limit = { type = "integer", default = 500, help = "how many holds" },
}

local found, queue = {}, {}
local spans = { { 7, "up to a week" }, { 30, "up to 30 days" }, { 90, "up to 90 days" }, { 365, "up to a year" } }
local labels, values = {}, {}
for i, span in ipairs(spans) do
    labels[i], values[i] = span[2], 0
end
labels[#labels + 1], values[#values + 1] = "longer", 0

local function place(waited)
    for i, span in ipairs(spans) do
        if waited <= span[1] then
            return i
        end
    end
    return #spans + 1
end

local count = 0
for hold in holds.each { state = "waiting", pickup_branch = args.branch } do
    local waited = (today() - hold.placed_at.date).count
    count = count + 1
    values[place(waited)] = values[place(waited)] + 1
    if hold.title then
        queue[hold.title] = (queue[hold.title] or 0) + 1
    end
    if waited >= args.days then
        found[#found + 1] = { hold = hold, waited = waited }
    end
end
table.sort(found, function(a, b)
    if a.waited ~= b.waited then return a.waited > b.waited end
    return a.hold.id < b.hold.id
end)

local rows = {}
for i = 1, math.min(args.limit, #found) do
    local hold = found[i].hold
    local title = hold.title and catalogue.get(hold.title)
    local patron = hold.patron and patrons.get(hold.patron)
    rows[i] = {
        since = hold.placed_at.date,
        days = found[i].waited,
        title = report.link("title", title),
        copies = title and title.copies,
        available = title and title.available,
        waiting = hold.title and queue[hold.title],
        patron = report.link("patron", patron),
        email = patron and patron.email,
        branch = hold.pickup_branch,
    }
end

report.title("Holds that wait too long")
report.metric { name = "Waiting", value = count, unit = "holds" }
report.metric { name = "Too long", value = #found, unit = "holds", note = "for " .. args.days .. " days or more" }
if count > 0 then
    report.chart {
        kind = "bar", title = "How long holds have waited", labels = labels, values = values, value_title = "holds",
    }
end
report.table {
    columns = {
        { name = "since", type = "date" },
        { name = "days", type = "integer" },
        "title",
        { name = "copies", type = "integer" },
        { name = "available", type = "integer" },
        { name = "waiting", label = "patrons waiting", type = "integer" },
        "patron",
        { name = "email", label = "e-mail" },
        { name = "branch", of = "branch" },
    },
    rows = rows,
}
