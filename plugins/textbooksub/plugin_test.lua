local USERS = "[\n{\"username\":\"ann\"}\n]\n"
local ZEROS = "0,0,0,0,0,0,0,0,0,0"
local BOOKS = "[\n{\"id\":7,\"title\":\"Calculus\",\"publisher\":\"ann\",\"stars\":4,\"price\":25.5,"
    .. "\"BookDescription\":\"Limits\",\"BookImage\":\"book1\",\"courses\":\"MA 1, MA 2\",\"historyPrice\":["
    .. ZEROS .. ",20,25.5],\"historyPurchase\":[" .. ZEROS .. ",3,4],\"remain\":13,\"total\":20,"
    .. "\"college\":\"Science\",\"author\":\"Ada Hall\",\"expand\":false,\"recommend\":true}\n]\n"

test("users and books come in, go out as they were, and add nothing again", function()
    expect(import("users.json", USERS).added, 1)
    expect(import("books.json", BOOKS).added, 1)
    expect(export "users.json", USERS)
    expect(export "books.json", BOOKS)
    expect(import("books.json", BOOKS).unchanged, 1)
    local offer = market.listings({ seller = "ann" })[1]
    expect(offer.price, money "25.50")
    expect(offer.quantity, 13)
end)

test("more sold than there were is said, and none are left", function()
    import("users.json", USERS)
    local report = import("books.json", (BOOKS:gsub('"remain":13', '"remain":-2')))
    expect(report.added, 1)
    expect(report.problems[1].field, "remain")
    expect(market.listings({ seller = "ann", state = "sold" })[1].quantity, 0)
end)

test("an unknown seller is refused under the name of its column", function()
    local report = import("books.json", BOOKS)
    expect(report.rejected, 1)
    expect(report.problems[1].field, "publisher")
    expect(report.problems[1].code, "unknown_patron")
end)
