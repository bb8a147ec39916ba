local function in_transit()
    local library = desk {
        patrons = { ada = "patron" },
        copies = { dune1 = "book" },
        settings = { hook = "https://courier.example.org/jobs" },
    }
    branches.add { code = "east", name = "East" }
    holds.place { patron = "ada", barcode = "dune1", pickup_branch = "east" }
    return library
end

test("the courier is told what to bring where, and nothing about the patron", function()
    in_transit()
    loans.checkin { barcode = "dune1" }
    local sent = outbox()[1]
    expect(sent.method, "POST")
    expect(sent.url, "https://courier.example.org/jobs")
    expect(sent.json.barcode, "dune1")
    expect(sent.json.to, "east")
    expect(sent.body:find("ada"), nil)
end)

test("what stays in the house is nothing for the courier", function()
    local library = desk {
        patrons = { ada = "patron", bob = "patron" },
        copies = { dune1 = "book" },
        settings = { hook = "https://courier.example.org/jobs" },
    }
    library.checkout("ada", "dune1")
    holds.place { patron = "bob", barcode = "dune1" }
    loans.checkin { barcode = "dune1" }
    expect(#outbox(), 0)
end)

test("a copy that is not known any more is left alone", function()
    desk { settings = { hook = "https://courier.example.org/jobs" } }
    emit("hold.in_transit", { pickup_branch = "main" })
    expect(#failures(), 0)
end)
