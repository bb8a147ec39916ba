local function library(settings)
    return desk {
        now = "2026-03-02",
        patrons = { ada = "patron", bob = "patron" },
        copies = { dune = "book", emma = "book" },
        settings = settings,
    }
end

test("a receipt lists what the patron has, by the standard template", function()
    library().checkout("ada", "dune")
    expect(run_command("receipt", "--patron", "ada").printed, { "2026-03-02  ada ada", "  2026-03-16  dune" })
    expect(run_command("receipt", "--patron", "bob").printed, { "2026-03-02  bob bob" })
end)

test("the library's own template, and a place in it that there is not", function()
    library { receipt = "For {name}", receipt_line = "{titel}" }
    expect(run_command("receipt", "--patron", "ada").printed, { "For ada" })
    loans.checkout { patron = "ada", barcode = "dune" }
    local ok, message = pcall(run_command, "receipt", "--patron", "ada")
    expect(ok, false)
    expect(tostring(message):find("receipt_line has {titel}; there are {due}, {lent}, {title}", 1, true) ~= nil, true)
end)

test("a list of what to fetch, and the slip of what is set aside", function()
    library { hold = "{surname}: {title}" }
    holds.place { patron = "bob", title = catalogue.copy("emma").title }
    expect(run_command("pull-list").printed, { "2026-03-02, all branches: 1 to fetch", "[ ] emma  emma" })
    loans.checkin { barcode = "emma" }
    expect(run_command("hold-slip", "--patron", "bob").printed, { "bob: emma" })
end)
