-- MARC records as tables: `leader`, and `fields`, a list of tables with the tag as the one key. Under it stands the
-- value of a control field, or `ind1`, `ind2` and `subfields`, a list of tables with the code as the one key.

local marc = {}

--- A record to be read, in which fields are found by their tags without going through all of them.
function marc.indexed(record)
    local by_tag = {}
    for _, field in ipairs(record.fields) do
        local tag, content = next(field)
        local list = by_tag[tag]
        if list then
            list[#list + 1] = content
        else
            by_tag[tag] = { content }
        end
    end
    return { leader = record.leader, fields = record.fields, by_tag = by_tag }
end

local NONE = {}

--- The contents of the fields of a tag, or of a list of tags, tag by tag, in their order.
function marc.fields(record, tags)
    local by_tag = record.by_tag or marc.indexed(record).by_tag
    if type(tags) == "string" then
        return by_tag[tags] or NONE
    end
    local found = {}
    for _, tag in ipairs(tags) do
        for _, content in ipairs(by_tag[tag] or NONE) do
            found[#found + 1] = content
        end
    end
    return found
end

--- The value of a control field; nil where there is none.
function marc.control(record, tag)
    local content = marc.fields(record, tag)[1]
    return type(content) == "string" and content or nil
end

--- The values of the subfields of a field whose codes stand in `codes`, in their order.
function marc.values(field, codes)
    local values = {}
    if type(field) ~= "table" then
        return values
    end
    for _, subfield in ipairs(field.subfields or {}) do
        local code, value = next(subfield)
        if codes:find(code, 1, true) then
            table.insert(values, value)
        end
    end
    return values
end

--- The first of them; nil where there is none.
function marc.value(field, codes)
    return marc.values(field, codes)[1]
end

--- A text on one line; nil where it is empty.
function marc.line(text)
    if text and (text:find "%s%s" or text:find "[\t\r\n]" or text:find "^ " or text:find " $") then
        text = text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
    end
    return text ~= "" and text or nil
end

--- A text without the marks that cataloguing rules (ISBD) put behind it, and those around words that do not sort.
function marc.plain(text)
    if text == nil then
        return nil
    end
    if text:find "\xC2" then
        text = text:gsub("\u{88}", ""):gsub("\u{89}", ""):gsub("\u{98}", ""):gsub("\u{9C}", "")
    end
    text = marc.line(text) or ""
    while text:find "[/:;=, ]$" do
        text = text:sub(1, -2)
    end
    -- The full stop of a sentence, but not that of an abbreviation or of an initial.
    if text:find "%l%l%l%l%.$" or text:find "%)%.$" then
        text = text:sub(1, -2)
    end
    return text ~= "" and text or nil
end

local function sum(digits, weight)
    local total = 0
    for place = 1, #digits do
        local digit = digits:sub(place, place)
        total = total + (digit == "X" and 10 or tonumber(digit)) * weight(place)
    end
    return total
end

local function weight13(place)
    return place % 2 == 0 and 3 or 1
end

--- The ISBN at the beginning of a text, in its form of thirteen digits, as titles have it; nil where there is none
--- whose check digit is right.
function marc.isbn(text)
    local digits = (text or ""):match "^%s*([%dXx%-]+)"
    digits = digits and digits:gsub("-", ""):upper()
    if digits and digits:find "^%d%d%d%d%d%d%d%d%d[%dX]$" then
        if sum(digits, function(place)
            return 11 - place
        end) % 11 ~= 0 then
            return nil
        end
        local body = "978" .. digits:sub(1, 9)
        return body .. (10 - sum(body, weight13) % 10) % 10
    elseif digits and digits:find "^97[89]%d%d%d%d%d%d%d%d%d%d$" then
        return sum(digits, weight13) % 10 == 0 and digits or nil
    end
end

--- The first right ISBN of the fields of a tag, and texts there that should be ISBNs and are none.
function marc.isbns(record, tag)
    local isbn, faults = nil, {}
    for _, field in ipairs(marc.fields(record, tag)) do
        local text = marc.value(field, "a")
        local found = marc.isbn(text)
        isbn = isbn or found
        if text and not found and text:find "%d" then
            table.insert(faults, text)
        end
    end
    return isbn, faults
end

--- `Austen, Jane` as people say it; whole where it is not one surname and what stands before it.
function marc.name(field)
    local name = marc.plain(marc.value(field, "a"))
    if name == nil then
        return nil
    end
    -- The full stop at the end of a heading, but not that of an initial or of `Jr.`
    if name:find "%a%a%a%.$" then
        name = name:sub(1, -2)
    end
    local surname, rest = name:match "^([^,]+), ([^,]+)$"
    return surname and rest .. " " .. surname or name
end

--- The year that a text or a list of texts names first.
function marc.year(texts)
    for _, text in ipairs(type(texts) == "table" and texts or { texts }) do
        local year = text:match "%f[%d]%d%d%d%d%f[%D]"
        if year then
            return tonumber(year)
        end
    end
end

--- Adds a value to a list that does not have it.
function marc.add(list, value)
    if value == nil then
        return
    end
    for _, other in ipairs(list) do
        if other == value then
            return
        end
    end
    table.insert(list, value)
end

-- MARK: Changing

--- Takes fields out of a record for which `is` says so.
function marc.remove(record, is)
    for place = #record.fields, 1, -1 do
        if is(next(record.fields[place])) then
            table.remove(record.fields, place)
        end
    end
end

--- Puts a field behind all of its tag and of those before.
function marc.insert(record, tag, content)
    local place = #record.fields + 1
    while place > 1 and next(record.fields[place - 1]) > tag do
        place = place - 1
    end
    table.insert(record.fields, place, { [tag] = content })
end

--- A data field: `marc.data("10", { "a", "Dune" })`. Subfields without a value are left out.
function marc.data(indicators, ...)
    local subfields = {}
    for _, pair in ipairs { ... } do
        if pair[2] ~= nil then
            table.insert(subfields, { [pair[1]] = pair[2] })
        end
    end
    return { ind1 = indicators:sub(1, 1), ind2 = indicators:sub(2, 2), subfields = subfields }
end

--- Sets a subfield of a field, or takes it out where the value is nil; those of the other codes go. A new one is last,
--- but `a`, which is the first.
function marc.set(field, code, value, others)
    local kept, done = {}, false
    for _, subfield in ipairs(field.subfields) do
        local name = next(subfield)
        if name == code then
            if not done and value ~= nil then
                table.insert(kept, { [code] = value })
            end
            done = true
        elseif not (others or ""):find(name, 1, true) then
            table.insert(kept, subfield)
        end
    end
    if not done and value ~= nil then
        table.insert(kept, code == "a" and 1 or #kept + 1, { [code] = value })
    end
    field.subfields = kept
end

--- Whether two lists hold the same in the same order.
function marc.same(one, other)
    if #one ~= #other then
        return false
    end
    for place, value in ipairs(one) do
        if value ~= other[place] then
            return false
        end
    end
    return true
end

--- The first field of a tag, which is added where there is none.
function marc.first(record, tag, indicators)
    local field = marc.fields(record, tag)[1]
    if not field then
        field = marc.data(indicators)
        marc.insert(record, tag, field)
    end
    return field
end

local function has(list, value)
    for _, one in ipairs(list) do
        if one == value then
            return true
        end
    end
    return false
end

--- Has the fields of some tags hold these texts: those that do stay to the letter, the others go, and new ones are
--- added under `tag`.
---
--- `text` is what a field is read as, nil for one that is none of the list; `make` writes one.
function marc.set_list(record, tags, tag, wanted, text, make)
    local left = {}
    for _, value in ipairs(wanted) do
        left[value] = true
    end
    marc.remove(record, function(other, field)
        local value = has(tags, other) and text(field)
        return value and left[value] == nil
    end)
    for _, field in ipairs(marc.fields(record, tags)) do
        local value = text(field)
        if value then
            left[value] = false
        end
    end
    for _, value in ipairs(wanted) do
        if left[value] then
            left[value] = false
            marc.insert(record, tag, make(value))
        end
    end
end

--- Has the fields of names hold these, in this order. A field whose name stays keeps all that it says of it.
---
--- `all` are their tags as they are read, `tags` pairs of them: under the one stands who comes first, under the other
--- whoever comes behind. `text` and `make` as above.
function marc.set_names(record, all, tags, wanted, text, make)
    local behind, before = {}, {}
    for _, pair in ipairs(tags) do
        behind[pair[1]], before[pair[2]] = pair[2], pair[1]
    end
    local function read()
        local names = {}
        for _, field in ipairs(marc.fields(record, all)) do
            marc.add(names, text(field))
        end
        return names
    end
    local function has_first()
        for _, entry in ipairs(record.fields) do
            if behind[next(entry)] then
                return true
            end
        end
        return false
    end
    local needs_first = has_first() or #read() == 0
    marc.set_list(record, all, tags[1][2], wanted, text, make)
    if marc.same(read(), wanted) and (has_first() or not needs_first) then
        return
    end
    local kept = {}
    for _, entry in ipairs(record.fields) do
        local tag, field = next(entry)
        local name = has(all, tag) and text(field)
        if name then
            kept[name] = kept[name] or {}
            table.insert(kept[name], { tag, field })
        end
    end
    local function write(retagged)
        marc.remove(record, function(tag, field)
            return has(all, tag) and text(field) ~= nil
        end)
        for place, name in ipairs(wanted) do
            for number, one in ipairs(kept[name] or {}) do
                local tag = retagged and tags[1][2] or one[1]
                tag = place == 1 and number == 1 and (before[tag] or tag) or behind[tag] or tag
                marc.insert(record, tag, one[2])
            end
        end
    end
    write(false)
    if not marc.same(read(), wanted) then
        -- Fields of people and of bodies cannot stand in such an order: all are written as those of people.
        for _, name in ipairs(wanted) do
            kept[name] = { { tags[1][2], make(name) } }
        end
        write(true)
    end
end

--- Has a record say what a title says now of what stands alike in all formats, but for the numbers of its fields.
---
--- `format` has the tags of `isbn`, `edition` and `description`, what `title` and `people` are made of, and what fields
--- of names say (`person`) and are made of (`person_field`).
function marc.write_alike(record, was, now, format)
    if was.isbn ~= now.isbn then
        marc.remove(record, function(tag, field)
            return tag == format.isbn and was.isbn ~= nil and marc.isbn(marc.value(field, "a")) == was.isbn
        end)
        if now.isbn then
            marc.insert(record, format.isbn, marc.data("  ", { "a", now.isbn }))
        end
    end
    if was.title ~= now.title then
        marc.set(marc.first(record, format.title.tag, format.title.indicators), "a", now.title, format.title.others)
    end
    if not marc.same(was.authors, now.authors or {}) then
        marc.set_names(record, format.people, format.names, now.authors or {}, format.person, format.person_field)
    end
    for _, name in ipairs { "edition", "description" } do
        if was[name] ~= now[name] then
            marc.set(marc.first(record, format[name], "  "), "a", now[name])
        end
    end
end

--- Takes out fields in which nothing is left.
function marc.remove_empty(record)
    marc.remove(record, function(_, field)
        return type(field) == "table" and #field.subfields == 0
    end)
end

--- Replaces characters of a control field from a place on, which counts from 0 as in the formats' descriptions.
function marc.patch(record, tag, place, text)
    for _, field in ipairs(record.fields) do
        local value = field[tag]
        if type(value) == "string" and #value >= place + #text then
            field[tag] = value:sub(1, place) .. text .. value:sub(place + #text + 1)
            return
        end
    end
end

return marc
