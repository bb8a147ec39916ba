-- What a row of TexBookSub's table of books is here.

local OFFICE = "教务处"

local function are_months(list)
    if type(list) ~= "table" or #list ~= 12 then
        return false
    end
    for _, month in ipairs(list) do
        if math.type(month) == nil then
            return false
        end
    end
    return true
end

--- The twelve months, of which the last is the present one, as the library's own charts know them.
local function past_months(prices, sales)
    local found, present = {}, date(tostring(today()):sub(1, 7) .. "-01")
    for place = 1, 12 do
        local price, sold = prices and prices[place] or 0, sales and sales[place] or 0
        local is_money, amount = pcall(money, tostring(price))
        if price > 0 or sold > 0 then
            found[#found + 1] = {
                month = tostring(present - months(12 - place)):sub(1, 7), sold = math.tointeger(sold) or 0,
                price = is_money and tostring(amount) or nil,
            }
        end
    end
    return found
end

local function book(row)
    local kept = { total = row.total, historyPrice = row.historyPrice, historyPurchase = row.historyPurchase }
    for _, column in ipairs { "historyPrice", "historyPurchase" } do
        if kept[column] ~= nil and not are_months(kept[column]) then
            return { error = { column = column, code = "wrong_type", message = "expected a list of twelve numbers" } }
        end
    end
    kept.months = past_months(kept.historyPrice, kept.historyPurchase)
    local image = row.BookImage
    local is_address = image and image:find("^https?://")
    if not is_address then
        kept.image = image
    end
    local remain = math.max(row.remain or 0, 0)
    local records = { {
        listing = {
            key = { "textbooksub:" .. row.id, row.title, row.publisher }, key_digits = 16,
            seller = row.publisher ~= OFFICE and row.publisher or nil,
            kind = "sell", price = row.price, quantity = remain, state = remain > 0 and "active" or "sold",
            created_at = now(),
            title = {
                title = row.title, authors = row.author and { row.author }, courses = row.courses,
                college = row.college, description = row.BookDescription, recommended = row.recommend,
                stars = row.stars, cover_url = is_address and image or nil,
                extra = { ["textbooksub:" .. row.id] = kept },
            },
        },
    } }
    if (row.remain or 0) < 0 then
        local message = row.remain .. " pieces are left, since more were sold; taken as none"
        table.insert(records, { warning = { column = "remain", code = "out_of_range", message = message } })
    end
    return records
end

return book
