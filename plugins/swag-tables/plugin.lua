-- The table of Book SWAG, a shared shelf, in and out.
--
-- A book becomes a title with one copy, its last loan one of the past, of the patron of that username or name.

local function book(row)
    if (row.id or 0) < 0 then
        return { error = { column = "id", code = "out_of_range", message = row.id .. " is not an id" } }
    end
    local records = { {
        title = {
            id = row.id, title = row.title, authors = row.author, publisher = row.publisher,
            genres = row.categories, copies = 1,
        },
    } }
    if row.lastCheckedOut then
        table.insert(records, {
            loan = {
                title_id = row.id, title = row.title, authors = row.author, lent_at = row.lastCheckedOut,
                borrower = row.lastCheckedOutBy,
                content = { row.id or 0, row.title, row.written, row.lastCheckedOutBy or "" },
            },
        })
    elseif row.lastCheckedOutBy then
        local message = "without a date it tells of no loan; left out"
        table.insert(records, { warning = { column = "lastCheckedOutBy", code = "left_out", message = message } })
    end
    return records
end

local function last_loan(title)
    local last
    for loan in loans.each { title = title.id } do
        if last == nil or loan.lent_at >= last.lent_at then
            last = loan
        end
    end
    return last
end

local function name_of(borrower)
    local name = (borrower.name .. " " .. borrower.surname):match("^ ?(.-) ?$")
    return name ~= "" and name or borrower.username
end

return plugin {
    api = 1,
    name = "swag-tables",
    version = "1.0.0",
    description = "Reads and writes Book SWAG's table",
    imports = {
        {
            name = "swag", has = { "title" }, key = { "id" },
            columns = {
                id = "integer", title = "required text", author = "list ;", publisher = "text", categories = "list ,",
                lastCheckedOut = "moment", lastCheckedOutBy = "text", written = "text: lastCheckedOut",
            },
            record = book,
        },
    },
    exports = {
        {
            name = "books.json",
            columns = {
                "author", "categories", "id", "lastCheckedOut", "lastCheckedOutBy", "publisher", "title", "url",
            },
            write = function(out)
                out.each("titles", function(title)
                    local loan = last_loan(title)
                    local borrower = loan and loan.patron and patrons.get(loan.patron)
                    local day, time = tostring(loan and loan.lent_at):match("^(%S+)T(%d+:%d+:%d+)")
                    out.put {
                        author = table.concat(title.authors or {}, "; "),
                        categories = table.concat(title.genres or {}, ", "), id = title.id,
                        lastCheckedOut = day and day .. " " .. time,
                        lastCheckedOutBy = borrower and name_of(borrower),
                        publisher = title.publisher, title = title.title, url = "/books/" .. title.id .. "/",
                    }
                end)
            end,
        },
    },
}
