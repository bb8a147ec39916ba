-- Reads tables that Koha writes as CSV: patrons (as its own import has them), items, checkouts and holds of reports.
--
-- Branches, categories and item types keep Koha's codes. Reports have the columns of Koha's database, whose dates are
-- 2018-10-24; lists of its pages have dates in the order that Koha is set to, which the setting says.
local records = require "records"

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
            record = records.checkout,
        },
        {
            name = "koha-holds", first = true, has = { "cardnumber", "reservedate", "branchcode" },
            columns = {
                cardnumber = "required word", reservedate = "required date", branchcode = "required word",
                isbn = "isbns", barcode = "word", expirationdate = "date: expirationdate, patron_expiration_date",
            },
            record = records.hold,
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
            record = records.patron,
        },
        {
            name = "koha-items", first = true, has = { "barcode", "title", "itype" }, key = { "barcode" },
            columns = {
                barcode = "word", isbn = "isbns", title = "required text", author = "text",
                year = "year: copyrightdate, year",
                publisher = "text: publishercode, publisher", subjects = "list |: subject, subjects",
                branch = "word: homebranch, holdingbranch", itype = "word", itemlost = "word", withdrawn = "flag",
                price = "amount: replacementprice, price", call_number = "word: itemcallnumber, callnumber",
                location = "text: location, shelvinglocation, permanent_location",
                acquired = "date: dateaccessioned, acquired",
                subtitle = "text: subtitle, remainder", edition = "text: editionstatement",
                abstract = "text: abstract",
            },
            record = records.item,
        },
    },
}
