-- Tests of public.lua.

local function lent(category, item_type, more)
    local case = { patron = { category = category }, copy = { item_type = item_type } }
    for key, value in pairs(more or {}) do
        case[key] = value
    end
    return given(case)
end

test("books go out for three weeks, films and magazines for one", function()
    expect(lent("public", "book"), { answer = "allow", due = date "2026-02-05" })
    expect(lent("public", "dvd"), { answer = "allow", due = date "2026-01-22" })
    expect(lent("public", "magazine"), { answer = "allow", due = date "2026-01-22" })
end)

test("reference works are read in the library", function()
    expect(lent("public", "reference"), { answer = "deny", code = "not_lent" })
    expect(lent("public", "reference", { request = { on_site = true } }), {
        answer = "allow",
        due_at = "2026-01-15T16:00:00Z",
    })
end)

test("a child has ten loans and two films among them", function()
    local films = { { item_type = "dvd" }, { item_type = "dvd" } }
    local child = { patron = { category = "child", loans = films } }
    expect(lent("child", "dvd", child), { answer = "deny", code = "limit", where = { row = 1 } })
    expect(lent("child", "book", child), { answer = "allow" })
    local full = { patron = { category = "child", loans = 10 } }
    expect(lent("child", "book", full), { answer = "deny", where = { table = "limits", row = 2 } })
end)

test("a family has fifty loans, ten films among them", function()
    expect(lent("family", "book", { patron = { category = "family", loans = 19 } }), { answer = "allow" })
end)

test("children pay no fines", function()
    local late = { point = "fine", loan = { days_overdue = 30 } }
    expect(lent("child", "book", late), { fine = none })
    expect(lent("child", "dvd", late), { fine = none })
end)

test("three days are free, then each late day costs", function()
    expect(lent("public", "book", { point = "fine", loan = { days_overdue = 3 } }), { fine = none })
    expect(lent("public", "book", { point = "fine", loan = { days_overdue = 5 } }), { fine = money "0.20" })
    expect(lent("public", "book", { point = "fine", loan = { days_overdue = 400 } }), { fine = money "5.00" })
end)

test("a film costs no more than a new one", function()
    local late = {
        point = "fine",
        loan = { days_overdue = 100 },
        copy = { item_type = "dvd", replacement_price = money "15.00" },
    }
    expect(lent("public", "dvd", late), { fine = money "15.00" })
end)

test("titles for adults are not for children", function()
    local film = { title = { extra = { audience = "18" } } }
    expect(lent("child", "dvd", film), { answer = "deny", code = "adults_only" })
    expect(lent("public", "dvd", film), { answer = "allow" })
end)

test("staff look at what is fragile before they lend it", function()
    local old = { title = { extra = { fragile = true } } }
    expect(lent("public", "book", old), { answer = "confirm", code = "fragile", override = true })
end)

test("who owes ten or more pays first, children excepted", function()
    expect(lent("public", "book", { patron = { category = "public", fees_owed = money "10.00" } }), {
        answer = "deny",
        code = "fees_owed",
        override = true,
    })
    expect(lent("child", "book", { patron = { category = "child", fees_owed = money "10.00" } }), { answer = "allow" })
end)

test("reminders come two days before, four days after and then weekly", function()
    local function stages(now)
        return given { point = "overdue", now = now, loan = { due_at = "2026-01-15T23:59:59Z" } }
    end
    expect(stages("2026-01-12"), { notices = {} })
    expect(stages("2026-01-13"), { notices = { { stage = "soon" } } })
    expect(stages("2026-01-16"), { notices = {} })
    expect(stages("2026-01-19"), { notices = { { stage = "late", repetition = 0 } } })
end)

test("eight holds, kept for six open days", function()
    expect(lent("public", "book", { point = "hold" }), { answer = "allow", fields = { hold_shelf = open_days(6) } })
    local many = { point = "hold", patron = { category = "public", holds = 8 } }
    expect(lent("public", "book", many), { answer = "deny", code = "limit", where = { row = 7 } })
    expect(lent("public", "reference", { point = "hold" }), { answer = "deny", code = "not_lent" })
end)

test("who may not borrow a title cannot have it kept either", function()
    local film = { point = "hold", title = { extra = { audience = "18" } } }
    expect(lent("child", "dvd", film), { answer = "deny", code = "adults_only" })
    local owing = { point = "hold", patron = { category = "public", fees_owed = money "10.00" } }
    expect(lent("public", "book", owing), { answer = "deny", code = "fees_owed", override = true })
end)
