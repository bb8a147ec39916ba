local PATRONS = "cardnumber,surname,firstname,dateofbirth,branchcode,categorycode,dateexpiry,userid,password,email\n"
local ITEMS = "barcode,isbn,title,author,copyrightdate,publishercode,homebranch,itype,itemlost,replacementprice\n"
    .. '39999000001310,"9780140449136 (pbk.) | 0140449132",The odyssey /,Homer,2003,Penguin,CPL,BK,0,12.50\n'
    .. "39999000001311,,Local paper,,1998,,CPL,CR,1,\n"

test("patrons keep their branch, category and dates, and no password", function()
    local row = "23529000035676,Acosta,Edna,1980-04-24,CPL,PT,2030-12-31,edna,$2a$08$x,edna@example.org\n"
    local report = import("patrons.csv", PATRONS .. row)
    expect(report.added, 1)
    expect(report.problems[1].code, "password_left_out")
    local edna = patrons.get "23529000035676"
    expect(edna.surname, "Acosta")
    expect(edna.home_branch, "CPL")
    expect(edna.category, "PT")
    expect(edna.birth_date, date "1980-04-24")
    expect(edna.extra.koha_userid, "edna")
end)

test("items become titles with their copies", function()
    local report = import("items.csv", ITEMS)
    expect(report.added, 2)
    expect(catalogue.get("9780140449136").copies, 1)
    expect(catalogue.copy("39999000001310").replacement_price, money "12.50")
    expect(catalogue.copy("39999000001311").status, "lost")
    expect(import("items.csv", ITEMS).unchanged, 2)
end)

test("checkouts find their patrons and copies", function()
    import("patrons.csv", PATRONS .. "42,Hall,Henry,,CPL,PT,,,,\n")
    import("items.csv", ITEMS)
    local text = "cardnumber,barcode,issuedate,date_due,renewals_count\n"
        .. "42,39999000001310,2026-01-10 14:03,2026-01-31,1\n"
    expect(import("checkouts.csv", text).added, 1)
    local loan = loans.active({ patron = "42" })[1]
    expect(loan.due_on, date "2026-01-31")
    expect(loan.renewals, 1)
    expect(import("checkouts.csv", text).unchanged, 1)
end)

test("a date that can be read in two ways ends the import, and the setting picks one", function()
    local row = "42,Hall,Henry,04/03/1980,CPL,PT,,,,\n"
    local ok, message = pcall(import, "patrons.csv", PATRONS .. row)
    expect(ok, false)
    expect(message:find("1980-03-04 if the day comes first (dmy)", 1, true) ~= nil, true)
    expect(message:find("1980-04-03 if the month does (mdy)", 1, true) ~= nil, true)
    expect(message:find("--set dates=dmy", 1, true) ~= nil, true)
    expect(patrons.get "42", nil)
    desk { settings = { dates = "mdy" } }
    import("patrons.csv", PATRONS .. row)
    expect(patrons.get("42").birth_date, date "1980-04-03")
end)

test("a date that can be read in one way alone needs no setting", function()
    import("patrons.csv", PATRONS .. "42,Hall,Henry,24/03/1980,CPL,PT,,,,\n43,Hall,Hans,24.03.1980,CPL,PT,,,,\n")
    expect(patrons.get("42").birth_date, date "1980-03-24")
    expect(patrons.get("43").birth_date, date "1980-03-24")
end)

test("holds wait for their patrons, and come in once", function()
    import("patrons.csv", PATRONS .. "42,Hall,Henry,,CPL,PT,,,,\n")
    import("items.csv", ITEMS)
    local text = "cardnumber,reservedate,branchcode,isbn,expirationdate\n42,2026-01-05,CPL,9780140449136,2030-06-30\n"
    expect(import("holds.csv", text).added, 1)
    local hold = holds.of("42")[1]
    expect(hold.pickup_branch, "CPL")
    expect(hold.expires_on, date "2030-06-30")
    expect(import("holds.csv", text).unchanged, 1)
end)

test("copies keep their shelving location and the day of their accession", function()
    local text = "barcode,title,itype,location,dateaccessioned\n1,Momo,BK,New books,2024-02-29\n2,Momo,BK,,\n"
    expect(import("items.csv", text).rejected, 0)
    expect(catalogue.copy("1").location, "New books")
    expect(catalogue.copy("1").acquired_on, date "2024-02-29")
    expect(catalogue.copy("2").location, nil)
end)

test("a subtitle stands behind the title, and a call number with the copy", function()
    local text = "barcode,title,subtitle,itype,itemcallnumber\n1,Momo,a novel,BK,FIC END\n"
    expect(import("items.csv", text).added, 1)
    expect(catalogue.search({ query = "Momo" })[1].title, "Momo a novel")
    expect(catalogue.copy("1").call_number, "FIC END")
end)
