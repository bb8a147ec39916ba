-- Moves the due dates of open loans that fall due within a span of dates: for a strike, a flood, a long holiday.
-- For the desk's management. All loans move, or none does; each move is an event with the reason. Copies that are lost,
-- or that a patron claims to have returned, stay as they are. Look first:
--
--     moonshelf run --allow loans.write --dry-run scripts/extend_due_dates.lua --span 2026-12-24..2027-01-03
--         --due 2027-01-08 --reason "Closed between the years"
--
-- and run it without --dry-run when the list is right.

needs { "loans.write" }

report.params {
    span = { type = "period", required = true, help = "loans due on these dates are moved" },
    due = { type = "date", help = "the new due date; the first open day after the span if left out" },
    reason = { required = true, help = "why; it becomes part of each event" },
    branch = { of = "branch", help = "only loans of this branch" },
}

assert(args.span.from and args.span.to, "the span needs a beginning and an end")
local due = args.due or calendar.next_open_after(args.span.to, args.branch)
assert(due > args.span.to, "the new due date lies within the span")

local moved = {}

store.transaction(function()
    for loan in loans.each { state = "open", imported = false } do
        local falls_within = loan.due_on and loan.due_on >= args.span.from and loan.due_on <= args.span.to
        local runs = not loan.lost_at and not loan.claimed_at
        if runs and falls_within and (not args.branch or loan.branch == args.branch) then
            local changed, refusal = loans.set_due { loan = loan, due = due, reason = args.reason }
            if not changed then
                error("loan " .. loan.id .. ": " .. refusal.message)
            end
            local patron = loan.patron and patrons.get(loan.patron)
            moved[#moved + 1] = {
                loan = loan.id, patron = report.link("patron", patron), before = loan.due_on, after = changed.due_on,
            }
        end
    end
end)

report.title("Due dates moved")
report.metric { name = "Loans moved", value = #moved }
report.table {
    columns = {
        { name = "loan", type = "integer" },
        { name = "patron" },
        { name = "before", type = "date" },
        { name = "after", type = "date" },
    },
    rows = moved,
}
