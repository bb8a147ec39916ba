local function library()
    local function book(shelf)
        return { item_type = "book", extra = { shelf = shelf } }
    end
    return desk {
        now = "2026-03-02",
        patrons = { ada = "patron" },
        copies = { a1 = book "A", a2 = book "A", a3 = book "A", b1 = book "B" },
    }
end

local function take(scans)
    local answer = run_command { "stocktaking", "--shelf", "A", "--list", "s.txt", files = { ["s.txt"] = scans } }
    local found = {}
    for _, row in ipairs(answer.tables[1].rows) do
        found[row.barcode] = row.what
    end
    return found, answer
end

test("missing, misplaced, unknown, and lent though it stands there", function()
    local found, answer = (function()
        library().checkout("ada", "a2")
        return take("a2\n b1 \n\nb1\nx9\n")
    end)()
    expect(found, { a1 = "missing", a3 = "missing", a2 = "on_loan", b1 = "misplaced", x9 = "unknown" })
    expect(answer.metrics.scanned, 3)
end)

test("what is lent is not missing, and a shelf in order has nothing to report", function()
    library().checkout("ada", "a2")
    expect(take("a1\r\na3\r\n"), {})
end)

test("what was seen is marked, and listed once that is long ago", function()
    library()
    local function unseen()
        local barcodes = {}
        for _, row in ipairs(run_command("unseen", "--since", "2026-03-03").tables[1].rows) do
            barcodes[#barcodes + 1] = row.barcode .. " " .. row.seen
        end
        return barcodes
    end
    travel(days(2))
    take "a1\na2\n"
    expect(unseen(), { "a3 never", "b1 never" })
end)
