-- Reads tables that Evergreen's reports and lists write as CSV: patrons, items and circulations, for libraries that
-- come from there.
--
-- Columns are found by the labels that the reporter gives them and by the names that they have in Evergreen's
-- database. Libraries, permission groups and circulation modifiers keep their names as codes. Reports have dates as
-- 2018-10-24; lists of the staff client have them as the workstation shows them, whose order the setting says.
local heads = require "heads"
local records = require "records"

return plugin {
    api = 1,
    name = "evergreen",
    version = "1.0.0",
    description = "Reads patrons, items and circulations that Evergreen writes as CSV",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "evergreen-circulations", first = true, is = heads.are_circulations, record = records.circulation,
            columns = {
                barcode = "required word: Item Barcode, Copy Barcode, copy_barcode, item_barcode, Barcode",
                patron = "word: Patron Barcode, patron_barcode, User Barcode, Current Library Card",
                out = "required date: Checkout Date/Time, Checkout Date, xact_start, checkout_date",
                out_text = "word: Checkout Date/Time, Checkout Date, xact_start, checkout_date",
                due = "date: Due Date/Time, Due Date, due_date",
                back = "date: Check In Date/Time, Checkin Date/Time, Checkin Date, checkin_time",
                branch = "word: Check Out Library, Circulation Library, Circulating Library, circ_lib",
            },
        },
        {
            name = "evergreen-items", first = true, is = heads.are_items, record = records.item, key = { "barcode" },
            columns = {
                barcode = "word: Barcode, Item Barcode, Copy Barcode, copy_barcode, item_barcode",
                title = "required text: Title Proper, Title", author = "text: Author", isbn = "isbns: ISBN, TCN ISBN",
                publisher = "text: Publisher, Publisher (normalized)", edition = "text: Edition",
                year = "year: Publication Year, Pubdate, Publication Year (normalized), Pub Date",
                branch = "word: Circulating Library, Circulation Library, circ_lib, Owning Library, owning_lib",
                modifier = "word: Circulation Modifier, circ_modifier, Circ Modifier",
                status = "text: Copy Status, Status, Item Status, status", price = "amount: Price, price",
                location = "text: Shelving Location, Copy Location, Copy Location/Shelving Location",
                call_number = "text: Call Number, Call Number Label, call_number",
            },
        },
        {
            name = "evergreen-patrons", first = true, is = heads.are_patrons, record = records.patron,
            columns = {
                barcode = "word: Patron Barcode, Current Library Card, Barcode, Card, patron_barcode",
                usrname = "word: OPAC/Staff Client User Name, Username, usrname",
                name = "text: First Name, First Given Name, first_given_name", surname = "text: Last Name, family_name",
                email = "text: Email Address, Email, email",
                phone = "word: Day Phone, Daytime Phone, day_phone, Evening Phone, evening_phone, Other Phone",
                profile = "word: Main (Profile) Permission Group, Permission Group, Profile, profile",
                home = "word: Home Library, home_ou", born = "date: Date of Birth, DOB, dob",
                expires = "date: Privilege Expiration Date, Expiration Date, expire_date",
                passwd = "password: Password, passwd",
            },
        },
    },
}
