local function library(now)
    return desk {
        now = now,
        patrons = {
            ada = { category = "patron", birth_date = "1990-03-02", extra = { congratulate = true } },
            bob = { category = "patron", birth_date = "1990-03-02" },
            eve = { category = "patron", birth_date = "1991-03-03", extra = { congratulate = true } },
            leo = { category = "patron", birth_date = "2000-02-29", extra = { congratulate = true } },
            old = {
                category = "patron",
                birth_date = "1970-03-02",
                expires_on = "2026-01-31",
                extra = { congratulate = true },
            },
        },
    }
end

test("who has agreed is congratulated on the day, by name and once", function()
    library "2026-03-02"
    expect(run_job("congratulate").printed, { "1 have their birthday." })
    run_job "congratulate"
    expect(#outbox(), 1)
    expect(outbox()[1].subject, "Happy birthday, ada!")
    expect(outbox()[1].patron, patrons.get("ada").id)
    travel(days(365))
    run_job "congratulate"
    expect(#outbox(), 2)
end)

test("those born on 29 February have the 28th, and their own day where there is one", function()
    for day, count in pairs { ["2026-02-28"] = 1, ["2026-03-01"] = 0, ["2028-02-28"] = 0, ["2028-02-29"] = 1 } do
        library(day)
        run_job "congratulate"
        expect(#outbox(), count)
    end
end)

test("the library chooses words and way", function()
    desk {
        now = "2026-05-01",
        patrons = { ada = { category = "patron", birth_date = "1990-05-01", extra = { congratulate = true } } },
        settings = { channel = "inbox", subject = "{name} {surname}" },
    }
    run_job "congratulate"
    expect(outbox()[1].subject, "ada ada")
    expect(outbox()[1].channel, "inbox")
end)
