local PATRONS = "Current Library Card,Last Name,First Name,Email Address,Home Library,"
    .. "Main (Profile) Permission Group,Date of Birth,Privilege Expiration Date,OPAC/Staff Client User Name\n"
    .. "99999303411,Hall,Ada,ada@example.org,BR1,Patrons,1980-04-24,2030-12-31T23:59:59-0500,ahall\n"
    .. "99999303412,Moss,Bob,,BR1,Staff - Cataloger,,2029-06-30,99999303412\n"
local ITEMS = "Barcode,Title Proper,Author,ISBN,Publication Year,Circulating Library,Circulation Modifier,"
    .. "Copy Status,Price\n"
    .. 'CONC40000598,Momo,"Ende, Michael, 1929-",9783522202558 :,1973,BR1,book,Available,12.50\n'
    .. "CONC40000599,Local paper,,,1998,BR2,magazine,Lost,\n"

test("patrons keep their library and permission group as codes, and no time zone moves their last day", function()
    expect(import("patrons.csv", PATRONS).added, 2)
    local ada = patrons.get "99999303411"
    expect(ada.surname, "Hall")
    expect(ada.home_branch, "BR1")
    expect(ada.category, "Patrons")
    expect(ada.expires_on, date "2030-12-31")
    expect(ada.extra.evergreen_username, "ahall")
    expect(patrons.get("99999303412").category, "staff-cataloger")
    expect(patrons.get("99999303412").extra.evergreen_username, nil)
    expect(import("patrons.csv", PATRONS).unchanged, 2)
end)

test("an extract of the database is read by the names of its columns, without passwords", function()
    local text = "usrname,first_given_name,family_name,dob,passwd\nahall,Ada,Hall,1980-04-24,secret\n"
    local report = import("users.csv", text)
    expect(report.added, 1)
    expect(report.problems[1].code, "password_left_out")
    expect(patrons.get("ahall").birth_date, date "1980-04-24")
end)

test("items become titles with their copies, lost ones too", function()
    expect(import("items.csv", ITEMS).added, 2)
    expect(catalogue.get("9783522202558").copies, 1)
    expect(catalogue.copy("CONC40000598").branch, "BR1")
    expect(catalogue.copy("CONC40000598").replacement_price, money "12.50")
    expect(catalogue.copy("CONC40000599").status, "lost")
    expect(catalogue.copy("CONC40000599").item_type, "magazine")
    expect(import("items.csv", ITEMS).unchanged, 2)
end)

test("items keep their shelving location", function()
    local text = "Barcode,Title Proper,Circulating Library,Circulation Modifier,Shelving Location\n"
        .. "1,Momo,BR1,book,Stacks\n"
    expect(import("items.csv", text).rejected, 0)
    expect(catalogue.copy("1").location, "Stacks")
end)

test("circulations find patrons and copies, and come in once", function()
    import("patrons.csv", PATRONS)
    import("items.csv", ITEMS)
    local text = "Patron Barcode,Item Barcode,Checkout Date/Time,Due Date/Time,Check In Date/Time\n"
        .. "99999303411,CONC40000598,2026-01-10T14:03:21-0500,2026-01-31T23:59:59-0500,\n"
        .. "99999303412,CONC40000598,2025-11-01T09:00:00-0500,2025-11-22T23:59:59-0500,2025-11-20T10:00:00-0500\n"
    expect(import("circ.csv", text).added, 2)
    expect(loans.active({ patron = "99999303411" })[1].due_on, date "2026-01-31")
    expect(#loans.active { patron = "99999303412" }, 0)
    expect(import("circ.csv", text).unchanged, 2)
end)

test("a list of the staff client with dates of two readings ends the import, and the setting picks one", function()
    local text = PATRONS:gsub("1980%-04%-24", "04/03/1980")
    expect(pcall(import, "patrons.csv", text), false)
    desk { settings = { dates = "mdy" } }
    import("patrons.csv", text)
    expect(patrons.get("99999303411").birth_date, date "1980-04-03")
end)

test("a row without a barcode and a user name is refused", function()
    local report = import("users.csv", "usrname,first_given_name,family_name\n,Ada,Hall\n")
    expect(report.rejected, 1)
    expect(report.problems[1].line, 2)
end)
