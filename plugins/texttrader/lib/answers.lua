-- What Text Trader's routes have in common: how they answer, and how they read what comes.

--- Any page may ask: tokens come in headers, and there are no cookies.
local function say(status, text, headers)
    headers = headers or {}
    headers["Access-Control-Allow-Origin"] = "*"
    return { status = status, body = text, type = "application/json", headers = headers }
end

local function message(status, words, headers)
    return say(status, json.object { { "message", words } }, headers)
end

local function problem(refused)
    return message(refused.status, refused.detail, refused.headers)
end

local function nothing(headers)
    headers = headers or {}
    headers["Access-Control-Allow-Origin"] = "*"
    return { status = 204, headers = headers }
end

local function others(request)
    if request.method ~= "OPTIONS" then
        return say(404, '"404 Not found"')
    end
    return nothing {
        ["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE",
        ["Access-Control-Allow-Headers"] = "Authorization, Content-Type, X-API-Key",
    }
end

--- The members of a body that are texts, trimmed; none where it is no object.
local function texts(request)
    local is_read, given = pcall(function() return request.json end)
    local found = {}
    for name, value in pairs(is_read and given or {}) do
        found[name] = type(value) == "string" and value:match "^[ \t]*(.-)[ \t]*$" or nil
    end
    return found
end

return { say = say, message = message, problem = problem, others = others, nothing = nothing, texts = texts }
