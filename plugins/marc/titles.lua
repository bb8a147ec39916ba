-- Titles of records, and records of titles.

local marc = require "marc"
local marc21 = require "marc21"
local unimarc = require "unimarc"
local holdings = require "holdings"

local titles = {}

local function is_unimarc(record)
    local has_title = #marc.fields(record, "245") > 0
    return not has_title and #marc.fields(record, "200") > 0
end

--- Whether the first records of a file are of the format.
function titles.all(head, format)
    for _, record in ipairs(head.rows) do
        if is_unimarc(record) ~= (format == "unimarc") then
            return false
        end
    end
    return true
end

--- The title that a record stands for, with its copies, behind the codes that it declares and what is to be said of it.
function titles.read(record, format)
    record = marc.indexed(record)
    local title, isbn_faults = format.read(record)
    if not title.title then
        return nil, "it has no title"
    end
    local copies, declared = holdings.read(record)
    if not copies then
        return nil, declared
    end
    title.copies = #copies > 0 and copies or nil
    title.marc = true
    for _, text in ipairs(isbn_faults) do
        local message = "'" .. text .. "' is no right ISBN; " .. (title.isbn and "another one is taken" or "left out")
        table.insert(declared, 1, { warning = { code = "bad_isbn", message = message } })
    end
    table.insert(declared, { title = title })
    return declared
end

--- Writes the records of all titles.
function titles.write(out)
    local day = today()
    local added = ("%02d%02d%02d"):format(day.year % 100, day.month, day.day)
    out.each("titles", function(title)
        local record = title.marc or marc21.new(added)
        local format = is_unimarc(record) and unimarc or marc21
        format.write(record, title)
        holdings.write(record, title.copies or {})
        local written, why = out.put(record)
        if not written then
            print("title " .. title.id .. " is left out: " .. why)
            out.leave_out()
        end
    end)
end

return titles
