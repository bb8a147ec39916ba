-- What the library has as TexBookSub's table of books has it.

local OFFICE = "教务处"

local function number(amount)
    local value = amount and tonumber(tostring(amount):match("^%S+"))
    return value and (math.tointeger(value) or value)
end

--- What a title sold for in twelve months: by orders where there are any, else as it came, else its price of today.
local function history(listing, title, kept)
    local prices, sales, today, none, sold = {}, {}, {}, {}, 0
    for place, month in ipairs(title.id and market.price_history(title.id) or {}) do
        prices[place], sales[place] = number(month.average) or 0, month.sold
        sold = sold + month.sold
    end
    if sold > 0 then
        return prices, sales
    end
    for month = 1, 12 do
        today[month], none[month] = month == 12 and number(listing.price) or 0, 0
    end
    return kept.historyPrice or today, kept.historyPurchase or none
end

--- The number that a listing had in such a table.
local function number_of(listing)
    return math.tointeger(tonumber(listing.key:match("^textbooksub:(-?%d+):")))
end

local function write_books(out)
    local taken, seen = {}, { last = -1 }
    out.each("listings", function(listing)
        local id = number_of(listing)
        if id then
            taken[id], seen.last = true, math.max(seen.last, id)
        end
    end)
    out.each("listings", function(listing)
        local title = catalogue.get(listing.isbn or listing.title_id or 0) or listing.proposal
        if listing.kind ~= "sell" or listing.state == "withdrawn" or listing.state == "draft" or not title then
            return out.leave_out()
        end
        local id = number_of(listing)
        if id == nil or not taken[id] then
            seen.last = seen.last + 1
            id = seen.last
        end
        taken[id] = nil
        local kept = title.extra and title.extra["textbooksub:" .. id] or {}
        local prices, sales = history(listing, title, kept)
        local codes = {}
        for _, course in ipairs(title.courses or {}) do
            table.insert(codes, type(course) == "table" and course.code or course)
        end
        out.put {
            id = id, title = title.title, publisher = listing.seller or OFFICE, stars = title.stars or 0,
            price = number(listing.price), BookDescription = title.description or "",
            BookImage = title.cover_url or kept.image or listing.picture or "", courses = table.concat(codes, ", "),
            historyPrice = prices, historyPurchase = sales, remain = listing.quantity,
            total = math.max(kept.total or listing.quantity, listing.quantity), college = title.college or "",
            author = table.concat(title.authors or {}, ", "), expand = false, recommend = title.recommended or false,
        }
    end)
end

return write_books
