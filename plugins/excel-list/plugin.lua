-- Reads lists that schools and small libraries keep in a spreadsheet and save as CSV, of people or of books, under the
-- names of columns that are usual in English, German, French and Spanish.
--
-- Spreadsheets write Windows-1252 or UTF-8, commas or semicolons, 12,50 or 12.50, and dates as the country does.

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

--- Of a list in English some column must be none of the library's own tables, unless it is named.
local function are_books(head)
    local others = { "price", "quantity", "inventory number", "author(s)", "isbn-13", "isbn-10" }
    return has_any(head, { "titel", "titre", "título", "titulo", "book title", "buchtitel" })
        or has_any(head, { "title" }) and (head.named or has_any(head, others))
end

local function are_people(head)
    local names = { "surname", "last name", "nachname", "family name", "lastname", "nom", "apellidos", "apellido" }
    return has_any(head, names) and not has_any(head, { "title", "titel", "titre" })
end

local function person(row)
    return {
        patron = {
            username = row.username, name = row.name, surname = row.surname, email = row.email, phone = row.phone,
            category = row.category, birth_date = row.birth_date, expires_on = row.expires_on,
            extra = row.class and { class = row.class } or nil,
        },
    }
end

local function book(row)
    local copy = row.barcode and { barcode = row.barcode, replacement_price = row.price, item_type = row.item_type }
    return {
        title = {
            isbn = row.isbn, title = row.title, authors = row.authors, publisher = row.publisher, year = row.year,
            genres = row.genres, edition = row.edition, copies = copy and { copy } or row.copies,
        },
    }
end

return plugin {
    api = 1,
    name = "excel-list",
    version = "1.0.0",
    description = "Reads lists of people and books that were kept in a spreadsheet",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "excel-people", is = are_people, record = person,
            columns = {
                username = "required word: Username, Benutzername, Card number, Ausweisnummer, Ausweis, Student ID, \z
                    Student No, Schülernummer, Numéro, Número, Nr., Nr, No, ID",
                name = "text: First name, Firstname, Given name, Vorname, Prénom, Nombre",
                surname = "text: Surname, Last name, Lastname, Family name, Nachname, Nom, Apellidos, Apellido",
                email = "text: E-mail, Email, Mail, E-Mail-Adresse, Courriel, Correo",
                phone = "word: Phone, Telephone, Telefon, Mobile, Handy, Téléphone, Teléfono",
                category = "word: Category, Kategorie, Group, Gruppe",
                class = "word: Class, Klasse, Classe, Clase, Grade",
                birth_date = "date: Date of birth, Birth date, Birthday, DOB, Geburtsdatum, Geburtstag, Geb.-Datum, \z
                    Date de naissance, Fecha de nacimiento",
                expires_on = "date: Expires, Expiry, Valid until, Gültig bis",
                password = "password: Password, Passwort, Kennwort",
            },
        },
        {
            name = "excel-books", first = true, is = are_books, record = book,
            columns = {
                title = "required text: Title, Book title, Titel, Buchtitel, Titre, Título, Titulo",
                authors = "list ;|&/: Author, Authors, Author(s), Autor, Autoren, Verfasser, Auteur, Autor(en)",
                isbn = "isbns: ISBN, ISBN-13, ISBN13, ISBN-Nr., ISBN-10",
                year = "year: Year, Jahr, Erscheinungsjahr, Année, Año",
                publisher = "text: Publisher, Verlag, Éditeur, Editorial", edition = "text: Edition, Auflage, Édition",
                genres = "list ;|,: Genre, Category, Kategorie, Sachgruppe", item_type = "word: Item type, Medienart",
                barcode = "word: Barcode, Inventory number, Inventarnummer, Inventarnr., Mediennummer, Code-barres",
                copies = "integer: Copies, Quantity, Anzahl, Exemplare, Exemplaires",
                price = "amount: Price, Preis, Prix, Precio",
            },
        },
    },
}
