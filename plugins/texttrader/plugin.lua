-- Text Trader's routes, with its fields, words and statuses, over the library's accounts and its market.
local answers = require "answers"
local books = require "books"

local say, message, texts = answers.say, answers.message, answers.texts
local problem, others = answers.problem, answers.others

local function has(given, names)
    for _, name in ipairs(names) do
        if (given[name] or "") == "" then
            return false
        end
    end
    return true
end

local function register(request)
    local given = texts(request)
    if not has(given, { "name", "email", "username", "password" }) then
        return message(401, "All fields are required")
    end
    local patron, refusal = accounts.sign_up {
        name = given.name, email = given.email, username = given.username, password = given.password,
    }
    if patron then
        return say(200, json.object { { "username", given.username } })
    elseif refusal.code == "exists" then
        return message(401, "username taken, please choose a different one.")
    end
    return message(refusal.code == "not_allowed" and 403 or 401, refusal.message)
end

local function log_in(request)
    local given = texts(request)
    if not has(given, { "username", "password" }) then
        return message(401, "username and password are required")
    end
    local entry = accounts.log_in { username = given.username, password = given.password }
    if not entry then
        return message(403, "Password does not match")
    end
    local user = json.object { { "username", entry.patron.username }, { "name", entry.patron.name } }
    return say(200, json.object { { "user", json = user }, { "token", entry.token } })
end

local function verify(request)
    local function failed(words)
        return say(401, json.object { { "verified", false }, { "message", words } })
    end
    local is_read, given = pcall(function() return request.json end)
    local user, token = is_read and given.user, is_read and given.token
    if type(user) ~= "table" or type(user.username) ~= "string" or type(token) ~= "string" then
        return failed "incorrect request body"
    end
    local holder = #token <= 1024 and accounts.holder(token)
    if not holder then
        return failed "invalid token"
    elseif holder.username ~= user.username then
        return failed "invalid user"
    end
    -- The user comes back as the client wrote it.
    return say(200, json.object {
        { "verified", true }, { "message", "success" }, { "user", json = request.body, member = "user" },
        { "token", token },
    })
end

return plugin {
    api = 1,
    name = "texttrader",
    version = "1.0.0",
    description = "Answers clients of Text Trader",
    needs = { "patrons.write", "market.write" },
    routes = {
        ["POST /register"] = { role = "everyone", token = "none", problem = problem, run = register },
        ["POST /login"] = { role = "everyone", token = "none", problem = problem, run = log_in },
        ["POST /verify"] = { role = "everyone", token = "none", problem = problem, run = verify },
        ["GET /api/books"] = { role = "everyone", token = "none", problem = problem, run = books.list },
        ["POST /api/books"] = { role = "patron", scope = "market", problem = problem, run = books.add },
        ["GET /api/books/{id}"] = { role = "everyone", scope = "market", problem = problem, run = books.get },
        ["PUT /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.change },
        ["DELETE /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.remove },
        ["* /register"] = { role = "everyone", token = "none", run = others },
        ["* /login"] = { role = "everyone", token = "none", run = others },
        ["* /verify"] = { role = "everyone", token = "none", run = others },
        ["* /api/books"] = { role = "everyone", token = "none", run = others },
        ["* /api/books/{id}"] = { role = "everyone", token = "none", run = others },
    },
}
