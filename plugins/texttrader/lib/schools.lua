-- The schools that people choose from, and which one is whose.
local schools = {}

local function trimmed(text)
    return text:match "^%s*(.-)%s*$"
end

--- The schools of the setting: `State University, Springfield, Illinois; City College, Salem, Oregon`.
function schools.list()
    local found = {}
    for entry in settings.schools:gmatch "[^;]+" do
        local parts = {}
        for part in (entry .. ","):gmatch "([^,]*)," do
            parts[#parts + 1] = trimmed(part)
        end
        if parts[1] ~= "" then
            found[#found + 1] = { id = #found + 1, name = parts[1], city = parts[2] or "", state = parts[3] or "" }
        end
    end
    return found
end

--- The name of a school as it stands in the list; nil for any other text.
function schools.named(text)
    for _, school in ipairs(schools.list()) do
        if school.name:lower() == trimmed(text):lower() then
            return school.name
        end
    end
end

--- A patron's school; an empty text where there is none.
function schools.of(patron)
    return patron and state.get("school " .. patron) or ""
end

--- It goes with the patron.
function schools.set(patron, name)
    state.set("school " .. patron, name, patron)
end

return schools
