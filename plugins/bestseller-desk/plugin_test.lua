local function library()
    return desk { patrons = { ada = "patron", bob = "patron" }, copies = { dune1 = { title = "Dune" } } }
end

local function suggest(patron)
    return suggestions.submit { patron = patron, name = "Optics", isbn = "9780133977226" }
end

test("an approved suggestion becomes a hold, and the patron who asked is told", function()
    library()
    suggestions.approve { suggestion = suggest("ada") }
    expect(#holds.of("ada"), 1)
    expect(#outbox(), 1)
    expect(outbox()[1].subject, "Optics")
end)

test("a wish that waits becomes a hold when a copy comes", function()
    library()
    local title = catalogue.add { title = "Optics", isbn = "9780133977226", authors = { "Hecht" } }
    state.set("wish " .. title.id .. " " .. patrons.get("ada").id, true, "ada")
    catalogue.add_copies { isbn = "9780133977226", count = 1 }
    expect(#holds.of("ada"), 1)
    expect(state.get("wish " .. title.id .. " " .. patrons.get("ada").id), none)
end)

test("a suggestion that is refused becomes no hold", function()
    library()
    suggestions.reject { suggestion = suggest("ada"), message = "Too dear." }
    catalogue.add { title = "Optics", isbn = "9780133977226", authors = { "Hecht" } }
    catalogue.add_copies { isbn = "9780133977226", count = 1 }
    expect(#holds.of("ada"), 0)
end)

test("a second copy makes no second hold", function()
    library()
    suggestions.approve { suggestion = suggest("ada") }
    catalogue.add_copies { isbn = "9780133977226", count = 1 }
    catalogue.add_copies { isbn = "9780133977226", count = 1 }
    expect(#holds.of("ada"), 1)
end)
