-- Lists the loans that are overdue, the longest overdue first, with the patrons to ask for them.
-- For the desk: print it in the morning, or save it as CSV for a spreadsheet. Nobody is asked for a copy that is lost,
-- or that they claim to have returned.
--
--     moonshelf run scripts/overdue.lua
--     moonshelf run scripts/overdue.lua --as-of 2026-12-31 --category staff

report.params {
    as_of = { type = "date", default = "today", help = "overdue on this day" },
    category = { of = "category", help = "only patrons of this category" },
    limit = { type = "integer", default = 1000, help = "how many loans at most" },
}

local rows, patron_count, seen = {}, 0, {}

for _, loan in ipairs(loans.overdue { as_of = args.as_of + days(1), limit = args.limit }) do
    local runs = not loan.lost_at and not loan.claimed_at
    if runs and loan.due_on < args.as_of and (not args.category or loan.category == args.category) then
        local patron = loan.patron and patrons.get(loan.patron)
        local title = loan.title and catalogue.get(loan.title)
        local copy = loan.copy and catalogue.copy(loan.copy)
        rows[#rows + 1] = {
            due = loan.due_on,
            days = (args.as_of - loan.due_on).count,
            title = report.link("title", title),
            barcode = report.link("copy", copy),
            patron = report.link("patron", patron),
            name = patron and (patron.name .. " " .. patron.surname),
            loan = loan.id,
        }
        if loan.patron and not seen[loan.patron] then
            seen[loan.patron] = true
            patron_count = patron_count + 1
        end
    end
end

report.title("Overdue loans")
report.metric { name = "Overdue loans", value = #rows }
report.metric { name = "Patrons", value = patron_count }
report.table {
    columns = {
        { name = "due", type = "date" },
        { name = "days", label = "days late", type = "integer" },
        "title", "barcode", "patron", "name",
        { name = "loan", type = "integer" },
    },
    rows = rows,
}
