local function person(username)
    return { name = "Zoe Zola", email = "zoe@example.org", username = username, password = "two ducks, one pond" }
end

test("an account is made, logged in and verified", function()
    local made = call("POST /register", { json = person " zoe " })
    expect(made.text, '{"username":"zoe"}')
    expect(made.headers["Access-Control-Allow-Origin"], "*")
    local again = call("POST /register", { json = person "zoe" })
    expect(again.status, 401)
    expect(again.json.message, "username taken, please choose a different one.")
    local entry = call("POST /login", { json = person "zoe" })
    expect(entry.json.user, { username = "zoe", name = "Zoe Zola" })
    local asked = { user = { username = "zoe" }, token = entry.json.token }
    expect(call("POST /verify", { json = asked }).json.verified, true)
    asked.user.username = "bob"
    expect(call("POST /verify", { json = asked }).json.message, "invalid user")
    expect(call("POST /login", { json = { username = "zoe", password = "no ducks" } }).status, 403)
end)

test("a book is offered, found, changed and taken back, by its owner alone", function()
    desk { patrons = { ada = "patron", bob = "patron" } }
    expect(call("POST /api/books", { json = { title = "Dune" } }).status, 401)
    local made = call("POST /api/books", { as = "ada", json = { title = "Dune", isbn = "9780441013593", price = 4.5 } })
    expect(made.status, 201)
    expect(made.json.status .. " " .. made.json.owner .. " " .. made.json.isbn, "Sell ada 9780441013593")
    expect(made.text:match '"price":([^,]+),', "4.5")
    market.approve(made.json.id)
    local path = " /api/books/" .. made.json.id
    expect(#call("GET /api/books?title=dune").json, 1)
    expect(call("PUT" .. path, { as = "bob", json = { price = "1" } }).text, '{"message":"There is nothing here."}')
    expect(call("PUT" .. path, { as = "ada", json = { price = "3.00" } }).json.price, 3)
    expect(call("DELETE" .. path, { as = "ada" }).status, 204)
    expect(call("GET" .. path).text, '"404 Not found"')
end)

cases("what is wrong is said in its words", {
    { { title = "X", isbn = "123" }, "'isbn': the ISBN has 3 digits instead of 10 or 13" },
    { { title = "X", price = "dear" }, "'price': \"dear\" is not a valid amount of money, such as 0.20" },
    { { title = " " }, "A book needs a title." },
}, function(body, message)
    desk { patrons = { ada = "patron" } }
    local answer = call("POST /api/books", { as = "ada", json = body })
    expect(answer.status, 400)
    expect(answer.json.message, message)
end)

test("other methods are answered as they were", function()
    expect(call("PATCH /api/books").text, '"404 Not found"')
    expect(call("OPTIONS /login").headers["Access-Control-Allow-Methods"], "GET, POST, PUT, DELETE")
end)
