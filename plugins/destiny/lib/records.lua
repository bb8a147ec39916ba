-- What the rows of Destiny's tables stand for.
local records = {}

--- A name as a code: `7th Grade Student` is `7th-grade-student`.
local function code(name)
    return name and (name:lower():gsub("[^%w]+", "-"):gsub("^-", ""):gsub("-$", ""))
end

--- `20130924` as `2013-09-24`; nil and what is wrong where it is neither that nor blank.
local function unpacked(column, written)
    if not written then
        return nil
    end
    local year, month, day = written:match("^(%d%d%d%d)(%d%d)(%d%d)$")
    if not year then
        return nil, { error = { column = column, code = "bad_date", message = "'" .. written .. "' is not YYYYMMDD" } }
    end
    return year .. "-" .. month .. "-" .. day
end

function records.patron(row)
    local username = row.barcode or row.district_id
    if not username then
        return nil, "the row has neither a barcode nor a district ID"
    end
    local name = row.name
    if name and row.middle then
        name = name .. " " .. row.middle
    end
    local extra = {}
    for key, value in pairs { district_id = row.district_id, class = row.homeroom, grade = row.grade } do
        extra[key] = value
    end
    return {
        patron = {
            username = username, name = name, surname = row.surname, email = row.email, phone = row.phone,
            category = code(row.type), home_branch = code(row.site), birth_date = row.born, expires_on = row.expires,
            extra = next(extra) and extra or nil,
        },
    }
end

function records.packed_patron(row)
    local fault
    for name, column in pairs { born = "Birth Date", expires = "Card Expires" } do
        local written = row[name]
        row[name], fault = unpacked(column, written)
        if fault then
            return fault
        end
    end
    return records.patron(row)
end

local STATUS = { lost = "lost", withdrawn = "withdrawn", weeded = "withdrawn" }

function records.book(row)
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.author and { row.author }, publisher = row.publisher,
            year = row.year, subjects = row.subjects,
            copies = row.barcode and { {
                barcode = row.barcode, branch = code(row.site), item_type = code(row.circulation),
                status = row.status and STATUS[row.status:lower()], replacement_price = row.price,
                location = row.sublocation, acquired_on = row.acquired,
                call_number = row.call_number,
            } } or nil,
        },
    }
end

return records
