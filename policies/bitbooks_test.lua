-- Tests of bitbooks.lua: each refusal of BitBooks in its order and words.

-- What is promised of all cases: `moonshelf policy prove policies/bitbooks.lua`.

never("a request comes to more than five loans", "request", function(case, decision)
    return #case.patron.loans + case.request.size > 5 and decision.answer == "allow"
end)

always("who has room for what is asked is not refused for its number", "request", function(case, decision)
    local has_room = case.request.size > 0 and #case.patron.loans + case.request.size <= 5
    return not has_room or (decision.code ~= "limit" and decision.code ~= "request_size")
end)

always("a loan lasts fourteen days, unless less is asked for", "checkout", function(case, decision)
    local last = date(case.now) + days(14)
    local is_shorter = case.request.wanted_until ~= nil and decision.due ~= nil and decision.due < last
    return decision.due == nil or decision.due == last or is_shorter
end)

never("a late loan costs anything", "fine", function(_, decision)
    return decision.fine > money "0.00"
end)

never("a lost copy costs anything", "lost", function(_, decision)
    return decision.lost_fee ~= nil
end)

always("a loan that is late is spoken of once, for nothing", "overdue", function(_, decision)
    return #decision.notices <= 1 and (decision.notices[1] == nil or decision.notices[1].charge == nil)
end)

test("five books at once are lent for fourteen days", function()
    expect(given { point = "request", request = { size = 5 } }, { answer = "allow" })
    expect(given { now = "2026-01-15" }, { answer = "allow", due = date "2026-01-29" })
end)

test("a request of more than five books is refused first", function()
    expect(given { point = "request", patron = { loans = 5 }, request = { size = 6 } }, {
        answer = "deny",
        code = "request_size",
        message = "Request less than 5 books",
    })
end)

test("a reader with five loans gets no more", function()
    expect(given { point = "request", patron = { loans = 5 } }, {
        answer = "deny",
        code = "limit",
        message = "You have already made 5 loans",
    })
end)

test("a reader is told how many more there may be", function()
    expect(given { point = "request", patron = { loans = 3 }, request = { size = 3 } }, {
        answer = "deny",
        code = "limit",
        message = "You have already made 3 loans, you can only apply for 2 more",
    })
    expect(given { point = "request", patron = { loans = 3 }, request = { size = 2 } }, { answer = "allow" })
end)

test("the same book twice makes two loans", function()
    expect(given { title = { id = 7 }, patron = { loans = { { title = 7 } } } }, { answer = "allow" })
end)

test("the reminder comes on the due date itself and only once", function()
    local due = { due_at = "2026-01-29T23:59:59Z" }
    expect(given { point = "overdue", now = "2026-01-28T23:59:59Z", loan = due }, { notices = {} })
    expect(given { point = "overdue", now = "2026-01-29T00:00:00Z", loan = due }, {
        notices = {
            {
                stage = "overdue",
                channel = "inbox",
                body = "Dear {{patron.username}}, the loan period has expired. "
                    .. "You must return \"{{title.title}}\".\n",
            },
        },
    })
    local told = { due_at = "2026-01-29T23:59:59Z", notices = { { stage = "overdue" } } }
    expect(given { point = "overdue", now = "2026-02-10", loan = told }, { notices = {} })
end)

test("nothing is fined and nobody is suspended", function()
    expect(given { point = "fine", loan = { days_overdue = 30 } }, { fine = none })
    expect(given { point = "checkin", loan = { days_overdue = 30 } }, { suspended_until = none })
end)

test("a day on which the library is closed, or after the membership ends, is due all the same", function()
    local week = { weekly = { mon = { { "09:00", "17:00" } } } }
    expect(given { calendar = week }, { due = date "2026-01-29" })
    expect(given { patron = { expires_on = "2026-01-20" } }, { due = date "2026-01-29" })
end)

test("a returned book frees its place", function()
    expect(given { point = "request", patron = { loans = 5 } }, { answer = "deny", code = "limit" })
    expect(given { point = "request", patron = { loans = 4 } }, { answer = "allow" })
end)

test("too many in one request go before places, and places before copies", function()
    expect(given { point = "request", patron = { loans = 5 }, request = { size = 6 } }, { code = "request_size" })
    expect(given { point = "request", patron = { loans = 4 }, request = { size = 6 } }, { code = "request_size" })
    expect(given { point = "request", patron = { loans = 5 }, request = { size = 2 } }, {
        code = "limit",
        message = "You have already made 5 loans",
    })
    expect(given { copy = false }, { answer = "allow" })
end)
