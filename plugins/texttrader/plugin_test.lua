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

test("what there is none of is an empty text or 0, never null, and a post that waits says so", function()
    desk { patrons = { ada = "patron" } }
    local made = call("POST /api/books", { as = "ada", json = { title = "Dune", status = "Donate" } })
    expect(made.text:find("null", 1, true), nil)
    expect(made.json.price, 0.0)
    expect(made.json.isbn .. made.json.imageName .. made.json.location, "")
    expect(call("GET /api/history", { as = "ada" }).json.donations[1].id, made.json.id)
    expect(#call("GET /api/history", { as = "ada" }).json.trades, 0)
end)

test("a school is chosen from the list, and books are found by it", function()
    desk { settings = { schools = "State University, Springfield, Illinois; City College" } }
    local first = { id = 1, name = "State University", city = "Springfield", state = "Illinois" }
    expect(call("GET /api/schools").json[1], first)
    expect(call("GET /api/schools").json[2].city, "")
    local zoe = person "zoe"
    zoe.school = "Nowhere"
    expect(call("POST /register", { json = zoe }).status, 401)
    zoe.school = "state university"
    expect(call("POST /register", { json = zoe }).status, 200)
    expect(call("GET /api/user", { as = "zoe" }).json.school, "State University")
    local made = call("POST /api/books", { as = "zoe", json = { title = "Dune", isbn = "9780441013593" } })
    market.approve(made.json.id)
    expect(made.json.location, "State University")
    expect(#call("GET /api/books?school=State%20University").json, 1)
    expect(#call("GET /api/books?school=City%20College").json, 0)
    expect(call("PUT /api/user", { as = "zoe", json = { school = "City College" } }).json.school, "City College")
    expect(call("PUT /api/user", { as = "zoe", json = { school = "Nowhere" } }).status, 400)
end)

test("a thread goes between the two, and a third does not find it", function()
    desk { patrons = { ada = "patron", bob = "patron", eve = "patron" } }
    local made = call("POST /api/books", { as = "ada", json = { title = "Dune", price = 4.5 } })
    market.approve(made.json.id)
    local sent = call("POST /api/threads", { as = "bob", json = { book = made.json.id, text = "Is it yours?" } })
    expect(sent.status, 201)
    local path = "/api/threads/" .. sent.json.thread
    expect(call("POST " .. path, { as = "ada", json = { text = "Yes." } }).status, 201)
    local thread = call("GET /api/threads", { as = "bob" }).json[1]
    expect(thread.user .. ": " .. thread.lastText, "ada: Yes.")
    expect(thread.unread, 1)
    expect(#call("GET " .. path, { as = "ada" }).json, 2)
    expect(call("GET " .. path, { as = "eve" }).status, 404)
    expect(call("POST " .. path, { as = "eve", json = { text = "Hi" } }).status, 404)
    expect(call("GET /api/threads").status, 401)
    expect(call("POST /api/threads", { as = "ada", json = { book = made.json.id, text = "Me" } }).status, 409)
end)

test("the page of help has four topics", function()
    expect(#call("GET /api/help").json.topics, 4)
end)
