-- Reads tables that Koha writes as CSV: patrons (as its own import has them), items, checkouts and holds of reports.
--
-- Branches, categories and item types keep Koha's codes. Reports have the columns of Koha's database, whose dates are
-- 2018-10-24; lists of its pages have dates in the order that Koha is set to, which the setting says.

local function patron(row)
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

local function item(row)
    local status = row.withdrawn and "withdrawn" or LOST[row.itemlost or ""]
    return {
        title = {
            isbn = row.isbn, title = row.subtitle and row.title .. " " .. row.subtitle or row.title,
            authors = row.author and { row.author }, publisher = row.publisher, year = row.year,
            subjects = row.subjects, edition = row.edition, description = row.abstract,
            copies = row.barcode and { {
                barcode = row.barcode, branch = row.branch, item_type = row.itype, status = status,
                replacement_price = row.price, extra = row.call_number and { call_number = row.call_number } or nil,
            } } or nil,
        },
    }
end

local function hold(row)
    return {
        hold = {
            key = { "koha", row.cardnumber, row.isbn or row.barcode, row.reservedate }, username = row.cardnumber,
            isbn = row.isbn, barcode = not row.isbn and row.barcode or nil, pickup_branch = row.branchcode,
            placed_at = row.reservedate .. "T00:00:00Z", expires_on = row.expirationdate,
        },
    }
end

local function checkout(row)
    return {
        loan = {
            key = { "koha", row.cardnumber or "", row.barcode, row.issuedate }, username = row.cardnumber,
            barcode = row.barcode, isbn = row.isbn, lent_on = row.issuedate, due_on = row.date_due,
            returned_on = row.returndate, renewals = row.renewals or 0,
        },
    }
end

return plugin {
    api = 1,
    name = "koha-csv",
    version = "1.1.0",
    description = "Reads patrons, items, checkouts and holds that Koha writes as CSV",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "koha-checkouts", first = true, has = { "barcode", "issuedate", "date_due" },
            columns = {
                cardnumber = "word", barcode = "required word", isbn = "isbns", issuedate = "required date",
                date_due = "date: date_due, duedate", returndate = "date",
                renewals = "integer: renewals_count, renewals",
            },
            record = checkout,
        },
        {
            name = "koha-holds", first = true, has = { "cardnumber", "reservedate", "branchcode" },
            columns = {
                cardnumber = "required word", reservedate = "required date", branchcode = "required word",
                isbn = "isbns", barcode = "word", expirationdate = "date: expirationdate, patron_expiration_date",
            },
            record = hold,
        },
        {
            name = "koha-patrons", first = true, has = { "cardnumber", "surname", "categorycode", "branchcode" },
            key = { "cardnumber" },
            columns = {
                cardnumber = "required word", userid = "word", surname = "text", firstname = "text",
                email = "text: email, emailpro, B_email", phone = "word: phone, mobile, phonepro",
                categorycode = "word", branchcode = "word", dateofbirth = "date", dateexpiry = "date",
                lang = "text", password = "password",
            },
            record = patron,
        },
        {
            name = "koha-items", first = true, has = { "barcode", "title", "itype" }, key = { "barcode" },
            columns = {
                barcode = "word", isbn = "isbns", title = "required text", author = "text",
                year = "year: copyrightdate, year",
                publisher = "text: publishercode, publisher", subjects = "list |: subject, subjects",
                branch = "word: homebranch, holdingbranch", itype = "word", itemlost = "word", withdrawn = "flag",
                price = "amount: replacementprice, price", call_number = "word: itemcallnumber, callnumber",
                subtitle = "text: subtitle, remainder", edition = "text: editionstatement",
                abstract = "text: abstract",
            },
            record = item,
        },
    },
}
