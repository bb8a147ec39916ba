-- Where records say which copies a library has. The setting `holdings` names fields and what their subfields hold:
-- `952: barcode=p branch=a item_type=y price=v location=c acquired=d call_number=o; 852: barcode=p branch=b`.

local marc = require "marc"

local holdings = {}

local KNOWN = {
    barcode = true, branch = true, item_type = true, price = true, location = true, acquired = true,
    call_number = true,
}

--- The fields that the setting names, in its order; an error says what cannot be read in it.
local function layouts()
    local list = {}
    for part in settings.holdings:gmatch "[^;]+" do
        local tag, rest = part:match "^%s*(%d%d%d)%s*:(.*)$"
        if not tag then
            error("the setting 'holdings': '" .. part .. "' does not begin with a tag and a colon: 952: barcode=p")
        end
        local layout = { tag = tag, codes = {} }
        for name, code in rest:gmatch "([%w_]+)=(%w+)" do
            layout.codes[name] = code
        end
        if not layout.codes.barcode then
            error("the setting 'holdings': field " .. tag .. " names no barcode, such as barcode=p")
        end
        table.insert(list, layout)
    end
    return list
end

--- `CPL=main, MPL=north` as a table, and the other way round.
local function translations(text)
    local there, back = {}, {}
    for theirs, ours in text:gmatch "([^%s,=]+)%s*=%s*([^%s,=]+)" do
        there[theirs], back[ours] = ours, back[ours] or theirs
    end
    return there, back
end

local function amount(text)
    local digits = text and text:match "%d[%d.,]*"
    if not digits then
        return nil
    end
    return (digits:gsub(",(%d%d)$", ".%1"):gsub(",", ""))
end

--- `2024-03-01` or `20240301`; nil for what is no day, such as `2024`.
local function day(text)
    local year, month, number = (text or ""):match "^%s*(%d%d%d%d)-?(%d%d)-?(%d%d)"
    local written = year and year .. "-" .. month .. "-" .. number
    return written and pcall(date, written) and written or nil
end

local function code(module, theirs, names, what)
    if theirs == nil then
        return nil
    end
    theirs = theirs:gsub("^%s+", ""):gsub("%s+$", "")
    local ours = names[theirs] or theirs
    if ours == "" or module.get(ours) then
        return ours ~= "" and ours or nil
    end
    if settings.new_codes == "refuse" then
        return nil, "there is no " .. what .. " '" .. ours .. "': add it, say which it is by the setting '" .. what
            .. "_codes', or have such ones added or left out by the setting 'new_codes'"
    end
    return settings.new_codes == "add" and ours or nil
end

--- The copies that a record names, and records of the branches and item types that are new with them; nil and why not.
function holdings.read(record)
    local copies, declared, seen = {}, {}, {}
    local branch_names = translations(settings.branch_codes)
    local type_names = translations(settings.item_type_codes)
    local function declare(kind, module, value)
        if value and not seen[kind .. value] and not module.get(value) then
            seen[kind .. value] = true
            table.insert(declared, { [kind] = { code = value, name = value } })
        end
    end
    for _, layout in ipairs(layouts()) do
        for _, field in ipairs(marc.fields(record, layout.tag)) do
            local barcode = marc.plain(marc.value(field, layout.codes.barcode))
            if barcode then
                local function value(name)
                    return layout.codes[name] and marc.value(field, layout.codes[name])
                end
                local branch, no_branch = code(branches, value "branch", branch_names, "branch")
                local item_type, no_type = code(item_types, value "item_type", type_names, "item_type")
                if no_branch or no_type then
                    return nil, "copy " .. barcode .. ": " .. (no_branch or no_type)
                end
                declare("branch", branches, branch)
                declare("item_type", item_types, item_type)
                local extra = {}
                for name in pairs(layout.codes) do
                    if not KNOWN[name] then
                        extra[name] = marc.plain(value(name))
                    end
                end
                table.insert(copies, {
                    barcode = barcode, branch = branch, item_type = item_type,
                    replacement_price = amount(value "price"), location = marc.plain(value "location"),
                    call_number = marc.plain(value "call_number"), acquired_on = day(value "acquired"),
                    extra = next(extra) and extra or nil,
                })
            end
        end
    end
    return copies, declared
end

local function set(field, layout, name, value)
    if layout.codes[name] then
        marc.set(field, layout.codes[name], value)
    end
end

--- Has a record name the copies that there are now: those that went or are withdrawn go, others are changed where they
--- differ, new ones come to those that stand there, or into fields of the first tag that the setting names.
function holdings.write(record, copies)
    local left, list = {}, layouts()
    for _, copy in ipairs(copies) do
        left[copy.barcode] = copy.status ~= "withdrawn" and copy or nil
    end
    local _, branch_names = translations(settings.branch_codes)
    local _, type_names = translations(settings.item_type_codes)
    local used
    local function fill(field, layout, copy, was)
        local price = copy.replacement_price and copy.replacement_price:match "^[%d.]+"
        local values = {
            branch = branch_names[copy.branch] or copy.branch, item_type = type_names[copy.item_type] or copy.item_type,
            price = price, location = copy.location, acquired = copy.acquired_on,
            call_number = copy.call_number,
        }
        for name, value in pairs(copy.extra or {}) do
            if not KNOWN[name] then
                values[name] = value
            end
        end
        local names = {}
        for name in pairs(values) do
            table.insert(names, name)
        end
        -- The same each time.
        table.sort(names)
        for _, name in ipairs(names) do
            local value = values[name]
            local before = was and marc.value(field, layout.codes[name] or "")
            if name == "price" and amount(before) and tonumber(amount(before)) == tonumber(price) then
                value = before
            end
            -- A day may be written in another way.
            if name == "acquired" and day(before) == value then
                value = before
            end
            if before ~= value and layout.codes[name] and type(value) == "string" then
                set(field, layout, name, value)
            end
        end
    end
    for _, layout in ipairs(list) do
        for place = #record.fields, 1, -1 do
            local tag, field = next(record.fields[place])
            local barcode = tag == layout.tag and marc.plain(marc.value(field, layout.codes.barcode))
            if barcode then
                used = used or layout
                if left[barcode] then
                    fill(field, layout, left[barcode], true)
                    left[barcode] = nil
                else
                    table.remove(record.fields, place)
                end
            end
        end
    end
    used = used or list[1]
    for _, copy in ipairs(copies) do
        if left[copy.barcode] and used then
            local field = marc.data("  ", { used.codes.barcode, copy.barcode })
            fill(field, used, copy, false)
            marc.insert(record, used.tag, field)
        end
    end
end

return holdings
