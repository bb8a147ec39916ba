local service = "https://weather.example.org/warnings"

--- A library in which a loan is due on 16 March and a hold lies on the shelf.
local function library()
    local made = desk {
        now = "2026-03-02T08:00",
        patrons = { ada = "patron", bob = "patron" },
        copies = { dune1 = "book", emma1 = "book" },
        settings = { service = service },
    }
    made.checkout("ada", "dune1")
    holds.place { patron = "bob", barcode = "emma1" }
    loans.checkin { barcode = "emma1" }
    travel(days(13))
    return made
end

local function warn(level)
    http.reply(service, { json = { days = { { date = "2026-03-16", level = level, text = "Blizzard" } } } })
    run_job("ask")
end

test("a warning closes the day, moves what is due and tells who would come, once", function()
    library()
    warn(4)
    warn(4)
    travel(days(1))
    expect(calendar.is_open("2026-03-16"), false)
    expect(calendar.closures()[1].reason, "Blizzard")
    expect(tostring(loans.active("ada")[1].due_on), "2026-03-17")
    local told = 0
    for _, message in ipairs(outbox()) do
        if message.subject == "Closed on 2026-03-16" then
            told = told + 1
            expect(message.patron, patrons.get("bob").id)
        end
    end
    expect(told, 1)
end)

test("a weaker warning closes nothing", function()
    library()
    warn(3)
    expect(calendar.is_open("2026-03-16"), true)
    expect(#outbox(), 0)
end)

test("a service that does not answer, or is not reached, fails the job, which the schedule shows", function()
    library()
    http.reply(service, { status = 503 })
    expect(pcall(run_job, "ask"), false)
    http.reply(service, { error = "timed_out" })
    expect(pcall(run_job, "ask"), false)
    warn(4)
    expect(calendar.is_open("2026-03-16"), false)
end)
