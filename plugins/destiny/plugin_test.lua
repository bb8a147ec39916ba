local HEAD = "Site Short Name,Barcode,District ID,Last Name,First Name,Middle Name,Patron Type,Homeroom,Grade Level,"
    .. "Card Expires,Birth Date,User Name,Password,Email 1\n"
local PATRONS = HEAD .. "NORTH,P 1001,D77,Hall,Ada,May,Student,7-2,7,20270630,20130924,ahall,secret,ada@example.org\n"
    .. "NORTH,P 1002,,Moss,Bob,,Faculty,,,,,,,\n"
local COPIES = "Title,Author,ISBN,Publication Year,Call Number,Copy Barcode,Site,Circulation Type,Status,"
    .. "Purchase Price\n"
    .. 'Momo,"Ende, Michael",9783522202558,1973,FIC END,T 501,NORTH,Regular,Available,$12.50\n'

test("patrons keep site and type as codes, YYYYMMDD is a date, and passwords stay behind", function()
    local report = import("patrons.csv", PATRONS)
    expect(report.added, 2)
    expect(report.problems[1].code, "password_left_out")
    local ada = patrons.get "P 1001"
    expect(ada.name, "Ada May")
    expect(ada.category, "student")
    expect(ada.home_branch, "north")
    expect(ada.birth_date, date "2013-09-24")
    expect(ada.expires_on, date "2027-06-30")
    expect(ada.extra.district_id, "D77")
    expect(ada.extra.class, "7-2")
    expect(patrons.get("P 1002").category, "faculty")
    expect(import("patrons.csv", PATRONS).unchanged, 2)
end)

test("dates with slashes are read where one order alone fits, and names of columns without blanks too", function()
    local text = "SiteShortName,Barcode,DistrictID,LastName,FirstName,PatronType,BirthDate\n"
        .. "NORTH,1,D1,Lee,Bo,Student,09/24/2013\n"
    expect(import("genesis.csv", text).added, 1)
    expect(patrons.get("1").birth_date, date "2013-09-24")
    expect(pcall(import, "genesis.csv", text:gsub("09/24", "09/04")), false)
end)

test("a packed date that is none is refused with its column", function()
    local report = import("patrons.csv", PATRONS .. "NORTH,P 3,,Lee,Cy,,Student,,,,2013,,,\n")
    expect(report.rejected, 1)
    expect(report.problems[#report.problems].field, "Birth Date")
end)

test("copies keep their sublocation and the day on which they were acquired", function()
    local text = "Title,Copy Barcode,Site,Circulation Type,Sublocation,Date Acquired\n"
        .. "Momo,1,Main,Regular,Annex,20240229\n"
    expect(import("copies.csv", text).rejected, 0)
    expect(catalogue.copy("1").location, "Annex")
    expect(catalogue.copy("1").acquired_on, date "2024-02-29")
end)

test("titles come with their copies, and an amount that is none is told", function()
    local report = import("copies.csv", COPIES)
    expect(report.rejected, 1)
    expect(report.problems[1].field, "Purchase Price")
    local plain = COPIES:gsub("%$", "")
    expect(import("copies.csv", plain).added, 1)
    local copy = catalogue.copy "T 501"
    expect(copy.branch, "north")
    expect(copy.item_type, "regular")
    expect(copy.replacement_price, money "12.50")
    expect(import("copies.csv", plain).unchanged, 1)
end)
