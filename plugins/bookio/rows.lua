-- What the rows of Bookio's tables are here.
--
-- A price for rental says no time: it is taken to be for a semester. A book that is offered by neither is a draft.

local record = {}

local function offer(row, kind, price)
    return {
        listing = {
            key = { "bookio", row.user_id, row.ISBN, kind }, seller = row.user_id, isbn = row.ISBN,
            kind = kind == "own" and "sell" or kind, price = price, period = kind == "rent" and months(6) or nil,
            quantity = 1, state = kind == "own" and "draft" or "active", created_at = now(),
        },
    }
end

function record.own_book(row)
    local records = {}
    for _, kind in ipairs { "rent", "sell" } do
        local price = row[kind .. "_cost"]
        if row[kind] and price == nil then
            local message = "'" .. kind .. "_cost' is required"
            return { error = { column = kind .. "_cost", code = "missing", message = message } }
        elseif row[kind] then
            table.insert(records, offer(row, kind, price))
        end
    end
    return #records > 0 and records or offer(row, "own")
end

--- A listing that is its owner's again once the book is given back, and the rental itself.
function record.rented(row)
    local key = { "bookio", row.from_user_id, row.ISBN, row.to_user_id, "rented" }
    local records = {
        {
            listing = {
                key = key, seller = row.from_user_id, isbn = row.ISBN, kind = "rent", period = months(6), quantity = 0,
                state = "draft", created_at = now(),
            },
        },
        {
            rental = {
                key = key, listing = key, lender = row.from_user_id, borrower = row.to_user_id, isbn = row.ISBN,
                quantity = 1, price = "0", period = months(6), begun_at = now(),
                ends = row.end_date or today() + months(6),
            },
        },
    }
    if row.end_date == nil then
        local message = "there is no date; it ends six months after this import"
        table.insert(records, { warning = { column = "end_date", code = "missing", message = message } })
    end
    return records
end

function record.course(row)
    return { course = { code = row.course_no, name = row.course_name, isbn = row.ISBN } }
end

function record.user(row)
    local patron = { username = row.user_id, name = row.user_fname, surname = row.user_lname, phone = row.user_phone }
    return { patron = patron, once = true }
end

function record.book(row)
    return { title = { isbn = row.ISBN, title = row.book_name, authors = row.book_author and { row.book_author } } }
end

return record
