-- The tables of TexBookSub, a university's textbooks, in and out.
--
-- Users become patrons, books titles with a listing of what remains; the textbook office (教务处) is the library itself.
-- Prices and sales of past months stay with the title, and are written again until orders here tell more.

local book = require "rows"
local write_books = require "tables"

return plugin {
    api = 1,
    name = "textbooksub",
    version = "1.0.0",
    description = "Reads and writes TexBookSub's tables",
    imports = {
        {
            name = "textbooksub-books", has = { "title", "publisher", "price" }, key = { "id" },
            columns = {
                id = "required integer", title = "required text", publisher = "required text",
                price = "required amount",
                author = "text", courses = "list ,;，；、", college = "text", BookDescription = "text",
                BookImage = "text", recommend = "flag", stars = "integer", historyPrice = "any",
                historyPurchase = "any", remain = "integer", total = "integer",
            },
            record = book,
        },
        {
            name = "textbooksub-users", has = { "username" }, lacks = { "title" }, key = { "username" },
            columns = {
                username = "required word", name = "text", email = "text", password = "password", cart = "none",
                published = "none", money = "none", likes = "none",
            },
            record = function(row)
                return { patron = { username = row.username, name = row.name, email = row.email }, once = true }
            end,
        },
    },
    exports = {
        {
            name = "users.json", columns = { "username" },
            write = function(out)
                out.each("patrons", function(patron)
                    out.put { username = patron.username }
                end)
            end,
        },
        {
            name = "books.json", write = write_books,
            columns = {
                "id", "title", "publisher", "stars", "price", "BookDescription", "BookImage", "courses",
                "historyPrice", "historyPurchase", "remain", "total", "college", "author", "expand", "recommend",
            },
        },
    },
}
