-- What the fields of UNIMARC are of a title: https://www.ifla.org/g/unimarc-rg/unimarc-bibliographic-3rd-edition/

local marc = require "marc"

local unimarc = {}

local PEOPLE = { "700", "701", "702", "710", "711", "712" }
local NAMES = { { "700", "701" }, { "710", "711" } }
local SUBJECTS = { "600", "601", "602", "604", "605", "606", "607", "610" }

local function person(field)
    local surname = marc.plain(marc.value(field, "a"))
    local rest = marc.plain(((marc.value(field, "b") or ""):gsub("^[%s,]+", "")))
    return surname and rest and rest .. " " .. surname or surname
end

local function heading(field)
    local parts = {}
    for _, value in ipairs(marc.values(field, "abfjxyz")) do
        table.insert(parts, marc.plain(value))
    end
    return #parts > 0 and table.concat(parts, "--") or nil
end

local function headings(record, tags)
    local list = {}
    for _, field in ipairs(marc.fields(record, tags)) do
        marc.add(list, heading(field))
    end
    return list
end

--- The statement of publication.
local function publication(record)
    return marc.fields(record, "210")[1] or marc.fields(record, "214")[1]
end

--- What a record says of its title; `isbn_faults` are texts that should have been ISBNs.
function unimarc.read(record)
    local isbn, isbn_faults = marc.isbns(record, "010")
    local parts = {}
    for _, value in ipairs(marc.values(marc.fields(record, "200")[1], "aehi")) do
        table.insert(parts, marc.plain(value))
    end
    local authors = {}
    for _, field in ipairs(marc.fields(record, PEOPLE)) do
        marc.add(authors, person(field))
    end
    local published = publication(record)
    local coded = marc.value(marc.fields(record, "100")[1], "a") or ""
    local set = marc.fields(record, "461")[1]
    local stated = marc.value(set, "t") and set or marc.fields(record, "225")[1]
    local series = marc.plain(marc.value(stated, "t") or marc.value(stated, "a"))
    return {
        isbn = isbn, title = #parts > 0 and table.concat(parts, ": ") or nil, authors = authors,
        subjects = headings(record, SUBJECTS), genres = headings(record, "608"),
        publisher = marc.plain(marc.value(published, "c")),
        year = marc.year(marc.values(published, "d")) or marc.year(coded:sub(10, 13)),
        language = marc.value(marc.fields(record, "101")[1], "a"),
        edition = marc.plain(marc.value(marc.fields(record, "205")[1], "a")),
        series = series, series_number = series and marc.plain(marc.value(stated, "v")),
        description = marc.line(marc.value(marc.fields(record, "330")[1], "a")),
    }, isbn_faults
end

-- MARK: Changing

local function person_field(name)
    local rest, surname = name:match "^(.+) (%S+)$"
    local field = surname and marc.data(" 1", { "a", surname }, { "b", rest }) or marc.data(" 0", { "a", name })
    -- A name that would be read otherwise is written as it is.
    return person(field) == name and field or marc.data(" 0", { "a", name })
end

--- A heading whose parts have `--` between them.
local function heading_field(text)
    local parts, rest = {}, text
    while rest do
        local part, others = rest:match "^(.-)%-%-(.+)$"
        table.insert(parts, { #parts == 0 and "a" or "x", part or rest })
        rest = others
    end
    local field = marc.data("  ", table.unpack(parts))
    return heading(field) == text and field or marc.data("  ", { "a", text })
end

--- The year of the coded data, which stand in `100 $a` from place 9 on.
local function set_coded_year(record, year)
    local field = marc.fields(record, "100")[1]
    local coded = marc.value(field, "a")
    if coded and #coded >= 13 then
        local digits = year and year > 0 and year < 10000 and ("%04d"):format(year) or "    "
        marc.set(field, "a", coded:sub(1, 9) .. digits .. coded:sub(14))
    end
end

local FORMAT = {
    isbn = "010", title = { tag = "200", indicators = "1 ", others = "ehi" }, edition = "205", description = "330",
    people = PEOPLE, names = NAMES, person = person, person_field = person_field,
}

--- Has a record say what a title says now; what is the same stays to the letter.
function unimarc.write(record, now)
    local was = unimarc.read(marc.indexed(record))
    local function changed(name)
        return was[name] ~= now[name]
    end
    marc.write_alike(record, was, now, FORMAT)
    if changed "publisher" or changed "year" then
        local field = publication(record)
        if not field then
            field = marc.data "  "
            marc.insert(record, "210", field)
        end
        if changed "publisher" then
            marc.set(field, "c", now.publisher)
        end
        if changed "year" then
            marc.set(field, "d", now.year and tostring(now.year))
            set_coded_year(record, now.year)
        end
    end
    if changed "language" then
        marc.set(marc.first(record, "101", "0 "), "a", now.language)
    end
    if changed "series" or changed "series_number" then
        marc.remove(record, function(tag, field)
            return tag == "225" or tag == "461" and marc.value(field, "t") ~= nil
        end)
        if now.series then
            marc.insert(record, "225", marc.data("  ", { "a", now.series }, { "v", now.series_number }))
        end
    end
    if not marc.same(was.subjects, now.subjects or {}) then
        marc.set_list(record, SUBJECTS, "606", now.subjects or {}, heading, heading_field)
    end
    -- Titles that were read before genres were have none, and lose none for that.
    if not marc.same(was.genres, now.genres or {}) and #(now.genres or {}) > 0 then
        marc.set_list(record, { "608" }, "608", now.genres, heading, heading_field)
    end
    marc.remove_empty(record)
end

return unimarc
