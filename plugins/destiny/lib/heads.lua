-- Tells Destiny's tables by their columns.
local heads = {}

local function has_any(head, names)
    for _, column in ipairs(head.columns) do
        local key = column:lower():gsub("[%s_%-/]", "")
        for _, name in ipairs(names) do
            if key == name then
                return true
            end
        end
    end
    return false
end

function heads.are_patrons(head)
    return has_any(head, { "lastname" }) and has_any(head, { "districtid", "siteshortname" })
        and has_any(head, { "patrontype", "accesslevel", "homeroom", "gradelevel", "graduationyear" })
end

function heads.are_copies(head)
    return has_any(head, { "title" }) and has_any(head, { "barcode", "copybarcode", "copy#", "copynumber" })
        and has_any(head, { "circulationtype", "circtype", "copystatus", "sublocation", "purchaseprice" })
end

--- Whether the dates of a file are YYYYMMDD.
function heads.are_packed(head)
    for _, row in ipairs(head.rows) do
        for column, value in pairs(row) do
            local key = column:lower():gsub("%s", "")
            if (key == "birthdate" or key == "cardexpires") and value:find "^%d%d%d%d%d%d%d%d$" then
                return true
            end
        end
    end
    return false
end

return heads
