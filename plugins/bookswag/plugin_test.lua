local function library()
    local setting = { patrons = { ada = "patron", sam = { category = "patron", role = "staff" } } }
    setting.patrons.root = { category = "patron", role = "admin" }
    return desk(setting)
end

local whole = { title = "UI", author = "Jason Morris; Ann Lee", categories = "interface, ui", publisher = "O'Reilly" }

test("a book is added, lent, given back and deleted", function()
    library()
    local made = call("POST /books", { as = "sam", json = whole })
    expect(made.status, 200)
    local text = '{"author":"Jason Morris; Ann Lee","categories":"interface, ui","id":1,"lastCheckedOut":null,'
        .. '"lastCheckedOutBy":null,"publisher":"O\'Reilly","title":"UI","url":"/books/1/"}'
    expect(made.text, text)
    local path = " /books/" .. made.json.id
    local lent = call("PUT" .. path, { as = "ada", form = { lastCheckedOutBy = "Whoever" } })
    expect(lent.json.lastCheckedOutBy ~= nil, true)
    expect(call("DELETE" .. path, { as = "sam" }).status, 409)
    loans.checkin { loan = loans.active("ada")[1].id }
    expect(call("DELETE" .. path, { as = "sam" }).status, 204)
    expect(call("GET" .. path, { as = "sam" }).status, 404)
end)

test("what comes back as it was shown asks for nothing", function()
    library()
    local made = call("POST /books", { as = "sam", json = whole }).json
    made.lastCheckedOut, made.lastCheckedOutBy = "", ""
    expect(call("PUT /books/" .. made.id, { as = "sam", json = made }).status, 200)
    expect(loans.latest(made.id), nil)
end)

test("patrons do not change the shelf, and administrators alone empty it", function()
    library()
    expect(call("POST /books", { as = "ada", json = whole }).status, 403)
    local id = call("POST /books", { as = "sam", json = whole }).json.id
    expect(call("PUT /books/" .. id, { as = "ada", json = { title = "Mine" } }).status, 403)
    expect(call("DELETE /clean", { as = "sam" }).status, 403)
    expect(call("DELETE /clean", { as = "root" }).json.deleted, 1)
    expect(call("GET /books", { as = "ada" }).text, "[]")
    expect(call("GET /books").status, 401)
end)

test("the name that was typed comes back to who typed it, and staff read whose loan it is", function()
    library()
    local id = call("POST /books", { as = "sam", json = whole }).json.id
    local lent = call("PUT /books/" .. id, { as = "ada", json = { lastCheckedOutBy = "Ada, room 7" } })
    expect(lent.json.lastCheckedOutBy, "Ada, room 7")
    expect(call("GET /books/" .. id, { as = "sam" }).json.lastCheckedOutBy ~= "Ada, room 7", true)
end)

test("a name that is no patron's is lent on the account for guests, where there is one", function()
    local setting = { patrons = { guest = "patron", sam = { category = "patron", role = "staff" } } }
    desk(setting)
    local id = call("POST /books", { as = "sam", json = whole }).json.id
    expect(call("PUT /books/" .. id, { as = "sam", json = { lastCheckedOutBy = "Jo Brown" } }).status, 422)
    setting.settings = { guests = "guest" }
    desk(setting)
    id = call("POST /books", { as = "sam", json = whole }).json.id
    local lent = call("PUT /books/" .. id, { as = "sam", json = { lastCheckedOutBy = "Jo Brown" } })
    expect(lent.json.lastCheckedOutBy, "Jo Brown")
    expect(call("GET /books/" .. id, { as = "sam" }).json.lastCheckedOutBy, "Jo Brown")
    expect(#loans.active "guest", 1)
end)
