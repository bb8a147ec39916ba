-- Reads the library that LibraryThing exports as tab-delimited text (More, Import/Export), in UTF-8 or UTF-16.
--
-- ISBNs stand there as [1598530127], authors as "Kerouac, Jack", others between bars, the publisher before a year.
-- Tags are the reader's subjects; where the library's own subjects stand beside them, they are genres.

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

return plugin {
    api = 1,
    name = "librarything",
    version = "1.1.0",
    description = "Reads the library that LibraryThing exports",
    imports = {
        {
            name = "librarything-library", first = true,
            has = { "Book Id", "Title", "Sort Character", "Primary Author" },
            columns = {
                title = "required text: Title", author = "text: Primary Author", others = "list |: Secondary Author",
                publication = "text: Publication", year = "year: Date", isbn = "isbns: ISBN",
                other_isbn = "isbns: ISBNs", tags = "list ,: Tags", subjects = "list |: Subjects",
                languages = "list ,|: Languages, Language",
                summary = "text: Summary", barcode = "word: Barcode", copies = "integer: Copies",
            },
            record = book,
        },
    },
}
