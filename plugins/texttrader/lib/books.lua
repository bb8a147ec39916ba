-- Text Trader's books: listings of the market.
local answers = require "answers"

local schools = require "schools"

local say, message, texts = answers.say, answers.message, answers.texts

--- What others are told of an offer's state.
local states = {
    active = "offered", review = "in review", draft = "draft", hidden = "hidden", sold = "sold",
    withdrawn = "withdrawn",
}

--- A book in the app's own words. Its models take no null: what there is none of is an empty text, and costs 0.
local function book(listing)
    local price = listing.price and tonumber(tostring(listing.price):match "^-?[%d.]+") or 0
    return json.object {
        { "id", listing.id }, { "title", listing.name }, { "author", table.concat(listing.authors, "; ") },
        { "isbn", listing.isbn or "" }, { "price", price + 0.0 }, { "edition", listing.edition },
        { "condition", listing.condition }, { "imageName", listing.picture or "" }, { "note", listing.note },
        { "status", listing.kind:sub(1, 1):upper() .. listing.kind:sub(2) },
        { "owner", listing.seller_name or "the library" }, { "uploadDate", tostring(listing.created_at) },
        { "location", schools.of(listing.seller) }, { "state", states[listing.state] },
    }
end

local function bad(name, reason)
    error { status = 400, code = "input", message = "'" .. name .. "': " .. reason }
end

--- A price as a number or a text; nil where none is given.
local function price_of(request)
    local given = request.json.price
    local is_given = type(given) == "string" or type(given) == "number"
    local is_money, price = pcall(money, tostring(given))
    return is_money and price or is_given and bad("price", tostring(price):match "'amount': (.-)%.?$") or nil
end

local function isbn_of(isbn)
    if (isbn or "") == "" then
        return nil
    end
    local is_isbn, fault = pcall(catalogue.get, isbn)
    return is_isbn and isbn or bad("isbn", tostring(fault):match "'isbn_or_id': (.-)%.?$")
end

--- The listing of an id; nil where there is none that the caller may see.
local function found(request)
    local id = math.tointeger(tonumber(request.params.id:match "^%d+$"))
    local is_seen, listing = pcall(market.get, id or 0)
    return is_seen and listing or nil
end

local function own(request)
    local listing = found(request)
    local is_own = listing and listing.seller == request.caller.id
    return is_own and listing.id or error { status = 404, code = "not_found", message = "There is nothing here." }
end

local function outcome(status, listing, refusal)
    return listing and say(status, book(listing)) or message(409, refusal.message)
end

local books = {}

function books.list(request)
    local rows, words, school = {}, request.query.title or request.query.query, request.query.school
    for _, listing in ipairs(market.listings { text = words, prefix = #(words or "") > 1, limit = 1000 }) do
        if school == nil or schools.of(listing.seller) == school then
            rows[#rows + 1] = book(listing)
        end
    end
    return say(200, "[" .. table.concat(rows, ",") .. "]")
end

--- What the caller has offered to trade, and what to give away, in any state.
function books.history(request)
    local rows = { trade = {}, donate = {} }
    for _, listing in ipairs(market.listings { seller = request.caller.id, state = "all", limit = 1000 }) do
        local list = rows[listing.kind] or rows.trade
        list[#list + 1] = book(listing)
    end
    return say(200, '{"trades":[' .. table.concat(rows.trade, ",") .. '],"donations":['
        .. table.concat(rows.donate, ",") .. "]}")
end

function books.get(request)
    local listing, caller = found(request), request.caller
    if listing and (listing.state == "active" or caller and listing.seller == caller.id) then
        return say(200, book(listing))
    end
    return answers.others { method = "GET" }
end

function books.add(request)
    local given = texts(request)
    if (given.title or "") == "" then
        return message(400, "A book needs a title.")
    end
    local isbn, price, status = isbn_of(given.isbn), price_of(request), (given.status or ""):lower()
    -- Text Trader's `Trade` and `Donate`; what has a price is sold.
    local kind = (status == "donate" or status == "trade") and status or price and "sell" or "trade"
    return outcome(201, market.publish {
        seller = request.caller.id, name = given.title, authors = given.author and { given.author }, isbn = isbn,
        kind = kind, price = price, condition = given.condition, edition = given.edition,
        picture = given.imageName, note = given.note,
    })
end

function books.change(request)
    local id, given = own(request), texts(request)
    return outcome(200, market.update {
        listing = id, by = request.caller.id, price = price_of(request), condition = given.condition,
        edition = given.edition, picture = given.imageName, note = given.note,
    })
end

function books.remove(request)
    local listing, refusal = market.withdraw { listing = own(request), by = request.caller.id }
    return listing and answers.nothing() or message(409, refusal.message)
end

return books
