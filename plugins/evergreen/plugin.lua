-- Reads tables that Evergreen's reports and lists write as CSV: patrons, items and circulations, for libraries that
-- come from there.
--
-- Columns are found by the labels that the reporter gives them and by the names that they have in Evergreen's
-- database. Libraries, permission groups and circulation modifiers keep their names as codes. Reports have dates as
-- 2018-10-24; lists of the staff client have them as the workstation shows them, whose order the setting says.

local function has_any(head, names)
    for _, column in ipairs(head.columns) do
        for _, name in ipairs(names) do
            if column:lower() == name then
                return true
            end
        end
    end
    return false
end

local BARCODES = { "barcode", "item barcode", "copy barcode", "copy_barcode", "item_barcode" }

local function are_circulations(head)
    return has_any(head, { "checkout date/time", "checkout date", "xact_start", "checkout_date" })
        and has_any(head, { "due date/time", "due date", "due_date" }) and has_any(head, BARCODES)
end

local function are_items(head)
    local own = { "circulation modifier", "circulating library", "circ_modifier", "circ_lib", "shelving location" }
    return has_any(head, BARCODES) and has_any(head, { "title", "title proper" }) and has_any(head, own)
end

local function are_patrons(head)
    return has_any(head, { "main (profile) permission group", "privilege expiration date" })
        or has_any(head, { "family_name" }) and has_any(head, { "first_given_name", "usrname" })
end

--- A branch's or a group's name as a code: `Main Library` is `main-library`.
local function code(name)
    if not name then
        return nil
    end
    local word = name:gsub("^%s+", ""):gsub("%s+$", "")
    return word:find("[%s/()]") and (word:lower():gsub("[^%w]+", "-"):gsub("^-", ""):gsub("-$", "")) or word
end

local function patron(row)
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

local function item(row)
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.author and { row.author }, publisher = row.publisher,
            year = row.year, edition = row.edition,
            copies = row.barcode and { {
                barcode = row.barcode, branch = code(row.branch), item_type = code(row.modifier),
                status = row.status and STATUS[row.status:lower()], replacement_price = row.price,
            } } or nil,
        },
    }
end

local function circulation(row)
    return {
        loan = {
            key = { "evergreen", row.patron or "", row.barcode, row.out_text }, username = row.patron,
            barcode = row.barcode, lent_on = row.out, due_on = row.due, returned_on = row.back,
            branch = code(row.branch),
        },
    }
end

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
            name = "evergreen-circulations", first = true, is = are_circulations, record = circulation,
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
            name = "evergreen-items", first = true, is = are_items, record = item, key = { "barcode" },
            columns = {
                barcode = "word: Barcode, Item Barcode, Copy Barcode, copy_barcode, item_barcode",
                title = "required text: Title Proper, Title", author = "text: Author", isbn = "isbns: ISBN, TCN ISBN",
                publisher = "text: Publisher, Publisher (normalized)", edition = "text: Edition",
                year = "year: Publication Year, Pubdate, Publication Year (normalized), Pub Date",
                branch = "word: Circulating Library, Circulation Library, circ_lib, Owning Library, owning_lib",
                modifier = "word: Circulation Modifier, circ_modifier, Circ Modifier",
                status = "text: Copy Status, Status, Item Status, status", price = "amount: Price, price",
            },
        },
        {
            name = "evergreen-patrons", first = true, is = are_patrons, record = patron,
            columns = {
                barcode = "word: Patron Barcode, Current Library Card, Barcode, Card, patron_barcode",
                usrname = "word: OPAC/Staff Client User Name, Username, usrname",
                name = "text: First Name, first_given_name", surname = "text: Last Name, family_name",
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
