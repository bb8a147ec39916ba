-- What a patron has read, kept only where the patron wants it: where the record has `extra.reading_history = true`.
--
-- It stands in the plugin's state, is tied to the patron, and goes with the patron, or as soon as they do not want it.

local function wants(patron)
    return patron ~= nil and patron.extra ~= nil and patron.extra.reading_history == true
end

local function prefix(patron)
    return "read " .. patron.id .. " "
end

local function forget(patron)
    for key in state.each(prefix(patron)) do
        state.set(key, nil)
    end
end

--- Keeps no more than so many: the oldest go first.
local function trim(patron)
    local keys = {}
    for key in state.each(prefix(patron)) do
        keys[#keys + 1] = key
    end
    for place = 1, #keys - settings.most do
        state.set(keys[place], nil)
    end
end

return plugin {
    api = 1,
    name = "reading-history",
    version = "1.0.0",
    description = "Keeps what a patron has read, where the patron wants it",
    settings = {
        most = { type = "integer", default = 100, min = 1, max = 1000, help = "how many titles of each patron" },
    },
    on = {
        ["loan.made"] = function(event)
            if wants(event.patron) and event.title then
                local key = prefix(event.patron) .. ("%012d"):format(event.loan.id)
                state.set(key, { title = event.title.title, on = tostring(event.at) }, event.patron)
                trim(event.patron)
            end
        end,
        ["patron.updated"] = function(event)
            if event.patron and not wants(event.patron) then
                forget(event.patron)
            end
        end,
    },
}
