local STUDENTS = "Student ID,Last Name,First Name,Middle Name,Grade,Homeroom,DOB,Gender\n"
    .. "100234,Hall,Ada,May,7,7-2,09/24/2013,F\n"
    .. "100235,O'Neil,Zoë,,8,8-1,11/30/2012,F\n"
local PUPILS = "Interne ID-Nummer;Nachname;Vorname;Rufname;Klasse;Jahrgang;Geburtsdatum;E-Mail\r\n"
    .. "4711;M\xFCller;J\xF6rg Peter;J\xF6rg;05a;05;24.03.2014;joerg@schule.example\r\n"
    .. "4712;\xD6zt\xFCrk;Elif;Elif;05b;05;04.11.2013;\r\n"

test("a student list becomes patrons with grade and homeroom", function()
    local report = import("students.csv", STUDENTS)
    expect(report.added, 2)
    expect(report.rejected, 0)
    local ada = patrons.get "100234"
    expect(ada.surname, "Hall")
    expect(ada.name, "Ada May")
    expect(ada.birth_date, date "2013-09-24")
    expect(ada.extra.grade, "7")
    expect(ada.extra.class, "7-2")
    expect(patrons.get("100235").name, "Zoë")
    expect(import("students.csv", STUDENTS).unchanged, 2)
end)

test("columns with underscores are the same list, and the setting says the category", function()
    desk { settings = { category = "pupil" } }
    import("export.csv", "Student_Number\tLast_Name\tFirst_Name\tGrade_Level\tHome_Room\n77\tMoss\tBob\t3\t3B\n")
    local bob = patrons.get "77"
    expect(bob.category, "pupil")
    expect(bob.extra.grade, "3")
    expect(bob.extra.class, "3B")
end)

test("a date of birth that can be read in two ways ends the import, and the setting picks one", function()
    local text = STUDENTS:gsub("09/24/2013", "09/04/2013"):gsub("11/30/2012", "11/03/2012")
    expect(pcall(import, "students.csv", text), false)
    expect(patrons.get "100234", nil)
    desk { settings = { dates = "mdy" } }
    import("students.csv", text)
    expect(patrons.get("100234").birth_date, date "2013-09-04")
end)

test("a German list in Windows-1252 with semicolons keeps umlauts and the name that a pupil goes by", function()
    local report = import("Schueler.csv", PUPILS)
    expect(report.added, 2)
    expect(report.problems[1].code, "encoding")
    local joerg = patrons.get "4711"
    expect(joerg.surname, "Müller")
    expect(joerg.name, "Jörg")
    expect(joerg.extra.class, "05a")
    expect(joerg.birth_date, date "2014-03-24")
    expect(patrons.get("4712").surname, "Öztürk")
    expect(import("Schueler.csv", PUPILS).unchanged, 2)
end)

test("a list of another German system has its own names of columns", function()
    local text = "SchuelerNachname;SchuelerRufname;SchuelerGeburtsdatum;GruppeBezeichnung;SchuelerId\n"
        .. "Lee;Bo;1.2.2015;3c;9001\n"
    expect(import("danis.csv", text).added, 1)
    expect(patrons.get("9001").birth_date, date "2015-02-01")
    expect(patrons.get("9001").extra.class, "3c")
end)

test("one date that has the month first shows how the others of its column are read", function()
    local report = import("students.csv", (STUDENTS:gsub("09/24/2013", "09/04/2013")))
    expect(report.added, 2)
    expect(patrons.get("100234").birth_date, date "2013-09-04")
end)

test("a pupil without a number is refused with line and column, and a date that there is not", function()
    local report = import("students.csv", STUDENTS .. ",Lee,Bo,,7,7-2,,M\n100236,Lee,Cy,,7,7-2,13/45/2013,M\n")
    expect(report.added, 2)
    expect(report.rejected, 2)
    expect(report.problems[1].code, "unread_columns")
    expect(report.problems[1].message:find("'Gender'", 1, true) ~= nil, true)
    expect(report.problems[2].line, 4)
    expect(report.problems[2].field, "Student ID")
    expect(report.problems[3].field, "DOB")
end)
