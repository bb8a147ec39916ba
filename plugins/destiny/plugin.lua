-- Reads what Follett Destiny exports: patrons (under the names of its own import) and titles with their copies (of
-- its reports), for school libraries that come from there.
--
-- Sites, patron types and circulation types keep their names as codes. Dates of its exports are YYYYMMDD or as the
-- district writes them, whose order the setting says.

local function has_any(head, names)
    for _, column in ipairs(head.columns) do
        local key = column:lower():gsub("[%s_%-/]", "")
        for _, name in ipairs(names) do
            if key == name then
                return true
            end
        end
    end
    return false
end

local function are_patrons(head)
    return has_any(head, { "lastname" }) and has_any(head, { "districtid", "siteshortname" })
        and has_any(head, { "patrontype", "accesslevel", "homeroom", "gradelevel", "graduationyear" })
end

local function are_copies(head)
    return has_any(head, { "title" }) and has_any(head, { "barcode", "copybarcode", "copy#", "copynumber" })
        and has_any(head, { "circulationtype", "circtype", "copystatus", "sublocation", "purchaseprice" })
end

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

local function patron(row)
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

local function packed_patron(row)
    local fault
    for name, column in pairs { born = "Birth Date", expires = "Card Expires" } do
        local written = row[name]
        row[name], fault = unpacked(column, written)
        if fault then
            return fault
        end
    end
    return patron(row)
end

--- Whether the dates of a file are YYYYMMDD.
local function are_packed(head)
    for _, row in ipairs(head.rows) do
        for column, value in pairs(row) do
            local key = column:lower():gsub("%s", "")
            if (key == "birthdate" or key == "cardexpires") and value:find "^%d%d%d%d%d%d%d%d$" then
                return true
            end
        end
    end
    return false
end

local STATUS = { lost = "lost", withdrawn = "withdrawn", weeded = "withdrawn" }

local function book(row)
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.author and { row.author }, publisher = row.publisher,
            year = row.year, subjects = row.subjects,
            copies = row.barcode and { {
                barcode = row.barcode, branch = code(row.site), item_type = code(row.circulation),
                status = row.status and STATUS[row.status:lower()], replacement_price = row.price,
                extra = row.call_number and { call_number = row.call_number } or nil,
            } } or nil,
        },
    }
end

return plugin {
    api = 1,
    name = "destiny",
    version = "1.0.0",
    description = "Reads patrons, titles and copies that Follett Destiny exports",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "destiny-patrons", first = true, record = patron,
            columns = {
                site = "word: Site Short Name, SiteShortName, Site", barcode = "word: Barcode, Patron Barcode",
                district_id = "word: District ID, DistrictID", surname = "text: Last Name, LastName",
                name = "text: First Name, FirstName", middle = "text: Middle Name, MiddleName",
                type = "word: Patron Type, PatronType", homeroom = "word: Homeroom",
                grade = "word: Grade Level, GradeLevel, Grade",
                born = "date: Birth Date, BirthDate, Date of Birth", expires = "date: Card Expires, CardExpires",
                email = "text: Email 1, E-mail 1, EmailPrimary, Email Primary, Primary Email, Email, E-mail",
                phone = "word: Phone 1, AddressPrimaryPhoneNumberPrimary, Primary Phone 1, Phone",
                password = "password: Password",
            },
            is = function(head) return are_patrons(head) and not are_packed(head) end,
        },
        {
            name = "destiny-patrons-packed", first = true, record = packed_patron,
            columns = {
                site = "word: Site Short Name, SiteShortName, Site", barcode = "word: Barcode, Patron Barcode",
                district_id = "word: District ID, DistrictID", surname = "text: Last Name, LastName",
                name = "text: First Name, FirstName", middle = "text: Middle Name, MiddleName",
                type = "word: Patron Type, PatronType", homeroom = "word: Homeroom",
                grade = "word: Grade Level, GradeLevel, Grade",
                born = "word: Birth Date, BirthDate, Date of Birth", expires = "word: Card Expires, CardExpires",
                email = "text: Email 1, E-mail 1, EmailPrimary, Email Primary, Primary Email, Email, E-mail",
                phone = "word: Phone 1, AddressPrimaryPhoneNumberPrimary, Primary Phone 1, Phone",
                password = "password: Password",
            },
            is = function(head) return are_patrons(head) and are_packed(head) end,
        },
        {
            name = "destiny-copies", first = true, is = are_copies, record = book, key = { "copy barcode" },
            columns = {
                title = "required text: Title", author = "text: Author",
                isbn = "isbns: ISBN, Standard Number, Standard Numbers, LCCN/ISBN", publisher = "text: Publisher",
                year = "year: Publication Year, Pub Year, Copyright, Year", subjects = "list |;: Subjects, Subject",
                barcode = "word: Copy Barcode, Barcode", site = "word: Site Short Name, Site, Location, School",
                circulation = "word: Circulation Type, Circ Type, CirculationType",
                status = "text: Copy Status, Status", price = "amount: Purchase Price, Price, Replacement Price",
                call_number = "word: Call Number, CallNumber, Call #",
            },
        },
    },
}
