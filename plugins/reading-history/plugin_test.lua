local function library(settings)
    return desk {
        settings = settings,
        patrons = { ada = { category = "patron", extra = { reading_history = true } }, bob = "patron" },
        copies = { dune1 = { title = "Dune" }, emma1 = { title = "Emma" }, ulysses1 = { title = "Ulysses" } },
    }
end

local function read()
    local titles = {}
    for _, entry in state.each("read ") do
        titles[#titles + 1] = entry.title
    end
    return titles
end

test("what is lent is kept for who wants it, in order", function()
    local desk = library()
    desk.checkout("ada", "dune1")
    desk.checkout("ada", "emma1")
    expect(read(), { "Dune", "Emma" })
end)

test("nothing is kept for who does not", function()
    library().checkout("bob", "dune1")
    expect(read(), {})
end)

test("the oldest go first", function()
    local desk = library { most = 2 }
    desk.checkout("ada", "dune1")
    desk.checkout("ada", "emma1")
    desk.checkout("ada", "ulysses1")
    expect(read(), { "Emma", "Ulysses" })
end)

test("who does not want it any more has none", function()
    local desk = library()
    desk.checkout("ada", "dune1")
    patrons.update("ada", { extra = { reading_history = false } })
    expect(read(), {})
end)

test("it goes with the patron", function()
    local desk = library()
    desk.checkout("ada", "dune1")
    desk.checkin("dune1")
    patrons.remove("ada")
    expect(read(), {})
end)
