-- Reads what programs for readers and small collections export as CSV: Calibre, Libib, BookWyrm, StoryGraph, Zotero.
--
-- What readers keep for themselves (reviews, shelves, what they have read) is left out: `import --explain` names it.

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

return plugin {
    api = 1,
    name = "book-apps",
    version = "1.0.0",
    description = "Reads the books that Calibre, Libib, BookWyrm, The StoryGraph and Zotero export",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "calibre", first = true, has = { "author_sort", "title_sort", "authors", "title" },
            columns = {
                title = "required text: title", authors = "list &: authors", isbn = "isbns: isbn",
                identified = "isbns: identifiers", publisher = "text", year = "year: pubdate", series = "text",
                series_number = "word: series_index", tags = "list ,: tags", language = "word: languages",
                description = "text: comments", rating = "word",
            },
            record = calibre,
        },
        {
            name = "libib", first = true, has = { "item_type", "title", "creators", "ean_isbn13" },
            columns = {
                title = "required text: title", authors = "list ,;: creators", isbn = "isbns: ean_isbn13",
                isbn10 = "isbns: upc_isbn10", publisher = "text", year = "year: publish_date", tags = "list ,: tags",
                description = "text", rating = "word", copies = "integer",
            },
            record = libib,
        },
        {
            name = "bookwyrm", first = true, has = { "title", "author_text", "remote_id", "isbn_13" },
            columns = {
                title = "required text: title", authors = "list ,;: author_text", isbn = "isbns: isbn_13",
                isbn10 = "isbns: isbn_10", rating = "word",
            },
            record = bookwyrm,
        },
        {
            name = "storygraph", first = true, has = { "title", "authors", "isbn/uid", "read status" },
            columns = {
                title = "required text: Title", authors = "list ,;: Authors", isbn = "isbns: ISBN/UID",
                tags = "list ,: Tags", rating = "word: Star Rating",
            },
            record = storygraph,
        },
        {
            name = "zotero", first = true, has = { "key", "item type", "publication year", "author", "title" },
            columns = {
                kind = "word: Item Type", title = "required text: Title", authors = "list ;: Author",
                isbn = "isbns: ISBN", publisher = "text: Publisher", year = "year: Publication Year, Date",
                language = "word: Language", series = "text: Series", series_number = "word: Series Number",
                description = "text: Abstract Note", tags = "list ;: Manual Tags",
            },
            record = zotero,
        },
    },
}
