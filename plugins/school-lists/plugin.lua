-- Reads lists of pupils that school systems write: in English (a student list with ID, names, grade, homeroom and
-- date of birth, as PowerSchool, Infinite Campus, Skyward or SIMS write it) and in German (as SchILD, DaNiS, ASV
-- and others write it).
--
-- A pupil's number in the school system becomes the username, so that next year's list finds them again.

local function has_any(head, names)
    for _, column in ipairs(head.columns) do
        local key = column:lower():gsub("[%s_%.%-/]", "")
        for _, name in ipairs(names) do
            if key == name then
                return true
            end
        end
    end
    return false
end

local function are_students(head)
    local ids = { "studentid", "studentnumber", "studentno", "stuid", "localid", "admissionno", "adno", "upn" }
    return has_any(head, ids)
        and has_any(head, { "lastname", "surname", "legalsurname", "familyname", "studentlastname" })
        and not has_any(head, { "title", "isbn" })
end

local function are_pupils(head)
    local ids = {
        "internenummer", "interneidnummer", "idnr", "schülerid", "schuelerid", "schülernummer", "schuelernummer",
        "asvid",
    }
    return has_any(head, ids) and has_any(head, { "nachname", "familienname", "schuelernachname", "schülernachname" })
        and has_any(head, { "klasse", "gruppebezeichnung", "klassenname", "stammklasse" })
end

local function pupil(row)
    local name = row.name
    if name and row.middle then
        name = name .. " " .. row.middle
    end
    local extra = {}
    for key, value in pairs { class = row.class or row.homeroom, grade = row.grade } do
        extra[key] = value
    end
    return {
        patron = {
            username = row.id, name = name, surname = row.surname, email = row.email, birth_date = row.born,
            home_branch = row.school, category = settings.category, expires_on = row.leaves,
            extra = next(extra) and extra or nil,
        },
    }
end

return plugin {
    api = 1,
    name = "school-lists",
    version = "1.0.0",
    description = "Reads lists of pupils that school systems write",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
        category = { type = "text", required = false, help = "the category of pupils, as the library calls it" },
    },
    imports = {
        {
            name = "school-students", first = true, is = are_students, record = pupil,
            columns = {
                id = "required word: Student ID, Student_ID, StudentID, Student Number, Student_Number, \z
                    Student No, Stu ID, Local ID, Admission No, Adno, UPN",
                surname = "text: Last Name, Last_Name, LastName, Student Last Name, Legal Surname, Surname, \z
                    Family Name",
                name = "text: First Name, First_Name, FirstName, Student First Name, Preferred Name, Forename, \z
                    Given Name",
                middle = "text: Middle Name, Middle_Name, MiddleName",
                grade = "word: Grade, Grade Level, Grade_Level, GradeLevel, Year Group, Year, NC Year",
                homeroom = "word: Homeroom, Home Room, Home_Room, HomeRoom, Reg, Reg Group, Form",
                class = "word: Class", school = "word: School Code, SchoolID, School_ID",
                born = "date: DOB, Date of Birth, BirthDate, Birth Date, Birthdate, Date_of_Birth",
                email = "text: Student Email, Student_Email, Email, E-mail, Email Address, Email Primary",
                password = "password: Password, PIN",
            },
        },
        {
            name = "school-pupils-german", first = true, is = are_pupils, record = pupil,
            columns = {
                id = "required word: Interne ID-Nummer, Interne Nummer, ID-Nr, Schüler-ID, SchülerID, SchuelerId, \z
                    Schülernummer, Schuelernummer, ASV-ID",
                surname = "text: Nachname, Familienname, SchuelerNachname",
                name = "text: Rufname, Vorname, SchuelerRufname, SchuelerVorname",
                class = "word: Klasse, GruppeBezeichnung, Klassenname, Stammklasse",
                grade = "word: Jahrgang, Jahrgangsstufe, Klassenstufe, Stufe",
                born = "date: Geburtsdatum, SchuelerGeburtsdatum, Geb.-Datum",
                leaves = "date: Entlassdatum, Austrittsdatum, Abgangsdatum",
                email = "text: E-Mail, Email, E-Mail (Schule), Schulische E-Mail, SchuelerEmail, E-Mail-Adresse",
                password = "password: Passwort, Kennwort",
            },
        },
    },
}
