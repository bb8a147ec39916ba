-- What rows of programs for readers say of titles.
--- `Herbert, Frank` as people say it.
local function turned(name)
    local surname, rest = name:match "^([^,]+), ([^,]+)$"
    return surname and rest .. " " .. surname or name
end

--- Whole stars of what may be half ones, and of ten where programs count so.
local function stars(text, most)
    local number = tonumber(text or "")
    if not number or number <= 0 or number > most then
        return nil
    end
    return math.max(1, math.floor(number * 5 / most + 0.5))
end

--- A text of HTML without its marks.
local function plain(text)
    if not text then
        return nil
    end
    text = text:gsub("<[bB][rR]%s*/?>", " "):gsub("</[pP]>", " "):gsub("<[^<>]*>", "")
    text = text:gsub("&nbsp;", " "):gsub("&quot;", '"'):gsub("&#39;", "'"):gsub("&lt;", "<"):gsub("&gt;", ">")
    text = text:gsub("&amp;", "&"):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
    return text ~= "" and text or nil
end

local function calibre(row)
    -- Calibre numbers books of no series as well.
    local number = row.series and row.series_number and row.series_number:gsub("%.0+$", "") or nil
    return {
        title = {
            isbn = row.isbn or row.identified, title = row.title, authors = row.authors, publisher = row.publisher,
            year = row.year, language = row.language, series = row.series, series_number = number,
            subjects = row.tags, description = plain(row.description), stars = stars(row.rating, 10),
        },
    }
end

local function libib(row)
    return {
        title = {
            isbn = row.isbn or row.isbn10, title = row.title, authors = row.authors, publisher = row.publisher,
            year = row.year, subjects = row.tags, description = plain(row.description),
            stars = stars(row.rating, 5), copies = row.copies,
        },
    }
end

local function bookwyrm(row)
    return {
        title = {
            isbn = row.isbn or row.isbn10, title = row.title, authors = row.authors, stars = stars(row.rating, 5),
        },
    }
end

local function storygraph(row)
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.authors, subjects = row.tags,
            stars = stars(row.rating, 5),
        },
    }
end

local BOOKS = { book = true, document = true, report = true, thesis = true, manuscript = true }

local function zotero(row)
    local kind = row.kind or "book"
    if not BOOKS[kind] then
        return nil, "'" .. kind .. "' of Zotero is no work that a library keeps on its own, such as a book"
    end
    local authors = {}
    for _, author in ipairs(row.authors or {}) do
        table.insert(authors, turned(author))
    end
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = authors, publisher = row.publisher, year = row.year,
            language = row.language, series = row.series, series_number = row.series and row.series_number,
            subjects = row.tags, description = plain(row.description),
        },
    }
end

return { calibre = calibre, libib = libib, bookwyrm = bookwyrm, storygraph = storygraph, zotero = zotero }
