-- Reads what programs for readers and small collections export as CSV: Calibre, Libib, BookWyrm, StoryGraph, Zotero.
--
-- What readers keep for themselves (reviews, shelves, what they have read) is left out: `import --explain` names it.

local books = require "books"

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
            record = books.calibre,
        },
        {
            name = "libib", first = true, has = { "item_type", "title", "creators", "ean_isbn13" },
            columns = {
                title = "required text: title", authors = "list ,;: creators", isbn = "isbns: ean_isbn13",
                isbn10 = "isbns: upc_isbn10", publisher = "text", year = "year: publish_date", tags = "list ,: tags",
                description = "text", rating = "word", copies = "integer",
            },
            record = books.libib,
        },
        {
            name = "bookwyrm", first = true, has = { "title", "author_text", "remote_id", "isbn_13" },
            columns = {
                title = "required text: title", authors = "list ,;: author_text", isbn = "isbns: isbn_13",
                isbn10 = "isbns: isbn_10", rating = "word",
            },
            record = books.bookwyrm,
        },
        {
            name = "storygraph", first = true, has = { "title", "authors", "isbn/uid", "read status" },
            columns = {
                title = "required text: Title", authors = "list ,;: Authors", isbn = "isbns: ISBN/UID",
                tags = "list ,: Tags", rating = "word: Star Rating",
            },
            record = books.storygraph,
        },
        {
            name = "zotero", first = true, has = { "key", "item type", "publication year", "author", "title" },
            columns = {
                kind = "word: Item Type", title = "required text: Title", authors = "list ;: Author",
                isbn = "isbns: ISBN", publisher = "text: Publisher", year = "year: Publication Year, Date",
                language = "word: Language", series = "text: Series", series_number = "word: Series Number",
                description = "text: Abstract Note", tags = "list ;: Manual Tags",
            },
            record = books.zotero,
        },
    },
}
