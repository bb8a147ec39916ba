-- What a row of LibraryThing's export, or a book of its JSON, says of a title.
local function name(written)
    local last, first = written:match("^([^,]+), (.+)$")
    return last and first .. " " .. last or written
end

local function book(row)
    local authors = {}
    for _, author in ipairs { row.author, table.unpack(row.others or {}) } do
        table.insert(authors, name(author))
    end
    local copies = row.copies
    if row.barcode then
        copies = { { barcode = row.barcode } }
    end
    return {
        title = {
            isbn = row.isbn or row.other_isbn, title = row.title, authors = authors, year = row.year,
            subjects = row.subjects or row.tags, genres = row.subjects and row.tags,
            language = row.languages and row.languages[1],
            publisher = row.publication and row.publication:match("^(.-) %(") or row.publication,
            description = row.summary, copies = copies,
        },
    }
end

--- The texts in a list, or in a table whose keys are numbers, in their order; of lists in lists all of them.
local function texts(value, into)
    into = into or {}
    if type(value) == "string" then
        table.insert(into, value)
    elseif type(value) == "table" then
        local keys = {}
        for key in pairs(value) do
            table.insert(keys, key)
        end
        table.sort(keys, function(one, other)
            return (tonumber(one) or 0) < (tonumber(other) or 0)
        end)
        for _, key in ipairs(keys) do
            texts(value[key], into)
        end
    end
    return into
end

--- A book of the export as JSON, which has several of most things.
local function json_book(row)
    local authors, isbns = {}, texts(row.isbns)
    for _, author in ipairs(type(row.people) == "table" and row.people or {}) do
        table.insert(authors, author.fl or author.lf and name(author.lf))
    end
    if #authors == 0 and row.author then
        authors = { name(row.author) }
    end
    table.sort(isbns, function(one, other)
        return #one > #other
    end)
    local barcodes, copies = texts(row.barcodes), nil
    for _, barcode in ipairs(barcodes) do
        copies = copies or {}
        table.insert(copies, { barcode = barcode })
    end
    local subjects, tags = texts(row.subjects), texts(row.tags)
    return {
        title = {
            isbn = row.isbn or isbns[1], title = row.title, authors = authors, year = row.year,
            publisher = row.publication and row.publication:match("^(.-) %(") or row.publication,
            language = texts(row.languages)[1], description = row.summary,
            subjects = #subjects > 0 and subjects or tags, genres = #subjects > 0 and tags or nil,
            copies = copies or row.copies,
        },
    }
end

return { book = book, json_book = json_book }
