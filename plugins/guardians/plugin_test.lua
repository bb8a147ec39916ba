local function family()
    return desk {
        now = "2026-03-02",
        patrons = {
            eve = "patron",
            tim = { category = "patron", guardian = "eve" },
            zoe = { category = "patron", guardian = "eve" },
        },
        copies = { dune1 = "book", emma1 = "book" },
    }
end

local function charge(patron, amount, key)
    return fees.charge { patron = patron, amount = money(amount), label = "Damage", key = key }
end

test("what one child owes is no matter below the limit", function()
    family()
    charge("tim", "9.99", "a")
    expect(#patrons.blocks("eve"), 0)
    expect(#outbox(), 0)
end)

test("two children together reach the limit, and the guardian is told once", function()
    family()
    charge("tim", "6.00", "a")
    charge("zoe", "4.00", "b")
    charge("zoe", "1.00", "c")
    expect(patrons.blocks("eve")[1].kind, "wards")
    expect(#outbox(), 1)
    expect(outbox()[1].patron, patrons.get("eve").id)
end)

test("what is paid lifts the block", function()
    family()
    charge("tim", "12.00", "a")
    expect(#patrons.blocks("eve"), 1)
    fees.pay { patron = "tim", amount = money "5.00" }
    expect(#patrons.blocks("eve"), 0)
end)

test("the fines of a night, of several patrons in one event", function()
    local library = family()
    library.checkout("tim", "dune1")
    library.checkout("zoe", "emma1")
    travel(days(60))
    library.sweep()
    expect(patrons.blocks("eve")[1].kind, "wards")
end)

test("a patron without a guardian concerns no other", function()
    family()
    charge("eve", "50.00", "a")
    expect(#patrons.blocks("eve"), 0)
end)
