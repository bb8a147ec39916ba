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

test("lists of library systems in five languages come with their copies", function()
    local lists = {
        {
            "Mediennummer;Titel;Untertitel;Verfasser;ISBN;Preis;Zugangsdatum;Systematik;Standort;Status\n"
                .. "24/17;Rico;und Oskar;Steinhöfel, Andreas;9783551551658;12,90;17.04.2015;4.1;Jugend;vermisst\n",
            "24/17", "Jugend", "2015-04-17", "9783551551658",
        },
        {
            "Code-barres;Titre;Auteur(s);Année;ISBN;Cote;Prix;Localisation;Date de création\n"
                .. "PM7;Zadig;Voltaire;1999;;R VOL;3,10 €;Annexe;13/05/2014\n",
            "PM7", "Annexe", "2014-05-13",
        },
        {
            "Código de ejemplar;Título;Autor;Año de edición;Signatura;Ubicación;Fecha de alta\n"
                .. "000171;Nada;Laforet, Carmen;1995;N LAF;Sala;16/09/2010\n",
            "000171", "Sala", "2010-09-16",
        },
        {
            "Inventario;Titolo;Autore;Anno;Collocazione;Data inventario\nCE-9;Cuore;De Amicis;1993;N DEA;31/10/2005\n",
            "CE-9", nil, "2005-10-31",
        },
        {
            "Accession No,Title,Authors,ISBN/ISSN,Call No,Location,Cost,Date Accessioned\n"
                .. "R77,Blueback,Tim Winton,9780330358781,F WIN,Fiction,14.95,25/02/2006\n",
            "R77", "Fiction", "2006-02-25",
        },
    }
    for _, list in ipairs(lists) do
        local report = import("list.csv", list[1])
        expect(report.rejected, 0)
        local copy = catalogue.copy(list[2])
        expect(copy.location, list[3])
        expect(copy.acquired_on, date(list[4]))
    end
    expect(catalogue.get("9783551551658").title, "Rico: und Oskar")
    expect(catalogue.copy("24/17").status, "lost")
end)

test("readers of library systems in three languages have their cards, groups and ends", function()
    import("leser.csv", "LeserNr;Nachname;Vorname;Lesergruppe;Gültig bis\n0017;Groß;Otto;Erwachsene;31.12.2027\n")
    expect(patrons.get("0017").expires_on, date "2027-12-31")
    import("lectores.csv", "Código de lector;Nombre;Apellidos;Curso;Correo electrónico\n"
        .. "000017;Ana;Ruiz;1A;a@example.org\n")
    expect(patrons.get("000017").email, "a@example.org")
    expect(patrons.get("000017").extra.class, "1A")
    import("utenti.csv", "Codice utente;Cognome;Nome;Data di nascita;Scadenza\nU7;Rossi;Lucia;23/04/1980;31/12/2027\n")
    expect(patrons.get("U7").name, "Lucia")
end)

test("a list of loans makes no titles, and a number that was rounded no barcode", function()
    local loans = "Mediennummer;Titel;Ausleihdatum;Fällig am\nM1;Momo;1.12.2026;24.12.2026\n"
    pcall(import, "ausleihen.csv", loans)
    expect(#catalogue.search { query = "Momo" }, 0)
    local report = import("books.csv", "Barcode,Title,Price\n3.19E+13,Holes,6.99\n")
    expect(report.problems[1].code, "rounded_number")
    expect(#catalogue.search { query = "Holes" }, 1)
    expect(catalogue.copy "3.19E+13", nil)
end)
