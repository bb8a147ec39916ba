-- The patron who asked for a title is the first to get it: an approved suggestion becomes a hold, at once or,
-- where the rules want that, as soon as there is a copy.

local function prefix(title)
    return "wish " .. title.id .. " "
end

--- Places the hold; where no copy is there yet, the wish waits.
local function place(title, patron)
    local key = prefix(title) .. patron.id
    local hold, refusal = holds.place { patron = patron.id, title = title.id }
    if hold == nil and refusal.code == "no_copies" then
        return state.set(key, true, patron)
    end
    state.set(key, nil)
    if hold then
        notifications.send {
            patron = patron.id,
            subject = title.title,
            body = "We have ordered the title you suggested. The first copy will be held for you.",
            key = "suggested " .. title.id,
        }
    end
end

local function approved(event)
    if event.title and event.patron then
        place(event.title, event.patron)
    end
end

return plugin {
    api = 1,
    name = "bestseller-desk",
    version = "1.0.0",
    description = "Makes holds of suggestions, for the patron who asked",
    needs = { "loans.write", "notifications.write" },
    on = {
        -- A policy may approve a suggestion at once.
        ["suggestion.submitted"] = { where = { state = "approved" }, run = approved },
        ["suggestion.decided"] = { where = { state = "approved" }, run = approved },
        ["copy.added"] = function(event)
            local title = event.title
            if title == nil then
                return
            end
            for key in state.each(prefix(title)) do
                local patron = patrons.get(tonumber(key:match("(%d+)$")))
                if patron then
                    place(title, patron)
                end
            end
        end,
    },
}
