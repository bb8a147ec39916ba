-- What children owe reaches their guardian: with too much of it the guardian borrows nothing either, and is told.
--
-- A child's record names the guardian. Nightly fines of many patrons come in one event.

--- All that the wards of a guardian owe.
local function owed_by_wards(guardian)
    local sum = money "0"
    for key in state.each("ward " .. guardian.id .. " ") do
        local ward = patrons.get(tonumber(key:match("(%d+)$")))
        if ward then
            sum = sum + fees.owed(ward.id)
        end
    end
    return sum
end

local function is_blocked(guardian)
    for _, block in ipairs(patrons.blocks(guardian.id)) do
        if block.kind == "wards" then
            return true
        end
    end
    return false
end

local function look_at(guardian)
    local owed = owed_by_wards(guardian)
    local too_much = owed >= money(settings.limit)
    if too_much and not is_blocked(guardian) then
        local reason = "Children in your care owe " .. tostring(owed) .. "."
        patrons.block { patron = guardian.id, kind = "wards", actions = { "borrow", "hold" }, reason = reason }
        notifications.send {
            patron = guardian.id,
            subject = "Fees of children in your care",
            body = reason .. " Please settle these fees; until then you cannot borrow.",
            key = "wards " .. guardian.id .. " " .. tostring(today()),
        }
    elseif not too_much and is_blocked(guardian) then
        patrons.unblock { patron = guardian.id, kind = "wards" }
    end
end

return plugin {
    api = 1,
    name = "guardians",
    version = "1.1.0",
    description = "Lets what children owe reach their guardian's limit",
    needs = { "patrons.write", "notifications.write" },
    settings = {
        limit = { type = "text", default = "10.00", help = "what children may owe before it concerns the guardian" },
    },
    fields = {
        patron = {
            guardian = { type = "patron", label = "Guardian", help = "who is responsible for this patron's fees" },
        },
    },
    on = {
        ["ledger.posted"] = function(event)
            local guardians = {}
            for _, entry in ipairs(event.entries) do
                local ward = entry.patron
                local guardian = ward and ward.guardian and patrons.get(ward.guardian)
                if guardian then
                    state.set("ward " .. guardian.id .. " " .. ward.id, true, ward)
                    guardians[guardian.id] = guardian
                end
            end
            for _, guardian in pairs(guardians) do
                look_at(guardian)
            end
        end,
    },
}
