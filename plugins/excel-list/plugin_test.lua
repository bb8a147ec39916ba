local CLASS_LIST = "Ausweisnummer;Nachname;Vorname;Klasse;Geburtsdatum;E-Mail\r\n"
    .. "1001;M\xFCller;J\xF6rg;5a;24.03.2014;joerg@schule.example\r\n"
    .. "1002;O'Neil;Zo\xEB;5b;4.11.2013;\r\n"

test("a class list in Windows-1252 with semicolons and German columns becomes patrons", function()
    local report = import("Klassenliste.csv", CLASS_LIST)
    expect(report.added, 2)
    expect(report.problems[1].code, "encoding")
    local joerg = patrons.get "1001"
    expect(joerg.surname, "Müller")
    expect(joerg.name, "Jörg")
    expect(joerg.birth_date, date "2014-03-24")
    expect(joerg.extra.class, "5a")
    expect(patrons.get("1002").birth_date, date "2013-11-04")
    expect(import("Klassenliste.csv", CLASS_LIST).unchanged, 2)
end)

test("a list of books keeps ISBNs that Excel was kept from rounding, and decimal commas", function()
    local text = "Inventarnummer;Titel;Verfasser;ISBN;Jahr;Preis\n"
        .. "S-0001;Momo;Ende, Michael;=\"9783522202558\";1973;12,50\n"
        .. "S-0002;Momo;Ende, Michael;978-3-522-20255-8;1973;\n"
        .. "S-0003;Festschrift;;;c1999.;9.9\n"
    local report = import("Inventar.csv", text)
    expect(report.rejected, 0)
    local momo = catalogue.get "9783522202558"
    expect(momo.copies, 2)
    expect(momo.authors, { "Ende, Michael" })
    expect(catalogue.copy("S-0001").replacement_price, money "12.50")
    expect(catalogue.search({ query = "Festschrift" })[1].year, 1999)
    expect(catalogue.copy("S-0003").replacement_price, money "9.90")
end)

test("a list in English, tab-separated, with American dates needs the setting", function()
    local text = "Student ID\tLast Name\tFirst Name\tDOB\n77\tHall\tAda\t04/03/2012\n"
    expect(pcall(import, "students.tsv", text), false)
    expect(patrons.get "77", nil)
    desk { settings = { dates = "mdy" } }
    expect(import("students.tsv", text).added, 1)
    expect(patrons.get("77").birth_date, date "2012-04-03")
end)

test("an amount that may be a thousand ends the import with its line and column, unless others settle it", function()
    local ok, message = pcall(import, "books.csv", "Title;Price;Barcode\nAtlas;1,234;B1\n")
    expect(ok, false)
    expect(message:find("books.csv:2: Price: '1,234' is", 1, true) ~= nil, true)
    expect(import("books.csv", "Title;Price;Barcode\nAtlas;1,230;B1\nGlobe;12.50;B2\n").rejected, 0)
    expect(catalogue.copy("B1").replacement_price, money "1230")
end)
