-- What the library has as Bookio's tables have it: books by their ISBN alone.

local write = {}

local function number(price)
    local amount = price and tonumber(price:match("^%S+"))
    return amount and (math.tointeger(amount) or amount)
end

function write.users(out)
    out.each("patrons", function(patron)
        local name, surname = patron.name or "", patron.surname or ""
        out.put { user_id = patron.username, user_fname = name, user_lname = surname, user_phone = patron.phone or "" }
    end)
end

function write.books(out)
    out.each("titles", function(title)
        if title.isbn == nil then
            return out.leave_out()
        end
        out.put { ISBN = title.isbn, book_name = title.title, book_author = table.concat(title.authors or {}, ", ") }
    end)
end

--- Goes through the courses of the titles that have an ISBN.
local function each_course(out, body)
    out.each("titles", function(title)
        for _, course in ipairs(title.isbn and title.courses or {}) do
            local has_name = type(course) == "table"
            body(title, has_name and course.code or course, has_name and course.name or nil)
        end
    end)
end

function write.course_books(out)
    each_course(out, function(title, code)
        out.put { course_no = code, ISBN = title.isbn }
    end)
end

function write.courses(out)
    local names, codes = {}, {}
    each_course(out, function(_, code, name)
        if names[code] == nil then
            table.insert(codes, code)
        end
        names[code] = name or names[code] or false
    end)
    table.sort(codes)
    for _, code in ipairs(codes) do
        out.put { course_no = code, course_name = names[code] or nil }
    end
end

local function is_offered(listing)
    local is_open = listing.state ~= "withdrawn" and listing.state ~= "sold"
    return is_open and (listing.kind == "rent" or listing.kind == "sell")
end

--- A row for each book of a user, at the place of its first listing, with its prices for rental and sale.
function write.own_books(out)
    out.each("listings", function(listing)
        if not (is_offered(listing) and listing.seller and listing.isbn) then
            return out.leave_out()
        end
        local last = {}
        local all = { seller = listing.seller, isbn = listing.isbn, state = "all", limit = 10000 }
        for _, own in ipairs(market.listings(all)) do
            if is_offered(own) and own.id < listing.id then
                return
            end
            local newest = last[own.kind]
            if own.state == "active" and (newest == nil or own.id > newest.id) then
                last[own.kind] = own
            end
        end
        local rent, sell = last.rent and last.rent.price, last.sell and last.sell.price
        out.put {
            user_id = listing.seller, ISBN = listing.isbn, rent = rent and 1 or 0,
            rent_cost = rent and number(tostring(rent)), sell = sell and 1 or 0,
            sell_cost = sell and number(tostring(sell)),
        }
    end)
end

function write.rented(out)
    out.each("rentals", function(rental)
        if rental.ended_at then
            return
        elseif not (rental.lender and rental.borrower and rental.isbn) then
            return out.leave_out()
        end
        out.put {
            from_user_id = rental.lender, to_user_id = rental.borrower, ISBN = rental.isbn, end_date = rental.ends,
        }
    end)
end

return write
