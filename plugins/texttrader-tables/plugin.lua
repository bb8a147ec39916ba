-- The tables of Text Trader, books for sale, to trade or to give away, in and out.
--
-- A price makes a book one for sale, none one to trade, and 0 one to give away; its location is part of the note.

local PLACE = "Location: "

--- A name as Text Trader has it: what stands before the last space, and what behind.
local function parts(name)
    local first, last = name:match("^(.*) ([^ ]*)$")
    return first or "", last or name
end

local function offer(row)
    local first, last = row.authfirstname, row.authlastname
    local author = table.concat({ first or last, first and last }, " ")
    local title = { isbn = row.isbn, title = row.title, authors = author ~= "" and { author } or nil }
    if last and select(2, parts(author)) ~= last then
        title.extra = { texttrader_author = { first = first or "", last = last } }
    end
    local is_free = row.price and tonumber(row.price) == 0
    return {
        listing = {
            key = { "texttrader", row.username, row.isbn or "", row.title }, seller = row.username,
            kind = is_free and "donate" or row.price and "sell" or "trade", price = not is_free and row.price or nil,
            quantity = 1, note = row.location and PLACE .. row.location, state = "active", created_at = now(),
            title = title,
        },
    }
end

local function write_books(out)
    out.each("listings", function(listing)
        local title = catalogue.get(listing.isbn or listing.title_id or 0) or listing.proposal
        local is_open = listing.state ~= "withdrawn" and listing.state ~= "sold" and listing.state ~= "draft"
        if listing.kind == "rent" or not is_open or not title or not listing.seller then
            return out.leave_out()
        end
        local first, last = "", ""
        if title.authors and title.authors[1] then
            first, last = parts(title.authors[1])
        end
        local kept = title.extra and title.extra.texttrader_author
        if kept and kept.last then
            first, last = kept.first or "", kept.last
        end
        local note = listing.note or ""
        local price = listing.price and tonumber(listing.price:match("^%S+"))
        out.put {
            username = listing.seller, isbn = title.isbn or "", title = title.title, authfirstname = first,
            authlastname = last, location = note:sub(1, #PLACE) == PLACE and note:sub(#PLACE + 1) or "",
            price = listing.kind == "donate" and 0 or price and (math.tointeger(price) or price),
        }
    end)
end

return plugin {
    api = 1,
    name = "texttrader-tables",
    version = "1.0.0",
    description = "Reads and writes Text Trader's tables",
    imports = {
        {
            name = "texttrader-books", has = { "username", "title" }, key = { "username", "isbn", "title" },
            within = { "Items" },
            columns = {
                username = "required text", title = "required text", isbn = "isbn", authfirstname = "text",
                authlastname = "text", location = "text", price = "amount",
            },
            record = offer,
        },
        {
            name = "texttrader-users", has = { "username" }, lacks = { "isbn", "title" }, key = { "username" },
            within = { "Items" },
            columns = {
                username = "required word", name = "text", email = "text", password = "password", school = "none",
                school_id = "none",
            },
            record = function(row)
                return { patron = { username = row.username, name = row.name, email = row.email }, once = true }
            end,
        },
    },
    exports = {
        {
            name = "Users.json", columns = { "username", "name", "email" },
            write = function(out)
                out.each("patrons", function(patron)
                    local name = ((patron.name or "") .. " " .. (patron.surname or "")):match("^ ?(.-) ?$")
                    out.put { username = patron.username, name = name, email = patron.email or "" }
                end)
            end,
        },
        {
            name = "Books.json", write = write_books,
            columns = { "username", "isbn", "title", "authfirstname", "authlastname", "location", "price" },
        },
    },
}
