-- The lending rules of a university library: categories of readers, kinds of items, fines with a cap, suspensions
-- instead of fines for guests, three reminders, and loans that end with the semester. For a central library with a
-- reading room and laptops to lend.

local semester_ends = { date "2026-03-31", date "2026-09-30", date "2027-03-31", date "2027-09-30" }

-- The last day of the semester that a date falls into; nil beyond those that are known.
local function semester_end(day)
    for _, last in ipairs(semester_ends) do
        if day <= last then
            return last
        end
    end
end

-- Staff, and whoever is of a category below it.
local function is_staff(patron)
    return has(patron.categories, "staff")
end

return policy {
    api = 1,
    name = "university",
    description = "Lending rules of the central library",

    limits = {
        { category = "staff", max = unlimited },
        { category = "undergraduate", item_type = "book", max = 10 },
        { category = "graduate", item_type = "book", max = 30 },
        { item_type = { "dvd", "bluray" }, max = 3 },
        { item_type = "laptop", max = 1 },
        { category = "guest", max = 3 },
        { max = 40 },
    },

    rules = {
        -- What stays in the house, and what is lent by the hour.
        { item_type = "reference", lend = false, reason = "For use in the library only." },
        {
            item_type = "laptop",
            loan = hours(3),
            closed_hours = "previous_close",
            renewals = 0,
            fine = money "1.00",
            per = hours(1),
            grace = minutes(15),
            fine_cap = money "30.00",
            same_title = "refuse",
            holds = 0,
        },
        { item_type = { "dvd", "bluray" }, loan = days(7), renewals = 1, same_title = "refuse" },

        -- Textbooks of a course go round quickly.
        {
            item_type = "book",
            category = { "undergraduate", "graduate" },
            when = function(case)
                return #case.title.courses > 0 and case.title.copies < 5
            end,
            loan = days(7),
        },

        -- Categories of readers.
        { category = "staff", loan = months(6), renewals = 6, fine = none, same_title = "allow" },
        { category = "graduate", loan = weeks(8), renewals = 4, renew_not_before = days(7) },
        { category = "undergraduate", loan = weeks(4), renewals = 2, renew_not_before = days(7) },
        {
            category = "guest",
            loan = weeks(2),
            renewals = 0,
            fine = none,
            suspension = days(1),
            suspension_cap = days(90),
        },

        -- Everybody else, and what the rows above leave open.
        {
            loan = weeks(2),
            renewals = 1,
            fine = money "0.20",
            per = days(1),
            grace = days(1),
            fine_cap = money "10.00",
            fine_closed_days = false,
            same_title = "confirm",
            holds = 10,
            holds_per_day = 5,
            hold_shelf = open_days(5),
        },
    },

    notices = {
        {
            stage = "soon",
            before = days(3),
            channel = "email",
            subject = "Due soon: {{title.title}}",
            body = "Dear {{patron.name}} {{patron.surname}},\n\n{{title.title}} is due on {{loan.due}}.\n",
        },
        {
            stage = "first",
            after = days(1),
            channel = "email",
            subject = "Overdue: {{title.title}}",
            body = "Dear {{patron.name}} {{patron.surname}},\n\n"
                .. "{{title.title}} was due on {{loan.due}}. Please return it.\n",
        },
        {
            stage = "second",
            after = open_days(10),
            every = days(7),
            times = 3,
            charge = money "2.15",
            channel = "email",
            subject = "Still overdue: {{title.title}}",
            body = "Dear {{patron.name}} {{patron.surname}},\n\n"
                .. "{{title.title}} was due on {{loan.due}}. Please return it at once. "
                .. "A reminder fee has been charged.\n",
        },
    },

    messages = {
        no_copies = {
            en = "All copies of {{title.title}} are checked out. You can place a hold.",
            de = "Alle Exemplare von {{title.title}} sind verliehen. Sie können vormerken.",
        },
    },

    request = function(case)
        local patron = case.patron
        if patron.fees_owed >= money "25.00" then
            return deny("fees_owed", "Please settle your fees first.", { override = true })
        end
        if not is_staff(patron) and patron.overdue >= 5 then
            return deny("overdue", "Please return your overdue items first.", { override = true })
        end
    end,

    -- Who teaches with a title gets it before who reads it.
    hold = function(case)
        if is_staff(case.patron) and #case.title.courses > 0 then
            return allow { priority = 1 }
        end
    end,

    -- Somebody waits: who has had a title for two weeks brings it back within one, all others after two weeks.
    recall = function(case)
        local fair, soon = case.loan.lent_at + days(14), case.now + days(7)
        local last = case.calendar.next_open(fair > soon and fair or soon)
        if last < date(case.loan.due_at) then
            return last
        end
    end,

    -- Loans end after a week where more than three wait, and with the semester at the latest; not those of staff, nor
    -- those of laptops.
    due = function(case, rule)
        local is_laptop = case.copy ~= nil and has(case.copy.item_types, "laptop")
        if rule.loan == nil or is_staff(case.patron) or is_laptop then
            return nil
        end
        local last, ends = semester_end(date(case.now)), standard(case, rule)
        if case.title.holds_waiting > 3 then
            ends = case.calendar.next_open(case.now + days(7))
        end
        if last and date(ends) > last then
            local open = case.calendar.previous_open(last)
            -- Closed from before today until then: on the last day all the same.
            return open < date(case.now) and last or open
        end
        return ends
    end,
}
