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
        message = "Reference works stay in the library.",
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
