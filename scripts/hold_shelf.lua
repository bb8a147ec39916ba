-- Lists what holds ask of the desk: the copies to fetch from the open shelves, and those that wait on the hold shelf,
-- the one to be cleared first at the top. For the desk in the morning; scan each copy that was fetched.
--
--     moonshelf run scripts/hold_shelf.lua
--     moonshelf run scripts/hold_shelf.lua --branch north --format csv

report.params {
    branch = { of = "branch", help = "only copies of this branch to fetch, and only its shelf" },
    limit = { type = "integer", default = 1000, help = "how many copies to fetch at most" },
}

local function reader(id)
    local patron = id and patrons.get(id)
    return report.link("patron", patron)
end

local fetch = {}
for _, item in ipairs(holds.pull_list { branch = args.branch, limit = args.limit }) do
    fetch[#fetch + 1] = {
        barcode = item.barcode,
        title = report.link("title", item.title, item.name),
        branch = item.branch,
        pickup = item.pickup_branch,
        patron = reader(holds.get(item.hold).patron),
    }
end

local shelf = {}
for hold in holds.each { state = "shelf", pickup_branch = args.branch } do
    local copy = hold.held_copy and catalogue.copy(hold.held_copy)
    local title = hold.title and catalogue.get(hold.title)
    shelf[#shelf + 1] = {
        clear_after = hold.shelf_until,
        barcode = report.link("copy", copy),
        title = report.link("title", title),
        branch = hold.pickup_branch,
        patron = reader(hold.patron),
        hold = hold.id,
    }
end
-- Those without a term last.
table.sort(shelf, function(a, b)
    if a.clear_after and b.clear_after and a.clear_after ~= b.clear_after then
        return a.clear_after < b.clear_after
    end
    if (a.clear_after == nil) ~= (b.clear_after == nil) then
        return a.clear_after ~= nil
    end
    return a.hold < b.hold
end)

report.title("Holds")
report.metric { name = "To fetch", value = #fetch }
report.metric { name = "On the shelf", value = #shelf }
report.section("To fetch")
report.table {
    columns = {
        "barcode", "title",
        { name = "branch", of = "branch" },
        { name = "pickup", of = "branch" },
        "patron",
    },
    rows = fetch,
}
report.section("On the shelf")
report.table {
    columns = {
        { name = "clear_after", label = "clear after", type = "instant" },
        "barcode", "title",
        { name = "branch", of = "branch" },
        "patron",
        { name = "hold", type = "integer" },
    },
    rows = shelf,
}
