-- Messages about a book, a thread for each: the library's conversations, in which nobody's address is told.
local answers = require "answers"

local say, message, texts = answers.say, answers.message, answers.texts

local function entry(sent)
    return json.object {
        { "id", sent.id }, { "thread", sent.conversation }, { "user", sent.sender_name or "a former member" },
        { "text", sent.text }, { "date", tostring(sent.sent_at) },
    }
end

local function id_of(request)
    return math.tointeger(tonumber(request.params.id:match "^%d+$")) or 0
end

local function entries(conversation, caller, first)
    local rows = {}
    local found = messages.read { patron = caller.id, conversation = conversation, offset = first, limit = 100 }
    for place, sent in ipairs(found or {}) do
        rows[place] = entry(sent)
    end
    return found and rows
end

local threads = {}

--- The other one, the last text and its date: what the messenger's list shows.
function threads.list(request)
    local rows, caller = {}, request.caller
    for place, conversation in ipairs(messages.conversations { patron = caller.id, limit = 50 }) do
        local is_owner = conversation.owner == caller.id
        local read = is_owner and conversation.owner_read or conversation.asker_read
        local last = conversation.messages - 1
        local found = messages.read { patron = caller.id, conversation = conversation.id, offset = last, limit = 1 }
        rows[place] = json.object {
            { "id", conversation.id }, { "book", conversation.listing }, { "title", conversation.name },
            { "user", (is_owner and conversation.asker_name or conversation.owner_name) or "a former member" },
            { "lastText", found and found[1] and found[1].text or "" }, { "date", tostring(conversation.last_at) },
            { "unread", conversation.messages - read },
        }
    end
    return say(200, "[" .. table.concat(rows, ",") .. "]")
end

function threads.get(request)
    local rows = entries(id_of(request), request.caller, tonumber(request.query.after or "0") or 0)
    return rows and say(200, "[" .. table.concat(rows, ",") .. "]") or answers.others { method = "GET" }
end

local function written(status, given)
    local sent, refusal = messages.write(given)
    if not sent then
        return message(refusal.code:find "^unknown_" and 404 or 409, refusal.message)
    end
    return say(status, entry(sent))
end

function threads.begin(request)
    local book = math.tointeger(request.json.book) or 0
    return written(201, { patron = request.caller.id, listing = book, text = texts(request).text or "" })
end

function threads.add(request)
    local text = texts(request).text or ""
    return written(201, { patron = request.caller.id, conversation = id_of(request), text = text })
end

return threads
