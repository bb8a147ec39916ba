-- Reads what Follett Destiny exports: patrons (under the names of its own import) and titles with their copies (of
-- its reports), for school libraries that come from there.
--
-- Sites, patron types and circulation types keep their names as codes. Dates of its exports are YYYYMMDD or as the
-- district writes them, whose order the setting says.
local heads = require "heads"
local records = require "records"

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
            name = "destiny-patrons", first = true, record = records.patron,
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
            is = function(head)
                return heads.are_patrons(head) and not heads.are_packed(head)
            end,
        },
        {
            name = "destiny-patrons-packed", first = true, record = records.packed_patron,
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
            is = function(head)
                return heads.are_patrons(head) and heads.are_packed(head)
            end,
        },
        {
            name = "destiny-copies", first = true, is = heads.are_copies, record = records.book,
            key = { "copy barcode" },
            columns = {
                title = "required text: Title", author = "text: Author",
                isbn = "isbns: ISBN, Standard Number, Standard Numbers, LCCN/ISBN", publisher = "text: Publisher",
                year = "year: Publication Year, Pub Year, Copyright, Year", subjects = "list |;: Subjects, Subject",
                barcode = "word: Copy Barcode, Barcode", site = "word: Site Short Name, Site, Location, School",
                circulation = "word: Circulation Type, Circ Type, CirculationType",
                status = "text: Copy Status, Status", price = "amount: Purchase Price, Price, Replacement Price",
                call_number = "word: Call Number, CallNumber, Call #",
                sublocation = "text: Sublocation", acquired = "date: Date Acquired",
            },
        },
    },
}
