local USERS = "[\n{\"username\":\"ann\",\"name\":\"Ann Lee\",\"email\":\"ann@example.org\"}\n]\n"
local BOOKS = "[\n{\"username\":\"ann\",\"isbn\":\"9780441013593\",\"title\":\"Dune\",\"authfirstname\":\"Frank\","
    .. "\"authlastname\":\"Herbert\",\"location\":\"North School\",\"price\":4.5},\n"
    .. "{\"username\":\"ann\",\"isbn\":\"\",\"title\":\"The Dispossessed\",\"authfirstname\":\"Ursula K.\","
    .. "\"authlastname\":\"Le Guin\",\"location\":\"\",\"price\":null},\n"
    .. "{\"username\":\"ann\",\"isbn\":\"9780141439587\",\"title\":\"Emma\",\"authfirstname\":\"\","
    .. "\"authlastname\":\"Austen\",\"location\":\"\",\"price\":0}\n]\n"

test("users and books come in and go out as they were", function()
    import("Users.json", USERS)
    expect(import("Books.json", BOOKS).added, 3)
    expect(export "Users.json", USERS)
    expect(export "Books.json", BOOKS)
    expect(import("Books.json", BOOKS).unchanged, 3)
    expect(#market.listings { kind = "sell" }, 1)
    expect(#market.listings { kind = "trade" }, 1)
    expect(#market.listings { kind = "donate" }, 1)
end)

test("a user who is here already stays so", function()
    import("Users.json", USERS)
    local other = USERS:gsub("ann@", "eve@")
    expect(import("Users.json", other).unchanged, 1)
    expect(patrons.get("ann").email, "ann@example.org")
end)
