-- Lists the loans that are overdue, branch by branch, with how to reach the patrons, the longest overdue first.
-- For the desk that telephones or writes. It holds names and addresses: do not leave it lying about. Nobody is asked
-- for a copy that is lost, or that they claim to have returned.
--
--     moonshelf run scripts/overdue_by_branch.lua
--     moonshelf run --format html --output overdue.html scripts/overdue_by_branch.lua --branch main --days 14

report.params {
    as_of = { type = "date", default = "today", help = "overdue on this day" },
    branch = { of = "branch", help = "only loans of this branch" },
    days = { type = "integer", default = 1, help = "late by at least so many days" },
    limit = { type = "integer", default = 5000, help = "how many loans at most" },
}

local names, rows_of, order, total = {}, {}, {}, 0
for branch in branches.each() do
    names[branch.code] = branch.name
    order[#order + 1] = branch.code
end

local function row(loan, late)
    local patron = loan.patron and patrons.get(loan.patron)
    local title = loan.title and catalogue.get(loan.title)
    local copy = loan.copy and catalogue.copy(loan.copy)
    return {
        due = loan.due_on,
        days = late,
        title = report.link("title", title),
        barcode = report.link("copy", copy),
        name = patron and report.link("patron", patron, patron.name .. " " .. patron.surname),
        email = patron and patron.email,
        phone = patron and patron.phone,
    }
end

for _, loan in ipairs(loans.overdue { as_of = args.as_of + days(1), limit = args.limit }) do
    local late = (args.as_of - loan.due_on).count
    local runs = not loan.lost_at and not loan.claimed_at
    local code = loan.branch or "-"
    if runs and late >= math.max(1, args.days) and (not args.branch or code == args.branch) then
        if not rows_of[code] then
            rows_of[code] = {}
            if not names[code] then
                names[code] = code
                order[#order + 1] = code
            end
        end
        table.insert(rows_of[code], row(loan, late))
        total = total + 1
    end
end

report.title("Overdue loans by branch")
report.metric { name = "Overdue loans", value = total }

local labels, values = {}, {}
for _, code in ipairs(order) do
    if rows_of[code] then
        labels[#labels + 1] = names[code]
        values[#values + 1] = #rows_of[code]
    end
end
if #labels > 1 then
    report.chart {
        kind = "bar", title = "Overdue loans of each branch", labels = labels, values = values,
        label_title = "branches", value_title = "loans",
    }
end

for _, code in ipairs(order) do
    if rows_of[code] then
        report.section(names[code])
        report.table {
            columns = {
                { name = "due", type = "date" },
                { name = "days", label = "days late", type = "integer" },
                "title", "barcode", "name",
                { name = "email", label = "e-mail" },
                "phone",
            },
            rows = rows_of[code],
        }
    end
end
if total == 0 then
    report.text("Nothing is overdue.")
end
