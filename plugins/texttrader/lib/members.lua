-- Those who trade: how they sign up, log in and are known, and their schools.
local answers = require "answers"
local schools = require "schools"

local members = {}

local say, message, texts = answers.say, answers.message, answers.texts

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

function members.register(request)
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

function members.log_in(request)
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

function members.verify(request)
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

function members.list_schools()
    local rows = {}
    for place, school in ipairs(schools.list()) do
        rows[place] = json.object {
            { "id", school.id }, { "name", school.name }, { "city", school.city }, { "state", school.state },
        }
    end
    return say(200, "[" .. table.concat(rows, ",") .. "]")
end

--- What the app's account page shows: the caller's own, and nobody else's.
function members.user(request)
    local caller = request.caller
    return say(200, json.object {
        { "username", caller.username }, { "name", caller.name }, { "email", caller.email or "" },
        { "school", schools.of(caller.id) },
    })
end

function members.change_user(request)
    local given = texts(request)
    local school = chosen(given)
    if school == false then
        return message(400, "unknown school, please choose one of the list.")
    elseif school then
        schools.set(request.caller.id, school)
    end
    return members.user(request)
end

return members
