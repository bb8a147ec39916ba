-- Reads tables that Koha writes as CSV: patrons (as its own import has them), items and checkouts of reports.
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
            isbn = row.isbn, title = row.title, authors = row.author and { row.author }, publisher = row.publisher,
            year = row.year, subjects = row.subjects,
            copies = row.barcode and { {
                barcode = row.barcode, branch = row.branch, item_type = row.itype, status = status,
                replacement_price = row.price,
            } } or nil,
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
    version = "1.0.0",
    description = "Reads patrons, items and checkouts that Koha writes as CSV",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "koha-checkouts", first = true, has = { "barcode", "issuedate", "date_due" },
            columns = {
                cardnumber = "word", barcode = "required word", isbn = "isbns", issuedate = "required date",
                date_due = "date", returndate = "date", renewals = "integer: renewals_count, renewals",
            },
            record = checkout,
        },
        {
            name = "koha-patrons", first = true, has = { "cardnumber", "surname", "categorycode", "branchcode" },
            key = { "cardnumber" },
            columns = {
                cardnumber = "required word", userid = "word", surname = "text", firstname = "text", email = "text",
                phone = "word: phone, mobile", categorycode = "word", branchcode = "word", dateofbirth = "date",
                dateexpiry = "date", lang = "text", password = "password",
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
                price = "amount: replacementprice, price",
            },
            record = item,
        },
    },
}
