-- Takes stock of a shelf: barcodes that were scanned there are held against what stands there by the catalogue.
--
-- The shelf of a title is `extra.shelf` of its record. What was seen is marked with the day; `unseen` lists what was
-- not seen for long.

--- The copies of a branch whose titles belong to a shelf, by barcode; every shelf where none is given.
local function copies_of(branch, shelf)
    local found = {}
    for title in catalogue.each {} do
        if shelf == nil or (title.extra and title.extra.shelf == shelf) then
            for _, copy in ipairs(catalogue.copies(title.id)) do
                if copy.branch == branch and copy.status ~= "withdrawn" then
                    found[copy.barcode] = { copy = copy, title = title }
                end
            end
        end
    end
    return found
end

--- What is wrong with a copy that stands on the shelf; nil: nothing.
local function wrong_with(copy, expected, branch)
    if copy == nil then
        return "unknown"
    elseif copy.status ~= "available" then
        return copy.status
    elseif not expected[copy.barcode] then
        return copy.branch == branch and "misplaced" or "misplaced, of " .. copy.branch
    end
end

local function take_stock(args)
    local branch = args.branch
    local expected, rows, seen, count = copies_of(branch, args.shelf), {}, {}, 0
    for line in args.list.lines() do
        local barcode = line:match("^%s*(.-)%s*$")
        if barcode ~= "" and not seen[barcode] then
            seen[barcode] = true
            count = count + 1
            local copy = catalogue.copy(barcode)
            local wrong = wrong_with(copy, expected, branch)
            if wrong then
                local title = copy and catalogue.get(copy.title).title or ""
                rows[#rows + 1] = { what = wrong, barcode = barcode, title = title }
            end
            if copy then
                state.set("seen " .. copy.id, tostring(today()))
            end
        end
    end
    for barcode, entry in pairs(expected) do
        if entry.copy.status == "available" and not seen[barcode] then
            rows[#rows + 1] = { what = "missing", barcode = barcode, title = entry.title.title }
        end
    end
    report.title("Stock of " .. args.shelf)
    report.metric { name = "scanned", value = count }
    report.table { columns = { "what", "barcode", "title" }, rows = rows }
end

local function list_unseen(args)
    local rows = {}
    for barcode, entry in pairs(copies_of(args.branch)) do
        local seen = state.get("seen " .. entry.copy.id)
        if entry.copy.status == "available" and (not seen or date(seen) < args.since) then
            rows[#rows + 1] = { barcode = barcode, title = entry.title.title, seen = seen or "never" }
        end
    end
    report.table { columns = { "barcode", "title", "seen" }, rows = rows }
end

return plugin {
    api = 1,
    name = "stocktaking",
    version = "1.0.0",
    description = "Holds what was scanned on a shelf against the catalogue",
    commands = {
        {
            name = "stocktaking",
            help = "hold the barcodes that were scanned on a shelf against the catalogue",
            parameters = {
                shelf = { type = "text", required = true, help = "extra.shelf of the titles" },
                list = { type = "file", default = "-", help = "a barcode in each line; - is standard input" },
                branch = { type = "text", default = "main", help = "where the shelf stands" },
            },
            run = take_stock,
        },
        {
            name = "unseen",
            help = "list what should stand on the shelves and was not seen since a day",
            parameters = { since = { type = "date", required = true }, branch = { type = "text", default = "main" } },
            run = list_unseen,
        },
    },
}
