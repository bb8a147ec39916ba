-- Tests of university.lua.

local week = {
    weekly = {
        mon = { { "09:00", "20:00" } },
        tue = { { "09:00", "20:00" } },
        wed = { { "09:00", "20:00" } },
        thu = { { "09:00", "20:00" } },
        fri = { { "09:00", "20:00" } },
        sat = { { "10:00", "16:00" } },
    },
}

-- The decision of a weekday in the zone of the library, for a category and an item type.
local function asked(point, category, item_type, more)
    local case = {
        point = point,
        now = "2026-01-15T10:00:00",
        time_zone = "Europe/Berlin",
        calendar = week,
        patron = { category = category },
        copy = { item_type = item_type },
    }
    for key, value in pairs(more or {}) do
        case[key] = value
    end
    return given(case)
end

-- What is promised of all cases: `moonshelf policy prove policies/university.lua`.

local function is_of(case, item_type)
    return case.copy ~= nil and within(case.copy.item_type, item_type)
end

never("staff pay a fine, but for laptops", "fine", function(case, decision)
    return within(case.patron.category, "staff") and not is_of(case, "laptop") and decision.fine > money "0.00"
end)

always("a fine is at most ten euros, thirty for a laptop", "fine", function(case, decision)
    return decision.fine <= (is_of(case, "laptop") and money "30.00" or money "10.00")
end)

never("a reference work leaves the library", "checkout", function(case, decision)
    return is_of(case, "reference") and (decision.answer == "allow" or decision.answer == "confirm")
end)

never("who owes 25 euros is served without staff", "request", function(case, decision)
    return case.patron.fees_owed >= money "25.00" and decision.answer == "allow"
end)

always("a recall makes a loan due earlier", "recall", function(case, decision)
    return decision.due == nil or decision.due < date(case.loan.due_at)
end)

always("a book is due by the end of the last semester that is known", "due", function(case, decision)
    local last = date "2027-09-30"
    local is_exempt = within(case.patron.category, "staff") or is_of(case, "laptop")
    return is_exempt or decision.due == nil or date(case.now) > last or decision.due <= last
end)

always("a guest is suspended for ninety days at most", "checkin", function(case, decision)
    local last, before = decision.suspended_until, case.patron.suspended_until
    return last == nil or last <= date(case.now) + days(90) or (before ~= nil and last <= before + days(90))
end)

never("a guest renews a book", "renew", function(case, decision)
    local is_film = is_of(case, "dvd") or is_of(case, "bluray")
    local is_staff = within(case.patron.category, "staff")
    local is_reader = within(case.patron.category, "graduate") or within(case.patron.category, "undergraduate")
    local is_guest = within(case.patron.category, "guest") and not is_staff and not is_reader
    return is_guest and not is_film and decision.answer == "allow"
end)

test("each category has its own period", function()
    expect(asked("checkout", "staff", "book"), { answer = "allow", due = date "2026-07-15" })
    expect(asked("checkout", "graduate", "book"), { answer = "allow", due = date "2026-03-12" })
    expect(asked("checkout", "undergraduate", "book"), { answer = "allow", due = date "2026-02-12" })
    expect(asked("checkout", "guest", "book"), { answer = "allow", due = date "2026-01-29" })
end)

test("reference works stay in the library", function()
    expect(asked("checkout", "staff", "reference"), {
        answer = "deny",
        code = "not_lent",
        message = "For use in the library only.",
        where = { table = "rules", row = 1, field = "lend" },
    })
end)

test("a laptop is due three hours later, at closing at the latest", function()
    expect(asked("checkout", "undergraduate", "laptop"), { due_at = "2026-01-15T12:00:00Z" })
    local late = asked("checkout", "undergraduate", "laptop", { now = "2026-01-15T18:30:00" })
    expect(late, { due_at = "2026-01-15T19:00:00Z" })
end)

test("a scarce textbook goes out for a week", function()
    local scarce = { title = { courses = { "MA101" }, copies = 2 } }
    expect(asked("checkout", "undergraduate", "book", scarce), { due = date "2026-01-22" })
    local plenty = { title = { courses = { "MA101" }, copies = 9 } }
    expect(asked("checkout", "undergraduate", "book", plenty), { due = date "2026-02-12" })
end)

test("loans end with the semester", function()
    local march = { now = "2026-03-20T10:00:00" }
    expect(asked("checkout", "undergraduate", "book", march), { due = date "2026-03-31" })
    expect(asked("checkout", "staff", "book", march), { due = date "2026-09-21" })
end)

test("a week is all while many wait", function()
    expect(asked("checkout", "graduate", "book", { title = { holds_waiting = 4 } }), { due = date "2026-01-22" })
end)

test("limits count by kind of item", function()
    local films = { { item_type = "dvd" }, { item_type = "dvd" }, { item_type = "bluray" } }
    local full = { patron = { category = "graduate", loans = films } }
    expect(asked("checkout", "graduate", "dvd", full), {
        answer = "deny",
        code = "limit",
        where = { table = "limits", row = 4 },
    })
    expect(asked("checkout", "graduate", "book", full), { answer = "allow" })
    expect(asked("checkout", "staff", "book", { patron = { category = "staff", loans = 100 } }), { answer = "allow" })
end)

test("a second copy asks staff, a second film is refused", function()
    local same = { title = { id = 3 }, patron = { category = "graduate", loans = { { title = 3 } } } }
    expect(asked("checkout", "graduate", "book", same), { answer = "confirm", code = "same_title" })
    expect(asked("checkout", "graduate", "dvd", same), { answer = "deny", code = "same_title" })
end)

test("who owes much or has much overdue is asked to settle first", function()
    local owing = { patron = { category = "graduate", fees_owed = money "25.00" } }
    expect(asked("request", "graduate", nil, owing), { answer = "deny", code = "fees_owed", override = true })
    local nearly = { patron = { category = "graduate", fees_owed = money "24.99" } }
    expect(asked("request", "graduate", nil, nearly), { answer = "allow" })
    local late = { patron = { category = "guest", overdue = 5 } }
    expect(asked("request", "guest", nil, late), { answer = "deny", code = "overdue", override = true })
end)

test("fines leave out closed days and stop at their cap", function()
    local monday = { now = "2026-01-19T10:00:00", loan = { due_at = "2026-01-16" } }
    expect(asked("fine", "undergraduate", "book", monday), { fine = money "0.40" })
    expect(asked("fine", "undergraduate", "book", { loan = { days_overdue = 1 } }), { fine = none })
    expect(asked("fine", "undergraduate", "book", { loan = { days_overdue = 300 } }), { fine = money "10.00" })
    expect(asked("fine", "staff", "book", { loan = { days_overdue = 300 } }), { fine = none })
end)

test("guests are suspended a day for each late day", function()
    local late = { loan = { days_overdue = 3 } }
    expect(asked("checkin", "guest", "book", late), { suspended_until = date "2026-01-18" })
    expect(asked("checkin", "graduate", "book", late), { suspended_until = none })
end)

test("three stages of reminders", function()
    local function stages(now)
        return asked("overdue", "graduate", "book", { now = now, loan = { due_at = "2026-01-15T20:00:00" } })
    end
    expect(stages("2026-01-11"), { notices = {} })
    expect(stages("2026-01-12"), { notices = { { stage = "soon" } } })
    expect(stages("2026-01-16"), { notices = { { stage = "first", charge = none } } })
    expect(stages("2026-01-27"), {
        notices = { { stage = "first", superseded = true }, { stage = "second", charge = money "2.15" } },
    })
end)

test("renewals have a number, a time and an end when others wait", function()
    local due = { loan = { due_at = "2026-01-20T20:00:00" } }
    expect(asked("renew", "graduate", "book", due), { answer = "allow" })
    local early = { loan = { due_at = "2026-02-20T20:00:00" } }
    expect(asked("renew", "graduate", "book", early), { answer = "deny", code = "too_soon" })
    local spent = { loan = { due_at = "2026-01-20T20:00:00", renewals = 4 } }
    expect(asked("renew", "graduate", "book", spent), { answer = "deny", code = "renewals" })
    local wanted = { loan = { due_at = "2026-01-20T20:00:00" }, title = { holds_waiting = 1 } }
    expect(asked("renew", "graduate", "book", wanted), { answer = "deny", code = "holds_waiting" })
end)

test("ten holds, five of them a day, and none on laptops", function()
    expect(asked("hold", "undergraduate", "book"), { answer = "allow", fields = { hold_shelf = open_days(5) } })
    local many = { patron = { category = "undergraduate", holds = 10 } }
    expect(asked("hold", "undergraduate", "book", many), { answer = "deny", code = "limit" })
    local eager = { hold = { placed_today = 5 } }
    expect(asked("hold", "undergraduate", "book", eager), { answer = "deny", code = "limit" })
    expect(asked("hold", "undergraduate", "laptop"), { answer = "deny", code = "limit", where = { row = 2 } })
    expect(asked("hold", "undergraduate", "reference"), { answer = "deny", code = "not_lent" })
end)

test("a title of a course goes to who teaches first", function()
    local course = { title = { courses = { "GRK 1" } } }
    expect(asked("hold", "staff", "book", course), { answer = "allow", priority = 1 })
    expect(asked("hold", "graduate", "book", course), { answer = "allow", priority = none })
    expect(asked("hold", "staff", "book"), { answer = "allow", priority = none })
end)

test("a loan is recalled after two weeks, with a week to bring it back", function()
    local function recalled(lent, due)
        return asked("recall", "staff", "book", { loan = { lent_at = lent, due_at = due } })
    end
    expect(recalled("2025-12-01", "2026-06-01"), { due = date "2026-01-22" })
    expect(recalled("2026-01-14", "2026-06-01"), { due = date "2026-01-28" })
    expect(recalled("2026-01-01", "2026-01-22"), { due = none })
end)

test("loans end with each semester that is known, on its last day too", function()
    local function due(now)
        return asked("checkout", "undergraduate", "book", { now = now }).due
    end
    expect(due "2026-03-31T10:00:00", date "2026-03-31")
    expect(due "2026-09-10T10:00:00", date "2026-09-30")
    expect(due "2027-03-15T10:00:00", date "2027-03-31")
    expect(due "2027-09-15T10:00:00", date "2027-09-30")
    expect(due "2027-10-04T10:00:00", date "2027-11-01")
end)

cases("one more than allowed is refused", {
    { "undergraduate", "book", 10, 2 },
    { "graduate", "book", 30, 3 },
    { "graduate", "bluray", 3, 4 },
    { "undergraduate", "laptop", 1, 5 },
    { "guest", "book", 3, 6 },
    { "visitor", "book", 40, 7 },
}, function(category, item_type, most, row)
    local function having(count)
        local loans = {}
        for index = 1, count do
            loans[index] = { item_type = item_type }
        end
        return asked("checkout", category, item_type, { patron = { category = category, loans = loans } })
    end
    expect(having(most - 1), { answer = "allow" })
    expect(having(most), { answer = "deny", code = "limit", where = { table = "limits", row = row } })
end)

cases("each kind of loan is renewed so often, and no earlier than a week before its end", {
    { "staff", "book", 6 },
    { "graduate", "book", 4 },
    { "undergraduate", "book", 2 },
    { "guest", "book", 0 },
    { "visitor", "book", 1 },
    { "graduate", "dvd", 1 },
    { "graduate", "laptop", 0 },
}, function(category, item_type, most)
    local function renewed(renewals)
        local loan = { due_at = "2026-01-15T12:00:00", renewals = renewals }
        return asked("renew", category, item_type, { loan = loan })
    end
    if most > 0 then
        expect(renewed(most - 1), { answer = "allow" })
    end
    expect(renewed(most), { answer = "deny", code = "renewals" })
end)

test("a week before the end is early enough for a renewal, a day more is not", function()
    for _, category in ipairs { "graduate", "undergraduate" } do
        local function due(day)
            return asked("renew", category, "book", { loan = { due_at = day .. "T20:00:00" } })
        end
        expect(due "2026-01-22", { answer = "allow" })
        expect(due "2026-01-23", { answer = "deny", code = "too_soon" })
    end
end)

test("films go out for a week, others for two", function()
    expect(asked("checkout", "staff", "dvd"), { due = date "2026-01-22" })
    expect(asked("checkout", "visitor", "book"), { due = date "2026-01-29" })
    expect(asked("checkout", "guest", "laptop", { title = { holds_waiting = 4 } }), { due_at = "2026-01-15T12:00:00Z" })
end)

test("laptops are fined by the hour after a quarter, up to thirty", function()
    local function late(minutes)
        local hour, minute = minutes // 60, minutes % 60
        local now = string.format("2026-01-15T%02d:%02d:00", 10 + hour, minute)
        return asked("fine", "undergraduate", "laptop", { now = now, loan = { due_at = "2026-01-15T10:00:00" } }).fine
    end
    expect(late(15), none)
    expect(late(16), money "1.00")
    expect(late(61), money "2.00")
    expect(late(121), money "3.00")
    local long = asked("fine", "undergraduate", "laptop", { loan = { days_overdue = 9 } })
    expect(long, { fine = money "30.00" })
end)

test("a late day is free, from the second on all count, guests pay with days", function()
    expect(asked("fine", "undergraduate", "book", { loan = { days_overdue = 2 } }), { fine = money "0.40" })
    expect(asked("fine", "guest", "book", { loan = { days_overdue = 20 } }), { fine = none })
    local long = asked("checkin", "guest", "book", { loan = { days_overdue = 300 } })
    expect(long, { suspended_until = date "2026-04-15" })
end)

test("five copies or more are not scarce, staff have a second copy, and a second laptop is refused", function()
    local five = { title = { courses = { "MA101" }, copies = 5 } }
    expect(asked("checkout", "undergraduate", "book", five), { due = date "2026-02-12" })
    local four = { title = { courses = { "MA101" }, copies = 4 } }
    expect(asked("checkout", "undergraduate", "book", four), { due = date "2026-01-22" })
    local function again(category, item_type)
        local same = { title = { id = 3 }, patron = { category = category, loans = { { title = 3 } } } }
        return asked("checkout", category, item_type, same)
    end
    expect(again("staff", "book"), { answer = "allow" })
    expect(again("graduate", "laptop"), { answer = "deny", code = "same_title" })
end)

test("nine holds and four of a day leave room for one more", function()
    local nine = { patron = { category = "graduate", holds = 9 }, hold = { placed_today = 4 } }
    expect(asked("hold", "graduate", "book", nine), { answer = "allow" })
end)

test("the second reminder comes after ten open days, then weekly, three times", function()
    local function last(now)
        local loan = { due_at = "2026-01-15T20:00:00" }
        local notices = asked("overdue", "graduate", "book", { now = now, loan = loan }).notices
        return notices[#notices]
    end
    expect(last "2026-01-15T21:00:00", none)
    expect(last "2026-01-26", { stage = "first" })
    expect(last "2026-01-27", { stage = "second", repetition = 0 })
    expect(last "2026-02-02", { stage = "second", repetition = 0 })
    expect(last "2026-02-03", { stage = "second", repetition = 1 })
    expect(last "2026-02-09", { stage = "second", repetition = 1 })
    expect(last "2026-02-10", { stage = "second", repetition = 2 })
    expect(last "2026-03-30", { stage = "second", repetition = 2 })
end)

test("four overdue are borne, three waiting change nothing, and a recall only brings forward", function()
    local four = { patron = { category = "guest", overdue = 4 } }
    expect(asked("request", "guest", nil, four), { answer = "allow" })
    expect(asked("checkout", "graduate", "book", { title = { holds_waiting = 3 } }), { due = date "2026-03-12" })
    local same = { loan = { lent_at = "2026-01-01", due_at = "2026-01-22T20:00:00" } }
    expect(asked("recall", "staff", "book", same), { answer = "allow", due = none })
end)

test("a title without copies is refused for that alone", function()
    expect(asked("checkout", "graduate", "book", { copy = false }), { answer = "allow", failure = none })
end)

test("categories below staff are staff: overdue loans, semesters and holds", function()
    local patron = { category = "lecturer", categories = { "lecturer", "staff" }, overdue = 7 }
    expect(asked("request", "lecturer", nil, { patron = patron }), { answer = "allow" })
    expect(asked("checkout", "lecturer", "book", { patron = patron }), { due = date "2026-07-15" })
    local first = { patron = patron, title = { courses = { "MA101" } } }
    expect(asked("hold", "lecturer", "book", first), { answer = "allow", priority = 1 })
end)

test("item types below laptop are laptops: their hours do not end with the semester", function()
    local tablet = { copy = { item_type = "tablet", item_types = { "tablet", "laptop" } } }
    expect(asked("checkout", "graduate", "tablet", tablet), { due_at = "2026-01-15T12:00:00Z" })
end)

test("where many wait, the semester ends a loan before its week is over", function()
    local waited = { now = "2026-03-28T10:00:00", title = { holds_waiting = 4 } }
    expect(asked("checkout", "undergraduate", "book", waited), { due = date "2026-03-31" })
    waited.now = "2026-03-20T10:00:00"
    expect(asked("checkout", "undergraduate", "book", waited), { due = date "2026-03-27" })
end)

test("where the library is closed until the semester ends, a loan is due on its last day", function()
    local closed = { now = "2026-03-30T10:00:00", calendar = { closed = { { "2026-03-29", "2026-04-05" } } } }
    expect(asked("checkout", "undergraduate", "book", closed), { due = date "2026-03-31" })
    closed.calendar = { closed = { { "2026-03-31", "2026-04-05" } } }
    expect(asked("checkout", "undergraduate", "book", closed), { due = date "2026-03-30" })
end)
