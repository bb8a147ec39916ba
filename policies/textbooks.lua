-- A university's textbook office: it lends, rents out and sells books for courses, and lets students sell to each
-- other. Prices with taxes as a line of their own, rentals by the day or by the semester, what staff look at before it
-- is offered, and how much anybody may have at once. Set the taxes, the semesters and the prices to your own.

local taxes = percent "6.62"

-- The last days of the semesters: what is rented for a semester comes back then.
local semester_ends = { date "2026-03-31", date "2026-09-30", date "2027-03-31", date "2027-09-30" }

-- What the office looks at itself before others see it.
local dear = money "60.00"
local many = 10

-- Categories below a category, and item types below a type, are meant with it.
local function is_staff(patron)
    return has(patron.categories, "staff")
end

-- What a field of one's own says, which files and forms may bring as a text.
local says_yes = { ["true"] = true, yes = true, ["1"] = true }
local function represents_course(patron)
    return says_yes[tostring(patron.extra.course_representative):lower()] == true
end

-- The last day of the semester that a day falls into; nil beyond those that are known.
local function semester_end(day)
    for _, last in ipairs(semester_ends) do
        if day <= last then
            return last
        end
    end
end

-- What a price is made of: what things cost, what is taken off, the taxes on the rest.
local function with_taxes(lines, reduction)
    local sum = money "0.00"
    for _, line in ipairs(lines) do
        sum = sum + line.amount
    end
    if reduction then
        local off = sum * reduction
        lines[#lines + 1] = { label = "Course representatives", amount = -off }
        sum = sum - off
    end
    local tax = sum * taxes
    if tax > money "0.00" then
        lines[#lines + 1] = { label = "Taxes (6.62 %)", amount = tax }
    end
    return lines
end

return policy {
    api = 1,
    name = "textbooks",
    description = "Lending, renting and selling textbooks for courses",

    limits = {
        { category = "staff", max = unlimited },
        { item_type = "desk_copy", max = 2 },
        { category = "undergraduate", max = 8 },
        { max = 12 },
    },

    rules = {
        -- Copies for the reading room, and those of teachers.
        { item_type = "reference", lend = false, reason = "Desk references cannot leave the office." },
        {
            item_type = "desk_copy",
            loan = hours(4),
            closed_hours = "previous_close",
            fine = money "1.00",
            per = hours(1),
        },

        -- Calculators and the like cost something by the day.
        {
            item_type = "equipment",
            loan = days(7),
            renewals = 1,
            rental = money "0.50",
            rental_per = days(1),
            rental_closed_days = false,
            fine = money "1.00",
            fine_cap = "replacement_price",
        },

        -- Textbooks go out for the semester: see `due` below.
        { category = "staff", loan = months(12), renewals = 3, fine = none },
        {
            loan = months(6),
            renewals = 0,
            fine = money "0.50",
            per = days(1),
            grace = days(2),
            fine_cap = money "20.00",
            same_title = "refuse",
            holds = 5,
        },
    },

    notices = {
        {
            stage = "soon",
            before = days(7),
            channel = "email",
            subject = "The semester is ending: please return {{title.title}}",
            body = "Dear {{patron.name}}, please bring {{title.title}} back by {{loan.due}}.",
        },
        {
            stage = "late",
            after = days(3),
            every = days(7),
            times = 3,
            channel = "email",
            subject = "Overdue: other students need {{title.title}}",
            body = "Dear {{patron.name}}, {{title.title}} was due on {{loan.due}}. "
                .. "Please return it as soon as you can.",
        },
    },

    messages = {
        stock = "Sold out. The office restocks before each semester.",
        limit = {
            en = "You have reached the number of books that the office lends at one time.", zh = "借阅数量已达上限。",
        },
    },

    -- Books are due when the semester ends, and so are rentals for which nobody says otherwise.
    due = function(case)
        if is_staff(case.patron) then
            return nil
        end
        if case.copy and not has(case.copy.item_types, "book") then
            return nil
        end
        local last = semester_end(case.now)
        local open = last and case.calendar.previous_open(last)
        -- Closed from before today until then: on the last day all the same.
        return open and open < date(case.now) and last or open
    end,

    -- Taxes on everything that costs something; who represents a course pays a tenth less where nobody but the office
    -- sells or rents out.
    price = function(case, rule)
        local lines = standard(case, rule)
        if #lines == 0 then
            return nil
        end
        local represents = represents_course(case.patron)
        local is_office = true
        for _, line in ipairs(case.lines or {}) do
            is_office = is_office and line.seller == nil
        end
        return with_taxes(lines, represents and is_office and percent "10" or nil)
    end,

    -- Titles that the catalogue lacks, what is dear, and who offers a lot are looked at first.
    publish = function(case)
        if case.suggestion then
            if case.suggestion.others >= 5 then
                return deny("too_many", "You can have at most five open suggestions at a time.")
            end
            if case.suggestion.isbn and #case.suggestion.courses > 0 and is_staff(case.patron) then
                return allow()
            end
            return review("The office reviews suggestions every week.")
        end
        if case.patron.fees_owed >= money "25.00" then
            return deny("fees_owed", "Please settle your account before you sell.")
        end
        if case.listing.others >= many then
            return deny("too_many", "You already have many offers open. Withdraw one before you add another.")
        end
        if not case.title then
            return review("The title is new to the catalogue.")
        end
        if case.listing.price and case.listing.price > dear then
            return review("The office reviews offers priced above 60.00.")
        end
        return allow()
    end,

    -- Rentals are spoken of in the inbox as well, where students look first.
    notify = function(case)
        if case.event ~= "rental_due" then
            return nil
        end
        return {
            notice {
                channel = "email",
                subject = "Please return: {{sale.title}}",
                body = "Dear {{patron.name}}, your rental of {{sale.title}} ends on {{sale.ends}}.",
            },
            notice {
                stage = "inbox",
                channel = "inbox",
                subject = "Please return: {{sale.title}}",
                body = "It ends on {{sale.ends}}.",
            },
        }
    end,
}
