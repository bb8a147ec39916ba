-- Reads lists that schools and small libraries keep in a spreadsheet and save as CSV, of people or of books, under the
-- names of columns that are usual in English, German, French, Spanish and Italian.
--
-- Spreadsheets write Windows-1252 or UTF-8, commas or semicolons, 12,50 or 12.50, and dates as the country does.

local rows = require "rows"

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
            name = "excel-people", is = rows.are_people, record = rows.person,
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
            name = "excel-books", first = true, is = rows.are_books, record = rows.book,
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
