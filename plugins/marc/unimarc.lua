-- What the fields of UNIMARC are of a title: https://www.ifla.org/g/unimarc-rg/unimarc-bibliographic-3rd-edition/

local marc = require "marc"

local unimarc = {}

local PEOPLE = { "700", "701", "702", "710", "711", "712" }
local SUBJECTS = { "600", "601", "602", "604", "605", "606", "607", "610" }

local function person(field)
    local surname = marc.plain(marc.value(field, "a"))
    local rest = marc.plain(((marc.value(field, "b") or ""):gsub("^[%s,]+", "")))
    return surname and rest and rest .. " " .. surname or surname
end

--- What a record says of its title; `isbn_faults` are texts that should have been ISBNs.
function unimarc.read(record)
    local isbn, isbn_faults = marc.isbns(record, "010")
    local parts = {}
    for _, value in ipairs(marc.values(marc.fields(record, "200")[1], "aehi")) do
        table.insert(parts, marc.plain(value))
    end
    local authors, subjects = {}, {}
    for _, field in ipairs(marc.fields(record, PEOPLE)) do
        marc.add(authors, person(field))
    end
    for _, field in ipairs(marc.fields(record, SUBJECTS)) do
        local heading = {}
        for _, value in ipairs(marc.values(field, "abfjxyz")) do
            table.insert(heading, marc.plain(value))
        end
        marc.add(subjects, #heading > 0 and table.concat(heading, "--") or nil)
    end
    local published = marc.fields(record, "210")[1] or marc.fields(record, "214")[1]
    local coded = marc.value(marc.fields(record, "100")[1], "a") or ""
    local set = marc.fields(record, "461")[1]
    local stated = marc.value(set, "t") and set or marc.fields(record, "225")[1]
    local series = marc.plain(marc.value(stated, "t") or marc.value(stated, "a"))
    return {
        isbn = isbn, title = #parts > 0 and table.concat(parts, ": ") or nil, authors = authors, subjects = subjects,
        publisher = marc.plain(marc.value(published, "c")),
        year = marc.year(marc.values(published, "d")) or marc.year(coded:sub(10, 13)),
        language = marc.value(marc.fields(record, "101")[1], "a"),
        edition = marc.plain(marc.value(marc.fields(record, "205")[1], "a")),
        series = series, series_number = series and marc.plain(marc.value(stated, "v")),
        description = marc.line(marc.value(marc.fields(record, "330")[1], "a")), genres = {},
    }, isbn_faults
end

return unimarc
