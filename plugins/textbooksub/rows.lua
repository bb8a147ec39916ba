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

local function book(row)
    local kept = { total = row.total, historyPrice = row.historyPrice, historyPurchase = row.historyPurchase }
    for _, column in ipairs { "historyPrice", "historyPurchase" } do
        if kept[column] ~= nil and not are_months(kept[column]) then
            return { error = { column = column, code = "wrong_type", message = "expected a list of twelve numbers" } }
        end
    end
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
