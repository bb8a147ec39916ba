-- A book as clients of the shelf know it, and how it is lent.
local shelf = {}

--- The name that was typed for the last loan: who borrowed reads it, and staff where it is on the account for guests.
local function typed(title, loan, caller)
    local kept = loan and loan.name and state.get("title " .. title.id)
    local is_last = kept and kept.lent_at == tostring(loan.lent_at)
    local may_read = is_last and (kept.is_guest or loan.patron == caller.id)
    return may_read and kept.name or nil
end

function shelf.shown(title, caller)
    local loan = loans.latest(title.id)
    local lent_at = loan and tostring(loan.lent_at)
    return {
        author = table.concat(title.authors, "; "), categories = table.concat(title.genres, ", "), id = title.id,
        lastCheckedOut = lent_at and lent_at:sub(1, 10) .. " " .. lent_at:sub(12, 19),
        lastCheckedOutBy = typed(title, loan, caller) or loan and loan.name, publisher = title.publisher,
        title = title.title,
        url = "/books/" .. title.id .. "/",
    }
end

local names = { "author", "categories", "id", "lastCheckedOut", "lastCheckedOutBy", "publisher", "title", "url" }

function shelf.text_of(title, caller)
    local book, members = shelf.shown(title, caller), {}
    for place, name in ipairs(names) do
        members[place] = { name, book[name] }
    end
    return json.object(members)
end

function shelf.answer(text, headers)
    return { body = text, type = "application/json", headers = headers }
end

--- What was done, where it was not refused; a refusal undoes what was done before it.
function shelf.done(value, refusal)
    return value or error(refusal)
end

function shelf.known(request)
    local id = math.tointeger(tonumber(request.params.id:match "^%d+$"))
    local title = id and id > 0 and catalogue.get(id)
    return title or error { status = 404, code = "not_found", message = "There is nothing here." }
end

--- Lends a copy to the key's owner; for a key of staff, to the patron whose name is given.
function shelf.lend(title, name, caller)
    local patron, is_guest = caller, false
    if caller.role ~= "patron" then
        local called = patrons.called(name)
        if #called == 0 and settings.guests ~= "" then
            called, is_guest = patrons.called(settings.guests), true
        end
        if #called == 0 then
            error { status = 422, code = "unknown_patron", message = "No patron has this name or username." }
        elseif #called > 1 then
            local message = #called .. " patrons have this name; give the username."
            error { status = 422, code = "ambiguous", message = message }
        end
        patron = called[1]
    end
    local lent = shelf.done(loans.checkout { patron = patron.id, isbn = title.id })
    -- One a title: the name of an earlier loan makes room.
    local kept = { name = name, lent_at = tostring(lent.lent_at), is_guest = is_guest }
    state.set("title " .. title.id, kept, patron)
end

return shelf
