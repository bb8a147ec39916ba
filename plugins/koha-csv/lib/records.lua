-- What the rows of Koha's tables stand for.
local records = {}

function records.patron(row)
    return {
        patron = {
            username = row.cardnumber, name = row.firstname, surname = row.surname, email = row.email,
            phone = row.phone, category = row.categorycode, home_branch = row.branchcode, birth_date = row.dateofbirth,
            expires_on = row.dateexpiry, language = row.lang,
            extra = row.userid and row.userid ~= row.cardnumber and { koha_userid = row.userid } or nil,
        },
    }
end

local LOST = { ["1"] = "lost", ["2"] = "lost", ["3"] = "lost" }

function records.item(row)
    local status = row.withdrawn and "withdrawn" or LOST[row.itemlost or ""]
    return {
        title = {
            isbn = row.isbn, title = row.subtitle and row.title .. " " .. row.subtitle or row.title,
            authors = row.author and { row.author }, publisher = row.publisher, year = row.year,
            subjects = row.subjects, edition = row.edition, description = row.abstract,
            copies = row.barcode and { {
                barcode = row.barcode, branch = row.branch, item_type = row.itype, status = status,
                replacement_price = row.price, location = row.location, acquired_on = row.acquired,
                call_number = row.call_number,
            } } or nil,
        },
    }
end

function records.hold(row)
    return {
        hold = {
            key = { "koha", row.cardnumber, row.isbn or row.barcode, row.reservedate }, username = row.cardnumber,
            isbn = row.isbn, barcode = not row.isbn and row.barcode or nil, pickup_branch = row.branchcode,
            placed_at = row.reservedate .. "T00:00:00Z", expires_on = row.expirationdate,
        },
    }
end

function records.checkout(row)
    return {
        loan = {
            key = { "koha", row.cardnumber or "", row.barcode, row.issuedate }, username = row.cardnumber,
            barcode = row.barcode, isbn = row.isbn, lent_on = row.issuedate, due_on = row.date_due,
            returned_on = row.returndate, renewals = row.renewals or 0,
        },
    }
end

return records
