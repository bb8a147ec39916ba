-- Tests of public.lua.

local function lent(category, item_type, more)
    local case = { patron = { category = category }, copy = { item_type = item_type } }
    for key, value in pairs(more or {}) do
        case[key] = value
    end
    return given(case)
end

-- What is promised of all cases: `moonshelf policy prove policies/public.lua`.

local function is_lent(decision)
    return decision.answer == "allow" or decision.answer == "confirm"
end

-- "Adult", 18, "18+" and "FSK 18" are for adults alike.
local function means_adults(audience)
    local words = tostring(audience or ""):lower()
    local age = tonumber(words:match "%d+")
    return words:match "^%s*adult" ~= nil or (age ~= nil and age >= 18)
end

never("a child takes what is meant for adults", "checkout", function(case, decision)
    return within(case.patron.category, "child") and means_adults(case.title.extra.audience) and is_lent(decision)
end)

never("what is meant for adults is kept for a child", "hold", function(case, decision)
    return within(case.patron.category, "child")
        and means_adults(case.title.extra.audience)
        and decision.answer == "allow"
end)

never("a child pays a fine", "fine", function(case, decision)
    return within(case.patron.category, "child") and decision.fine > money "0.00"
end)

always("a fine is at most five euros, or what a film costs", "fine", function(case, decision)
    local is_film = within(case.copy.item_type, "dvd") or within(case.copy.item_type, "bluray")
    local price = case.copy.replacement_price
    return decision.fine <= money "5.00" or (is_film and (price == nil or decision.fine <= price))
end)

never("a reference work leaves the library", "checkout", function(case, decision)
    local is_reference = case.copy ~= nil and within(case.copy.item_type, "reference")
    return is_reference and not case.request.on_site and is_lent(decision)
end)

never("who owes ten euros borrows without staff", "checkout", function(case, decision)
    local is_child = within(case.patron.category, "child")
    return case.patron.fees_owed >= money "10.00" and not is_child and is_lent(decision)
end)

never("a family has more than fifty loans", "checkout", function(case, decision)
    return within(case.patron.category, "family") and #case.patron.loans >= 50 and is_lent(decision)
end)

never("a loan is renewed for which others wait", "renew", function(case, decision)
    return case.title.holds_waiting > 0 and decision.answer == "allow"
end)

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
    expect(lent("family", "book", { patron = { category = "family", loans = 49 } }), { answer = "allow" })
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

-- A title with fields of the library's own.
local function titled(extra)
    return { title = { extra = extra } }
end

test("a child may not take what is meant for adults, all others may", function()
    local film = titled { audience = "18" }
    expect(lent("child", "dvd", film), { answer = "deny", code = "adults_only" })
    expect(lent("public", "dvd", film), { answer = "allow" })
    expect(lent("family", "dvd", film), { answer = "allow" })
end)

cases("'audience' says that a title is for adults by a word or by an age of 18 or more", {
    { "18", true },
    { 18, true },
    { 18.0, true },
    { 21, true },
    { " 18 ", true },
    { "18+", true },
    { "FSK 18", true },
    { "ab 18 Jahren", true },
    { "18-99", true },
    { "adult", true },
    { "Adult", true },
    { " ADULTS only", true },
    { 17, false },
    { 16.0, false },
    { "16+", false },
    { "PG-13", false },
    { "6-9", false },
    { "children", false },
    { "young adult", false },
    { "", false },
    { true, false },
}, function(audience, is_for_adults)
    local marked = titled { audience = audience }
    local answer = is_for_adults and { answer = "deny", code = "adults_only" } or { answer = "allow" }
    expect(lent("child", "book", marked), answer)
    marked.point = "hold"
    expect(lent("child", "book", marked), answer)
end)

cases("categories below child are children: what is for adults, fines, debts and limits are those of a child", {
    { "toddler" },
    { "pupil" },
}, function(category)
    local patron = { category = category, categories = { category, "school", "child" } }
    local marked = { patron = patron, title = { extra = { audience = "18" } } }
    expect(lent(category, "book", marked), { answer = "deny", code = "adults_only" })
    marked.point = "hold"
    expect(lent(category, "book", marked), { answer = "deny", code = "adults_only" })
    expect(lent(category, "dvd", { point = "fine", patron = patron, loan = { days_overdue = 9 } }), { fine = none })
    patron.fees_owed = money "10.00"
    expect(lent(category, "book", { patron = patron }), { answer = "allow" })
    patron.loans = 10
    expect(lent(category, "book", { patron = patron }), { answer = "deny", where = { table = "limits", row = 2 } })
end)

cases("what the field fragile says anything of, other than no, is fragile", {
    { true, "confirm" },
    { "yes", "confirm" },
    { "the binding", "confirm" },
    { 1, "confirm" },
    { false, "allow" },
    { "No", "allow" },
    { " false ", "allow" },
    { "0", "allow" },
    { 0, "allow" },
    { "", "allow" },
}, function(fragile, answer)
    expect(lent("public", "book", titled { fragile = fragile }), { answer = answer })
end)

test("limits end for families: those of all others are not theirs", function()
    local function having(item_type, count)
        local loans = {}
        for index = 1, count do
            loans[index] = { item_type = item_type }
        end
        return lent("family", item_type, { patron = { category = "family", loans = loans } })
    end
    expect(having("dvd", 5), { answer = "allow" })
    expect(having("book", 20), { answer = "allow" })
end)

test("children never pay, whatever they borrowed and however late", function()
    for _, item_type in ipairs { "book", "dvd", "bluray", "magazine", "reference" } do
        local late = { point = "fine", loan = { days_overdue = 400 }, copy = { item_type = item_type } }
        late.copy.replacement_price = money "30.00"
        expect(lent("child", item_type, late), { fine = none })
    end
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

cases("one more than allowed is refused", {
    { "child", "dvd", 2, 1 },
    { "child", "book", 10, 2 },
    { "family", "bluray", 10, 3 },
    { "family", "book", 50, 4 },
    { "public", "dvd", 5, 6 },
    { "public", "book", 20, 7 },
}, function(category, item_type, most, row)
    local function having(count)
        local loans = {}
        for index = 1, count do
            loans[index] = { item_type = item_type }
        end
        return lent(category, item_type, { patron = { category = category, loans = loans } })
    end
    expect(having(most - 1), { answer = "allow" })
    expect(having(most), { answer = "deny", code = "limit", where = { table = "limits", row = row } })
end)

cases("each kind is renewed so often", {
    { "public", "book", 2 },
    { "child", "dvd", 1 },
    { "public", "magazine", 0 },
}, function(category, item_type, most)
    local function renewed(renewals)
        return lent(category, item_type, { point = "renew", loan = { renewals = renewals } })
    end
    if most > 0 then
        expect(renewed(most - 1), { answer = "allow" })
    end
    expect(renewed(most), { answer = "deny", code = "renewals" })
end)

test("what is read in the library comes back before it closes", function()
    local week = { weekly = { thu = { { "09:00", "14:00" } } } }
    local reading = { calendar = week, request = { on_site = true } }
    expect(lent("public", "reference", reading), { due_at = "2026-01-15T14:00:00Z" })
end)

test("films cost half from the first day on", function()
    local function fine(days)
        return lent("public", "dvd", { point = "fine", loan = { days_overdue = days } }).fine
    end
    expect(fine(1), money "0.50")
    expect(fine(2), money "1.00")
end)

test("a cent less than ten is no debt, and seven holds leave room for one", function()
    local owing = { patron = { category = "public", fees_owed = money "9.99", holds = 7 } }
    expect(lent("public", "book", owing), { answer = "allow" })
    owing.point = "hold"
    expect(lent("public", "book", owing), { answer = "allow" })
end)

test("the reminders of a late loan come on the fourth day and then weekly, four in all", function()
    local function last(now)
        local notices = given({ point = "overdue", now = now, loan = { due_at = "2026-01-15T23:59:59Z" } }).notices
        return notices[#notices]
    end
    expect(last "2026-01-18", none)
    expect(last "2026-01-19", { stage = "late", repetition = 0 })
    expect(last "2026-01-25", { stage = "late", repetition = 0 })
    expect(last "2026-01-26", { stage = "late", repetition = 1 })
    expect(last "2026-02-09", { stage = "late", repetition = 3 })
    expect(last "2026-03-30", { stage = "late", repetition = 3 })
end)
