-- Reads the library that LibraryThing exports (More, Import/Export): tab-delimited, in UTF-8 or UTF-16, or as JSON.
--
-- ISBNs stand there as [1598530127], authors as "Kerouac, Jack", others between bars, the publisher before a year.
-- Tags are the reader's subjects; where the library's own subjects stand beside them, they are genres.

local books = require "books"

return plugin {
    api = 1,
    name = "librarything",
    version = "1.2.0",
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
            record = books.book,
        },
        {
            name = "librarything-json", has = { "books_id", "title" },
            columns = {
                title = "required text", author = "text: primaryauthor", people = "any: authors",
                publication = "text", year = "year: date", isbn = "isbns: originalisbn", isbns = "any: isbn",
                tags = "any", subjects = "any: subject", languages = "any: language", summary = "text",
                barcodes = "any: barcode", copies = "integer: copies",
            },
            record = books.json_book,
        },
    },
}
