-- Text Trader's routes, with its fields, words and statuses, over the library's accounts and its market.
local answers = require "answers"
local books = require "books"
local help = require "help"
local schools = require "schools"
local threads = require "threads"

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

--- The school that is given: nil for none, false for one that is not in the list.
local function chosen(given)
    if (given.school or "") == "" then
        return nil
    end
    return schools.named(given.school) or false
end

local function register(request)
    local given = texts(request)
    if not has(given, { "name", "email", "username", "password" }) then
        return message(401, "All fields are required")
    end
    local school = chosen(given)
    if school == false then
        return message(401, "unknown school, please choose one of the list.")
    end
    local patron, refusal = accounts.sign_up {
        name = given.name, email = given.email, username = given.username, password = given.password,
    }
    if patron then
        if school then
            schools.set(patron.id, school)
        end
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

local function list_schools()
    local rows = {}
    for place, school in ipairs(schools.list()) do
        rows[place] = json.object {
            { "id", school.id }, { "name", school.name }, { "city", school.city }, { "state", school.state },
        }
    end
    return say(200, "[" .. table.concat(rows, ",") .. "]")
end

--- What the app's account page shows: the caller's own, and nobody else's.
local function user(request)
    local caller = request.caller
    return say(200, json.object {
        { "username", caller.username }, { "name", caller.name }, { "email", caller.email or "" },
        { "school", schools.of(caller.id) },
    })
end

local function change_user(request)
    local given = texts(request)
    local school = chosen(given)
    if school == false then
        return message(400, "unknown school, please choose one of the list.")
    elseif school then
        schools.set(request.caller.id, school)
    end
    return user(request)
end

return plugin {
    api = 1,
    name = "texttrader",
    version = "1.1.0",
    description = "Answers clients of Text Trader",
    needs = { "patrons.write", "market.write" },
    settings = {
        schools = {
            type = "text", default = "",
            help = "the schools to choose from: State University, Springfield, Illinois; City College, Salem, Oregon",
        },
        contact = { type = "text", default = "", help = "whom the page of help tells to ask" },
    },
    routes = {
        ["POST /register"] = { role = "everyone", token = "none", problem = problem, run = register },
        ["POST /login"] = { role = "everyone", token = "none", problem = problem, run = log_in },
        ["POST /verify"] = { role = "everyone", token = "none", problem = problem, run = verify },
        ["GET /api/books"] = { role = "everyone", token = "none", problem = problem, run = books.list },
        ["POST /api/books"] = { role = "patron", scope = "market", problem = problem, run = books.add },
        ["GET /api/books/{id}"] = { role = "everyone", scope = "market", problem = problem, run = books.get },
        ["PUT /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.change },
        ["DELETE /api/books/{id}"] = { role = "patron", scope = "market", problem = problem, run = books.remove },
        ["GET /api/history"] = { role = "patron", scope = "market", problem = problem, run = books.history },
        ["GET /api/schools"] = { role = "everyone", token = "none", problem = problem, run = list_schools },
        ["GET /api/help"] = { role = "everyone", token = "none", problem = problem, run = help.get },
        ["GET /api/user"] = { role = "patron", scope = "market", problem = problem, run = user },
        ["PUT /api/user"] = { role = "patron", scope = "market", problem = problem, run = change_user },
        ["GET /api/threads"] = { role = "patron", scope = "market", problem = problem, run = threads.list },
        ["POST /api/threads"] = { role = "patron", scope = "market", problem = problem, run = threads.begin },
        ["GET /api/threads/{id}"] = { role = "patron", scope = "market", problem = problem, run = threads.get },
        ["POST /api/threads/{id}"] = { role = "patron", scope = "market", problem = problem, run = threads.add },
        ["* /register"] = { role = "everyone", token = "none", run = others },
        ["* /login"] = { role = "everyone", token = "none", run = others },
        ["* /verify"] = { role = "everyone", token = "none", run = others },
        ["* /api/books"] = { role = "everyone", token = "none", run = others },
        ["* /api/books/{id}"] = { role = "everyone", token = "none", run = others },
        ["* /api/history"] = { role = "everyone", token = "none", run = others },
        ["* /api/schools"] = { role = "everyone", token = "none", run = others },
        ["* /api/help"] = { role = "everyone", token = "none", run = others },
        ["* /api/user"] = { role = "everyone", token = "none", run = others },
        ["* /api/threads"] = { role = "everyone", token = "none", run = others },
        ["* /api/threads/{id}"] = { role = "everyone", token = "none", run = others },
    },
}
