-- Reads MARC 21 and UNIMARC, binary (ISO 2709) or as MARCXML or MARC-in-JSON, and writes MARC 21.
--
-- Titles keep the record that they came from, so that an export gives it back with what has changed in the library
-- since. A library with other habits copies this plugin and changes `marc21.lua` and `unimarc.lua`.

local marc = require "marc"
local marc21 = require "marc21"
local unimarc = require "unimarc"
local holdings = require "holdings"

local function is_unimarc(record)
    local has_title = #marc.fields(record, "245") > 0
    return not has_title and #marc.fields(record, "200") > 0
end

--- Whether the first records of a file are of the format.
local function all(head, format)
    for _, record in ipairs(head.rows) do
        if is_unimarc(record) ~= (format == "unimarc") then
            return false
        end
    end
    return true
end

local function records(record, format)
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

local function write(out)
    local day = today()
    local added = ("%02d%02d%02d"):format(day.year % 100, day.month, day.day)
    out.each("titles", function(title)
        local record = title.marc or marc21.new(added)
        if is_unimarc(record) then
            -- What has changed since is written into MARC 21 alone.
            record.fields = title.marc.fields
        else
            marc21.write(record, title)
            holdings.write(record, title.copies or {})
        end
        local written, why = out.put(record)
        if not written then
            print("title " .. title.id .. " is left out: " .. why)
            out.leave_out()
        end
    end)
end

return plugin {
    api = 1,
    name = "marc",
    version = "1.0.0",
    description = "Reads and writes MARC records",
    settings = {
        holdings = {
            type = "text",
            default = [[952: barcode=p branch=a item_type=y price=v; 852: barcode=p branch=b;
                949: barcode=i branch=m item_type=t price=p]],
            help = "fields in which records name copies, and the codes of their subfields",
        },
        new_codes = {
            type = "text", default = "refuse", values = { "refuse", "add", "leave out" },
            help = "what becomes of branches and item types that are not here",
        },
        branch_codes = {
            type = "text", default = "", help = "their codes of branches and ours: CPL=main, MPL=north",
        },
        item_type_codes = {
            type = "text", default = "", help = "their codes of item types and ours: BK=book, DVD=dvd",
        },
        encoding = {
            type = "text", required = false,
            values = { "utf-8", "marc-8", "iso-5426", "iso-8859-1", "windows-1251", "windows-1252", "cp866" },
            help = "what the records are in, if they do not say so themselves",
        },
    },
    imports = {
        {
            name = "marc21", has = { "leader", "fields" },
            is = function(head)
                return all(head, "marc21")
            end,
            record = function(record)
                return records(record, marc21)
            end,
        },
        {
            name = "unimarc", has = { "leader", "fields" },
            is = function(head)
                return all(head, "unimarc")
            end,
            record = function(record)
                return records(record, unimarc)
            end,
        },
    },
    exports = {
        { name = "titles.mrc", write = write },
        { name = "titles.marcxml", write = write },
    },
}
