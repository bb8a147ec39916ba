-- Reads the library that Goodreads exports (My Books, Import and export): goodreads_library_export.csv.
--
-- ISBNs stand there as ="0439023483". Shelves, reviews and dates of reading are the reader's own, and stay behind.

local function book(row)
    local authors = { row.author }
    for _, author in ipairs(row.others or {}) do
        table.insert(authors, author)
    end
    local stars = row.stars and row.stars > 0 and row.stars or nil
    return {
        title = {
            isbn = row.isbn13 or row.isbn, title = row.title, authors = authors, publisher = row.publisher,
            year = row.year or row.first_year, stars = stars, copies = row.copies,
        },
    }
end

return plugin {
    api = 1,
    name = "goodreads",
    version = "1.0.0",
    description = "Reads the library that Goodreads exports",
    imports = {
        {
            name = "goodreads-library", files = { "*.csv" }, first = true,
            has = { "Book Id", "Title", "Author l-f", "ISBN13", "Exclusive Shelf" },
            columns = {
                title = "required text: Title", author = "text: Author", others = "list ,: Additional Authors",
                isbn = "isbns: ISBN", isbn13 = "isbns: ISBN13", publisher = "text: Publisher",
                year = "year: Year Published", first_year = "year: Original Publication Year",
                stars = "integer: My Rating", copies = "integer: Owned Copies",
            },
            record = book,
        },
    },
}
