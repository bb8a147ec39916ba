-- Tells Evergreen's tables by their columns.
local heads = {}

local function has_any(head, names)
    for _, column in ipairs(head.columns) do
        for _, name in ipairs(names) do
            if column:lower() == name then
                return true
            end
        end
    end
    return false
end

local BARCODES = { "barcode", "item barcode", "copy barcode", "copy_barcode", "item_barcode" }

function heads.are_circulations(head)
    return has_any(head, { "checkout date/time", "checkout date", "xact_start", "checkout_date" })
        and has_any(head, { "due date/time", "due date", "due_date" }) and has_any(head, BARCODES)
end

function heads.are_items(head)
    local own = { "circulation modifier", "circulating library", "circ_modifier", "circ_lib", "shelving location" }
    return has_any(head, BARCODES) and has_any(head, { "title", "title proper" }) and has_any(head, own)
end

function heads.are_patrons(head)
    return has_any(head, { "main (profile) permission group", "privilege expiration date" })
        or has_any(head, { "family_name" }) and has_any(head, { "first_given_name", "usrname" })
end

return heads
