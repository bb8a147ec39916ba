-- Reads lists that schools and small libraries keep in a spreadsheet and save as CSV, of people or of books, under the
-- names of columns that are usual in English, German, French, Spanish and Italian.
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

--- Of loans each row has a moment; no title is to be made of them.
local function are_loans(head)
    return has_any(head, {
        "due", "due date", "date due", "checked out", "checkout date", "loan date", "issue date", "ausleihdatum",
        "fällig", "fällig am", "entliehen am", "leihfristende", "rückgabe bis", "date de prêt", "date de retour prévue",
        "fecha de préstamo", "fecha de devolución", "data prestito",
    })
end

--- Of a list in English some column must be none of the library's own tables, unless it is named.
local function are_books(head)
    local others = {
        "price", "quantity", "inventory number", "author(s)", "isbn-13", "isbn-10", "isbn/issn", "accession no",
        "accession number", "item barcode", "copy barcode",
    }
    if are_loans(head) then
        return false
    end
    local titles = {
        "titel", "titre", "título", "titulo", "book title", "buchtitel", "hauptsachtitel",
        "titolo",
    }
    return has_any(head, titles) or has_any(head, { "title" }) and (head.named or has_any(head, others))
end

local function are_people(head)
    local names = {
        "surname", "last name", "nachname", "family name", "lastname", "nom", "apellidos", "apellido", "cognome",
    }
    return has_any(head, names) and not has_any(head, { "title", "titel", "titre", "título", "titolo" })
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

local STATUS = {
    lost = "lost", missing = "lost", verloren = "lost", vermisst = "lost", perdu = "lost", perdido = "lost",
    smarrito = "lost", withdrawn = "withdrawn", discarded = "withdrawn", weeded = "withdrawn",
    ausgeschieden = "withdrawn", ausgesondert = "withdrawn", makuliert = "withdrawn", scartato = "withdrawn",
}

local function book(row)
    local copy = row.barcode and {
        barcode = row.barcode, replacement_price = row.price, item_type = row.item_type, location = row.location,
        acquired_on = row.acquired, status = row.status and STATUS[row.status:lower()],
        extra = row.call_number and { call_number = row.call_number } or nil,
    }
    return {
        title = {
            isbn = row.isbn, title = row.subtitle and row.title .. ": " .. row.subtitle or row.title,
            authors = row.authors, publisher = row.publisher, year = row.year,
            genres = row.genres, edition = row.edition, copies = copy and { copy } or row.copies,
        },
    }
end

return plugin {
    api = 1,
    name = "excel-list",
    version = "1.1.0",
    description = "Reads lists of people and books that were kept in a spreadsheet",
    settings = {
        dates = { type = "text", required = false, help = "order of day, month and year: dmy, mdy or ymd" },
    },
    imports = {
        {
            name = "excel-people", is = are_people, record = person,
            columns = {
                username = "required word: Username, Benutzername, Card number, Ausweisnummer, Ausweis, \z
                    Student ID, Student No, Schülernummer, Lesernummer, LeserNr, Leser-Nr., Numéro de carte, \z
                    Numéro de lecteur, Código de lector, Número de socio, Codice utente, Numero tessera, \z
                    Borrower Alias, Borrower Number, Borrower ID, Patron Barcode, Numéro, Número, Nr., Nr, No, \z
                    ID",
                name = "text: First name, Firstname, Given name, Vorname, Prénom, Nombre, Nome",
                surname = "text: Surname, Last name, Lastname, Family name, Nachname, Nom, Apellidos, Apellido, \z
                    Cognome",
                email = "text: E-mail, Email, Mail, E-Mail-Adresse, Courriel, Correo, Correo electrónico, \z
                    Email Address, E-mail address",
                phone = "word: Phone, Telephone, Telefon, Mobile, Handy, Téléphone, Teléfono, Telefono, \z
                    Cellulare, Móvil",
                category = "word: Category, Kategorie, Group, Gruppe, Lesergruppe, Catégorie, Categoría, \z
                    Tipo de lector, Tipo utente, Borrower Type, Patron Type",
                class = "word: Class, Klasse, Classe, Clase, Curso, Form Class, Form, Grade, Homeroom",
                birth_date = "date: Date of birth, Birth date, Birthday, DOB, Geburtsdatum, Geburtstag, \z
                    Geb.-Datum, Date de naissance, Fecha de nacimiento, Data di nascita",
                expires_on = "date: Expires, Expiry, Expiry Date, Valid until, Gültig bis, Date fin d'adhésion, \z
                    Fin d'adhésion, Fecha de caducidad, Scadenza",
                password = "password: Password, Passwort, Kennwort",
            },
        },
        {
            name = "excel-books", first = true, is = are_books, record = book,
            columns = {
                title = "required text: Title, Book title, Titel, Buchtitel, Titre, Título, Titulo, \z
                    Hauptsachtitel, Titolo",
                subtitle = "text: Subtitle, Untertitel, Sous-titre, Subtítulo, Sottotitolo",
                authors = "list ;|&/: Author, Authors, Author(s), Autor, Autoren, Verfasser, Verfasserangabe, \z
                    Auteur, Auteurs, Auteur(s), Autor(en), Autore, Autori",
                isbn = "isbns: ISBN, ISBN-13, ISBN13, ISBN-Nr., ISBN-10, ISBN/ISSN",
                year = "year: Year, Jahr, Erscheinungsjahr, Année, Año, Año de edición, Anno, Publication date, \z
                    Publication Year",
                publisher = "text: Publisher, Verlag, Éditeur, Editorial, Editore", edition = "text: Edition, \z
                    Auflage, Édition",
                genres = "list ;|,: Genre, Category, Kategorie, Sachgruppe", item_type = "word: Item type, \z
                    Medienart, Resource Type, Material Type, Tipo de ejemplar",
                barcode = "word: Barcode, Inventory number, Inventarnummer, Inventarnr., Mediennummer, \z
                    Code-barres, Zugangsnummer, Zugangsnr., Exemplarnummer, Código de ejemplar, \z
                    Código de barras, Inventario, Accession No, Accession Number, Item Barcode, Copy Barcode",
                copies = "integer: Copies, Quantity, Anzahl, Exemplare, Exemplaires",
                price = "amount: Price, Preis, Einkaufspreis, Prix, Precio, Prezzo, Cost",
                call_number = "text: Call number, Call No, Signatur, Systematik, Cote, Signatura, Collocazione, \z
                    Item call number",
                location = "text: Location, Standort, Localisation, Section, Ubicación, Shelf, Regal",
                acquired = "date: Date acquired, Acquired, Date Accessioned, Zugangsdatum, Inventardatum, \z
                    Anschaffungsdatum, Fecha de alta, Data inventario, Date d'entrée, Date de création",
                status = "text: Status, Statut, Estado, Stato",
            },
        },
    },
}
