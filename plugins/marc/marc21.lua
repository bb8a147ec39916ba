-- What the fields of MARC 21 are of a title, both ways: https://www.loc.gov/marc/bibliographic/

local marc = require "marc"

local marc21 = {}

local SUBJECTS = { "600", "610", "611", "630", "647", "648", "650", "651", "653" }
local PEOPLE = { "100", "110", "111", "700", "710", "711" }

local function title(record)
    local field = marc.fields(record, "245")[1]
    local parts = {}
    for _, value in ipairs(marc.values(field, "abnp")) do
        table.insert(parts, marc.plain(value))
    end
    return #parts > 0 and table.concat(parts, ": ") or nil
end

--- Who made it; of parts of it (with a title of their own) who made these stays out.
local function people(record)
    local names = {}
    for _, field in ipairs(marc.fields(record, PEOPLE)) do
        if not marc.value(field, "t") then
            marc.add(names, marc.name(field))
        end
    end
    return names
end

local function heading(field)
    local parts = {}
    for _, value in ipairs(marc.values(field, "abcdtvxyz")) do
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

--- The statement of publication: of `264` the one that is about publishing, else `260`.
local function publication(record)
    for _, field in ipairs(marc.fields(record, "264")) do
        if field.ind2 == "1" then
            return field
        end
    end
    return marc.fields(record, "260")[1]
end

--- The series of which it is a volume, in the form under which libraries look it up where a record has that,
--- and the volume.
local function series(record)
    -- Beside the name of a person or a body, its title is in another place.
    for _, place in ipairs { { "800", "t" }, { "810", "t" }, { "811", "t" }, { "830", "a" } } do
        for _, field in ipairs(marc.fields(record, place[1])) do
            local name = marc.plain(marc.value(field, place[2]))
            if name then
                return name, marc.plain(marc.value(field, "v"))
            end
        end
    end
    local stated = marc.fields(record, "490")[1]
    return marc.plain(marc.value(stated, "a")), marc.plain(marc.value(stated, "v"))
end

--- What a record says of its title; `isbn_faults` are texts that should have been ISBNs.
function marc21.read(record)
    local isbn, isbn_faults = marc.isbns(record, "020")
    local published = publication(record)
    local fixed = marc.control(record, "008") or ""
    local language = fixed:sub(36, 38):match "^%l%l%l$" or marc.value(marc.fields(record, "041")[1], "a")
    local series_name, series_number = series(record)
    return {
        isbn = isbn, title = title(record), authors = people(record),
        publisher = marc.plain(marc.value(published, "b")),
        year = marc.year(marc.values(published, "c")) or marc.year(fixed:sub(8, 11)),
        language = language and language:sub(1, 20),
        edition = marc.plain(marc.value(marc.fields(record, "250")[1], "a")),
        series = series_name, series_number = series_name and series_number,
        description = marc.line(marc.value(marc.fields(record, "520")[1], "a")),
        subjects = headings(record, SUBJECTS), genres = headings(record, "655"),
    }, isbn_faults
end

--- A record of a title that came from elsewhere.
function marc21.new(now)
    return {
        leader = "00000nam a2200000 i 4500",
        fields = { { ["008"] = now .. "s        xx            000 0 und d" } },
    }
end

-- MARK: Changing

local NAMES = { { "100", "700" }, { "110", "710" }, { "111", "711" } }

local function person(field)
    return not marc.value(field, "t") and marc.name(field) or nil
end

local function person_field(name)
    local rest, surname = name:match "^(.+) (%S+)$"
    local field = marc.data("1 ", { "a", surname and surname .. ", " .. rest or name })
    -- A name that would be read otherwise is written as it is.
    return marc.name(field) == name and field or marc.data("0 ", { "a", name })
end

local function set_headings(record, tags, tag, wanted)
    marc.set_list(record, tags, tag, wanted, heading, function(text)
        return marc.data(" 4", { "a", text })
    end)
end

local FORMAT = {
    isbn = "020", title = { tag = "245", indicators = "00", others = "bnp" }, edition = "250", description = "520",
    people = PEOPLE, names = NAMES, person = person, person_field = person_field,
}

--- Has a record say what a title says now; what is the same stays to the letter.
function marc21.write(record, now)
    local was = marc21.read(marc.indexed(record))
    local function changed(name)
        return was[name] ~= now[name]
    end
    marc.write_alike(record, was, now, FORMAT)
    if changed "publisher" or changed "year" then
        local field = publication(record)
        if not field then
            field = marc.data " 1"
            marc.insert(record, "264", field)
        end
        if changed "publisher" then
            marc.set(field, "b", now.publisher)
        end
        if changed "year" then
            marc.set(field, "c", now.year and tostring(now.year))
            marc.patch(record, "008", 7, now.year and now.year > 0 and ("%04d"):format(now.year) or "    ")
        end
    end
    if changed "language" then
        local code = now.language and #now.language == 3 and now.language
        marc.patch(record, "008", 35, code or "und")
        marc.remove(record, function(tag)
            return tag == "041"
        end)
        if now.language and not code then
            marc.insert(record, "041", marc.data("07", { "a", now.language }, { "2", "rfc5646" }))
            marc.patch(record, "008", 35, "   ")
        end
    end
    if changed "series" or changed "series_number" then
        marc.remove(record, function(tag)
            return tag == "490" or tag == "800" or tag == "810" or tag == "811" or tag == "830"
        end)
        if now.series then
            marc.insert(record, "490", marc.data("0 ", { "a", now.series }, { "v", now.series_number }))
        end
    end
    if not marc.same(was.subjects, now.subjects or {}) then
        set_headings(record, SUBJECTS, "650", now.subjects or {})
    end
    if not marc.same(was.genres, now.genres or {}) then
        set_headings(record, { "655" }, "655", now.genres or {})
    end
    marc.remove_empty(record)
end

return marc21
