-- What the rows of Evergreen's tables stand for.
local records = {}

--- A branch's or a group's name as a code: `Main Library` is `main-library`.
local function code(name)
    if not name then
        return nil
    end
    local word = name:gsub("^%s+", ""):gsub("%s+$", "")
    return word:find("[%s/()]") and (word:lower():gsub("[^%w]+", "-"):gsub("^-", ""):gsub("-$", "")) or word
end

function records.patron(row)
    local username = row.barcode or row.usrname
    if not username then
        return nil, "the row has neither a barcode nor a user name"
    end
    return {
        patron = {
            username = username, name = row.name, surname = row.surname, email = row.email, phone = row.phone,
            category = code(row.profile), home_branch = code(row.home), birth_date = row.born, expires_on = row.expires,
            extra = row.usrname and row.usrname ~= username and { evergreen_username = row.usrname } or nil,
        },
    }
end

--- What becomes of Evergreen's statuses; the loan itself says that a copy is checked out.
local STATUS = {
    lost = "lost", ["lost and paid"] = "lost", missing = "lost", ["long overdue"] = "lost",
    ["discard/weed"] = "withdrawn", canceled = "withdrawn",
}

function records.item(row)
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.author and { row.author }, publisher = row.publisher,
            year = row.year, edition = row.edition,
            copies = row.barcode and { {
                barcode = row.barcode, branch = code(row.branch), item_type = code(row.modifier),
                status = row.status and STATUS[row.status:lower()], replacement_price = row.price,
                location = row.location, call_number = row.call_number,
            } } or nil,
        },
    }
end

function records.circulation(row)
    return {
        loan = {
            key = { "evergreen", row.patron or "", row.barcode, row.out_text }, username = row.patron,
            barcode = row.barcode, lent_on = row.out, due_on = row.due, returned_on = row.back,
            branch = code(row.branch),
        },
    }
end

return records
