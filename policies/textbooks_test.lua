-- Tests of textbooks.lua.

-- A book that somebody is about to buy.
local function bought(line, patron)
    return given { point = "price", patron = patron or { category = "undergraduate" }, lines = { line } }
end

local function published(listing, more)
    local case = { point = "publish", patron = { category = "undergraduate" }, listing = listing }
    for key, value in pairs(more or {}) do
        case[key] = value
    end
    return given(case)
end

-- What is promised of all cases: `moonshelf policy prove policies/textbooks.lua`.

local function is_of(case, item_type)
    return case.copy ~= nil and within(case.copy.item_type, item_type)
end

always("a book is fined with twenty euros at most", "fine", function(case, decision)
    return is_of(case, "desk_copy") or is_of(case, "equipment") or decision.fine <= money "20.00"
end)

never("staff pay a fine for a book", "fine", function(case, decision)
    local is_other = is_of(case, "desk_copy") or is_of(case, "equipment")
    return within(case.patron.category, "staff") and not is_other and decision.fine > money "0.00"
end)

never("a desk reference leaves the office", "checkout", function(case, decision)
    return is_of(case, "reference") and decision.answer == "allow"
end)

never("more than two desk copies are out at once", "checkout", function(case, decision)
    local staff = within(case.patron.category, "staff")
    return is_of(case, "desk_copy") and not staff and #case.patron.loans >= 12 and decision.answer == "allow"
end)

always("a book is due by the end of the last semester that is known", "due", function(case, decision)
    local last = date "2027-09-30"
    local is_exempt = within(case.patron.category, "staff") or (case.copy ~= nil and not is_of(case, "book"))
    return is_exempt or decision.due == nil or date(case.now) > last or decision.due <= last
end)

always("nothing costs less than nothing", "price", function(_, decision)
    return decision.total == nil or decision.total >= money "0.00"
end)

never("who owes 25 euros sells", "publish", function(case, decision)
    return case.listing ~= nil and case.patron.fees_owed >= money "25.00" and decision.answer ~= "deny"
end)

always("who rents is told twice that it ends", "notify", function(case, decision)
    return case.event ~= "rental_due" or #decision.notices == 2
end)

test("taxes of 6.62 % are a line of their own, rounded half up", function()
    expect(bought { label = "Calculus", price = "25.00", quantity = 2 }, {
        answer = "allow",
        lines = {
            { label = "2 x Calculus", amount = money "50.00" },
            { label = "Taxes (6.62 %)", amount = money "3.31" },
        },
        total = money "53.31",
    })
    expect(bought { label = "Notes", price = "0.10" }, { total = money "0.11" })
end)

test("a cart is taxed as a whole", function()
    local lines = {
        { label = "Calculus", price = "10.00" },
        { kind = "rent", label = "Optics", price = "0.50", periods = 20, ends = "2026-02-04" },
        { kind = "loan", label = "Odyssey" },
    }
    expect(given { point = "price", lines = lines }, { total = money "21.32" })
end)

test("what costs nothing is not taxed", function()
    expect(bought { label = "Calculus", price = "0.00" }, { total = money "0.00" })
    expect(given { point = "price", lines = {} }, { answer = "allow", lines = {} })
    expect(given { point = "price", loan = {}, copy = { item_type = "book" } }, { answer = "allow", lines = {} })
end)

test("course representatives pay a tenth less for what the office sells", function()
    local patron = { category = "undergraduate", extra = { course_representative = true } }
    expect(bought({ label = "Calculus", price = "20.00" }, patron), {
        lines = {
            { label = "Calculus", amount = money "20.00" },
            { label = "Course representatives", amount = -money "2.00" },
            { label = "Taxes (6.62 %)", amount = money "1.19" },
        },
        total = money "19.19",
    })
    expect(bought({ label = "Calculus", price = "20.00", seller = 7 }, patron), { total = money "21.32" })
end)

test("equipment is rented by the open day, with taxes", function()
    local decision = given {
        point = "price",
        now = "2026-01-15T10:00:00",
        calendar = {
            weekly = { mon = { { "09:00", "17:00" } }, thu = { { "09:00", "17:00" } }, fri = { { "09:00", "17:00" } } },
        },
        copy = { item_type = "equipment" },
        loan = { lent_at = "2026-01-15T10:00:00", due_at = "2026-01-22T17:00:00" },
    }
    expect(decision, {
        lines = {
            { label = "Rental", amount = money "1.50" },
            { label = "Taxes (6.62 %)", amount = money "0.10" },
        },
        total = money "1.60",
    })
end)

test("textbooks are due when the semester ends, and so are rentals", function()
    expect(given { now = "2026-01-15", patron = { category = "graduate" } }, { due = date "2026-03-31" })
    expect(given { now = "2026-04-01", patron = { category = "graduate" } }, { due = date "2026-09-30" })
    expect(given { point = "due", now = "2026-04-01", copy = false }, { due = date "2026-09-30" })
end)

test("staff keep books for a year, beyond the known semesters half a year is the rule", function()
    expect(given { now = "2026-01-15", patron = { category = "staff" } }, { due = date "2027-01-15" })
    expect(given { now = "2027-10-01" }, { due = date "2028-04-01" })
end)

test("desk copies go out for hours, references not at all", function()
    expect(given { now = "2026-01-15T10:00:00", copy = { item_type = "desk_copy" } }, { answer = "allow" })
    expect(given { copy = { item_type = "reference" } }, {
        code = "not_lent",
        message = "Desk references cannot leave the office.",
    })
end)

test("undergraduates have eight books at once, and the refusal is in their language", function()
    local patron = { category = "undergraduate", loans = 8, language = "zh" }
    expect(given { patron = patron }, { code = "limit", message = "借阅数量已达上限。" })
    expect(given { patron = { category = "staff", loans = 40 } }, { answer = "allow" })
end)

test("another copy of a title is refused", function()
    expect(given { title = { id = 5 }, patron = { loans = { { title = 5 } } } }, { code = "same_title" })
end)

test("what the catalogue has is offered at once", function()
    expect(published { price = "20.00" }, { answer = "allow" })
    expect(published { kind = "donate" }, { answer = "allow" })
    expect(published { kind = "rent", price = "1.00" }, { answer = "allow" })
end)

test("staff look at new titles and at dear ones", function()
    expect(published({ price = "20.00" }, { title = false }), { answer = "review" })
    expect(published { price = "60.00" }, { answer = "allow" })
    expect(published { price = "60.01" }, {
        answer = "review",
        message = "The office reviews offers priced above 60.00.",
    })
end)

test("who offers a lot or owes a lot does not offer more", function()
    expect(published { price = "1.00", others = 10 }, { answer = "deny", code = "too_many" })
    expect(published({ price = "1.00" }, { patron = { fees_owed = "25.00" } }), { answer = "deny", code = "fees_owed" })
end)

test("suggestions of staff for a course are taken, those of others looked at", function()
    local function suggested(suggestion, category)
        return given { point = "publish", patron = { category = category }, suggestion = suggestion }
    end
    expect(suggested({ isbn = true, courses = { "MATH101" } }, "staff"), { answer = "allow" })
    expect(suggested({ isbn = true, courses = { "MATH101" } }, "undergraduate"), { answer = "review" })
    expect(suggested({ courses = { "MATH101" } }, "staff"), { answer = "review" })
    expect(suggested({ others = 5 }, "undergraduate"), { answer = "deny", code = "too_many" })
end)

test("a rental that ends is told by mail and in the inbox, everything else as usual", function()
    expect(given { point = "notify", event = "rental_due" }, {
        notices = { { stage = "rental_due", channel = "email" }, { stage = "inbox", channel = "inbox" } },
    })
    expect(given { point = "notify", event = "order" }, { notices = { { stage = "order" } } })
end)

cases("one more than the office gives out is refused", {
    { "graduate", "desk_copy", 2, 2 },
    { "undergraduate", "book", 8, 3 },
    { "graduate", "book", 12, 4 },
}, function(category, item_type, most, row)
    local function having(count)
        local loans = {}
        for index = 1, count do
            loans[index] = { item_type = item_type }
        end
        return given { patron = { category = category, loans = loans }, copy = { item_type = item_type } }
    end
    expect(having(most - 1), { answer = "allow" })
    expect(having(most), { answer = "deny", code = "limit", where = { table = "limits", row = row } })
end)

test("staff have as many desk copies as they need", function()
    local desk_copies = { { item_type = "desk_copy" }, { item_type = "desk_copy" } }
    local staff = { patron = { category = "staff", loans = desk_copies }, copy = { item_type = "desk_copy" } }
    expect(given(staff), { answer = "allow" })
end)

cases("each kind is renewed so often", {
    { "staff", "book", 3 },
    { "graduate", "equipment", 1 },
    { "graduate", "book", 0 },
}, function(category, item_type, most)
    local function renewed(renewals)
        return given {
            point = "renew",
            patron = { category = category },
            copy = { item_type = item_type },
            loan = { renewals = renewals },
        }
    end
    if most > 0 then
        expect(renewed(most - 1), { answer = "allow" })
    end
    expect(renewed(most), { answer = "deny", code = "renewals" })
end)

test("desk copies go out for four hours, until closing at the latest; equipment for a week", function()
    local function due(item_type, calendar)
        return given { patron = { category = "graduate" }, copy = { item_type = item_type }, calendar = calendar }
    end
    expect(due "desk_copy", { due_at = "2026-01-15T16:00:00Z" })
    expect(due("desk_copy", { weekly = { thu = { { "09:00", "15:00" } } } }), { due_at = "2026-01-15T15:00:00Z" })
    expect(due "equipment", { due = date "2026-01-22" })
end)

test("books are due on the last open day of the semester, on that day itself too", function()
    local function due(now, calendar)
        return given({ now = now, patron = { category = "undergraduate" }, calendar = calendar }).due
    end
    expect(due "2026-03-31", date "2026-03-31")
    expect(due "2026-10-15", date "2027-03-31")
    expect(due "2027-04-15", date "2027-09-30")
    expect(due("2026-01-15", { closed = { { "2026-03-30", "2026-04-06" } } }), date "2026-03-29")
end)

test("each kind has its fine", function()
    local function fine(item_type, loan, category)
        return given({
            point = "fine",
            patron = { category = category or "graduate" },
            copy = { item_type = item_type, replacement_price = money "50.00" },
            loan = loan,
        }).fine
    end
    expect(fine("desk_copy", { hours_overdue = 1 }), money "1.00")
    expect(fine("desk_copy", { hours_overdue = 2 }), money "2.00")
    expect(fine("equipment", { days_overdue = 3 }), money "3.00")
    expect(fine("equipment", { days_overdue = 3 }, "staff"), money "3.00")
    expect(fine("equipment", { days_overdue = 90 }), money "50.00")
    expect(fine("book", { days_overdue = 2 }), none)
    expect(fine("book", { days_overdue = 3 }), money "1.50")
    expect(fine("book", { days_overdue = 90 }), money "20.00")
    expect(fine("book", { days_overdue = 90 }, "staff"), none)
end)

test("four holds leave room for a fifth", function()
    expect(given { point = "hold", patron = { category = "graduate", holds = 4 } }, { answer = "allow" })
    expect(given { point = "hold", patron = { category = "graduate", holds = 5 } }, { answer = "deny", code = "limit" })
end)

test("reminders come a week before the end, three days after it and then weekly, three in all", function()
    local function last(now)
        local notices = given({ point = "overdue", now = now, loan = { due_at = "2026-03-31T23:59:59Z" } }).notices
        return notices[#notices]
    end
    expect(last "2026-03-23", none)
    expect(last "2026-03-24", { stage = "soon" })
    expect(last "2026-04-02", none)
    expect(last "2026-04-03", { stage = "late", repetition = 0 })
    expect(last "2026-04-09", { stage = "late", repetition = 0 })
    expect(last "2026-04-10", { stage = "late", repetition = 1 })
    expect(last "2026-04-17", { stage = "late", repetition = 2 })
    expect(last "2026-05-30", { stage = "late", repetition = 2 })
end)

test("taxes are reckoned to the cent, and nothing is added to what is free", function()
    expect(bought { label = "Calculus", price = "24.99" }, { total = money "26.64" })
    expect(bought { label = "Optics", price = "100.00" }, { total = money "106.62" })
    expect(bought { label = "Calculus", price = "0.00" }, { lines = { { label = "Calculus" } } })
end)

test("the tenth listing, the fifth suggestion, and what is just below a limit", function()
    expect(published({ price = "1.00", others = 9 }), { answer = "allow" })
    expect(published({ price = "1.00", others = 10 }), { answer = "deny", code = "too_many" })
    expect(published({ price = "1.00" }, { patron = { fees_owed = "24.99" } }), { answer = "allow" })
    local function suggested(suggestion)
        return given { point = "publish", patron = { category = "staff" }, suggestion = suggestion }
    end
    expect(suggested { others = 4 }, { answer = "review" })
    expect(suggested { isbn = true }, { answer = "review" })
    expect(suggested { others = 5 }, { answer = "deny", code = "too_many" })
end)

cases("a course representative is who the field says it of, be it as a text", {
    { true, "19.19" },
    { "true", "19.19" },
    { "Yes", "19.19" },
    { 1, "19.19" },
    { "no", "21.32" },
    { false, "21.32" },
    { 0, "21.32" },
}, function(says, total)
    local patron = { category = "undergraduate", extra = { course_representative = says } }
    expect(bought({ label = "Calculus", price = "20.00" }, patron), { total = money(total) })
end)

test("categories below staff are staff, item types below book are books", function()
    local patron = { category = "lecturer", categories = { "lecturer", "staff" } }
    expect(given { now = "2026-01-15", patron = patron }, { due = date "2027-01-15" })
    local suggestion = { isbn = true, courses = { "MATH101" } }
    expect(given { point = "publish", patron = patron, suggestion = suggestion }, { answer = "allow" })
    local atlas = { item_type = "atlas", item_types = { "atlas", "book" } }
    expect(given { now = "2026-01-15", patron = { category = "graduate" }, copy = atlas }, { due = date "2026-03-31" })
end)

test("a cart in which another student sells something is reduced for nobody", function()
    local patron = { category = "undergraduate", extra = { course_representative = true } }
    local lines = { { label = "Calculus", price = "10.00" }, { label = "Optics", price = "10.00", seller = 7 } }
    expect(given { point = "price", patron = patron, lines = lines }, { total = money "21.32" })
end)

test("where the office is closed until the semester ends, a book is due on its last day", function()
    local calendar = { closed = { { "2026-03-29", "2026-04-05" } } }
    local patron = { category = "undergraduate" }
    expect(given { now = "2026-03-30", patron = patron, calendar = calendar }, { due = date "2026-03-31" })
end)
