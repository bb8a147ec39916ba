-- What a client of the shelf says of a book, as JSON or as a form. A field that is null is not given.
local fields = {}

local function bad(message)
    error { status = 400, code = "input", message = message }
end

local function trimmed(text)
    return text:match "^[ \t]*(.-)[ \t]*$"
end

local function text_of(given, name, is_needed)
    local value = given[name]
    if value == nil then
        return nil
    elseif type(value) ~= "string" then
        bad("'" .. name .. "' is a text.")
    end
    value = trimmed(value)
    if is_needed and value == "" then
        bad("'" .. name .. "' is empty.")
    end
    return value
end

function fields.read(request)
    local media = trimmed((request.headers["content-type"] or ""):match "^[^;]*"):lower()
    local given = media == "application/x-www-form-urlencoded" and request.form or request.json
    local read = { title = text_of(given, "title", true) }
    for _, name in ipairs { "author", "publisher", "categories", "lastCheckedOut" } do
        read[name] = text_of(given, name)
    end
    -- Some apps send every field of a book, with an empty text where no patron is meant.
    local is_alone = not (read.title or read.author or read.publisher or read.categories)
    local name = text_of(given, "lastCheckedOutBy", is_alone)
    read.borrower = name ~= "" and name or nil
    return read
end

--- The parts of a text, each once, without spaces around them.
local function parts(text, separator)
    local found, seen = {}, {}
    for part in text:gmatch("[^" .. separator .. "]+") do
        part = trimmed(part)
        if part ~= "" and not seen[part] then
            found[#found + 1], seen[part] = part, true
        end
    end
    return found
end

--- `2026-12-24 18:00:00` of a date that an app wrote with a `T` or a zone.
local function moment(text)
    return (text:sub(1, 19):gsub("T", " "))
end

--- What of it is another than was shown: some apps send a book back with a change, and some give a date as well.
--- A book that is sent back with its borrower and its date asks for no loan.
function fields.changes(read, shown)
    local changes = {}
    local function is_other(name)
        return read[name] and read[name] ~= trimmed(shown[name] or "")
    end
    if is_other "title" then
        changes.title = read.title
    end
    if is_other "publisher" then
        changes.publisher = read.publisher
    end
    -- Authors stand between semicolons, categories between commas.
    if is_other "author" and table.concat(parts(read.author, ";"), "; ") ~= shown.author then
        changes.authors = parts(read.author, ";")
    end
    if is_other "categories" and table.concat(parts(read.categories, ","), ", ") ~= shown.categories then
        changes.genres = parts(read.categories, ",")
    end
    local is_same_moment = (read.lastCheckedOut and moment(read.lastCheckedOut)) == shown.lastCheckedOut
    local is_back = is_same_moment and trimmed(shown.lastCheckedOutBy or "") == read.borrower
    return changes, not is_back and read.borrower or nil
end

--- The number of a query.
function fields.number(request, name, least, most, usual)
    local text = request.query[name]
    if text == nil then
        return usual
    end
    local number = math.tointeger(tonumber(text:match "^[+-]?%d+$"))
    if not number or number < least or number > most then
        bad("'" .. name .. "' is a number from " .. least .. " to " .. most .. ".")
    end
    return number
end

return fields
