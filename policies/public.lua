-- The lending rules of a town's public library: adults, children without fines, families with one card for all, films
-- for a week, reference works for the reading room. For a small library with one desk.

-- A child may not take what is meant for adults: where the title's own field `audience` begins with "adult", or says an
-- age of 18 or more, be it a number or a text such as "18+" or "FSK 18".
local function is_for_adults(title)
    local audience = tostring(title.extra.audience or ""):lower()
    local age = tonumber(audience:match("%d+"))
    return audience:match("^%s*adult") ~= nil or (age ~= nil and age >= 18)
end

-- Fragile is what the title's own field `fragile` says anything of, other than no.
local is_no = { [""] = true, ["0"] = true, ["false"] = true, no = true }
local function is_fragile(title)
    local fragile = tostring(title.extra.fragile or ""):lower()
    return not is_no[fragile:match("^%s*(.-)%s*$")]
end

-- Categories below `child`, such as one of toddlers, are children as well.
local function is_child(patron)
    return has(patron.categories, "child")
end

-- Who owes ten or more pays first, children excepted; staff may go on all the same.
local function owes_too_much(patron)
    return patron.fees_owed >= money "10.00" and not is_child(patron)
end

return policy {
    api = 1,
    name = "public",
    description = "Lending rules of the town library",

    limits = {
        { category = "child", item_type = { "dvd", "bluray" }, max = 2 },
        { category = "child", max = 10 },
        { category = "family", item_type = { "dvd", "bluray" }, max = 10 },
        { category = "family", max = 50 },
        -- Every row that matches counts: the reading ends here for families, so that those below are not theirs.
        { category = "family", max = unlimited },
        { item_type = { "dvd", "bluray" }, max = 5 },
        { max = 20 },
    },

    rules = {
        { item_type = "reference", on_site = true, lend = true, loan = hours(4), closed_hours = "previous_close" },
        { item_type = "reference", lend = false, reason = "For use in the library only." },

        { item_type = { "dvd", "bluray" }, loan = days(7), renewals = 1 },
        { item_type = "magazine", loan = days(7), renewals = 0 },

        -- Children never pay.
        { category = "child", fine = none },
        { item_type = { "dvd", "bluray" }, fine = money "0.50", per = days(1), fine_cap = "replacement_price" },

        {
            loan = weeks(3),
            renewals = 2,
            fine = money "0.10",
            per = days(1),
            grace = days(3),
            grace_mode = "deduct",
            fine_cap = money "5.00",
            holds = 8,
            hold_shelf = open_days(6),
        },
    },

    notices = {
        {
            stage = "soon",
            before = days(2),
            channel = "email",
            subject = "{{title.title}} is due on {{loan.due}}",
            body = "Hello {{patron.name}}, {{title.title}} is due on {{loan.due}}. See you soon!\n",
        },
        {
            stage = "late",
            after = days(4),
            every = weeks(1),
            times = 4,
            channel = "email",
            subject = "Please return {{title.title}}",
            body = "Hello {{patron.name}}, {{title.title}} was due on {{loan.due}}. "
                .. "Please return it as soon as you can.\n",
        },
    },

    -- What a patron may not borrow is not kept for them either.
    hold = function(case)
        if owes_too_much(case.patron) then
            return deny("fees_owed", "Please pay your fees at the desk first.", { override = true })
        end
        if is_child(case.patron) and is_for_adults(case.title) then
            return deny("adults_only", "This title is for adults.")
        end
    end,

    checkout = function(case)
        local patron, title = case.patron, case.title
        if owes_too_much(patron) then
            return deny("fees_owed", "Please pay your fees at the desk first.", { override = true })
        end
        if is_child(patron) and is_for_adults(title) then
            return deny("adults_only", "This title is for adults.")
        end
        if is_fragile(title) then
            return confirm("fragile", "This item is fragile. Has its condition been checked?")
        end
    end,
}
