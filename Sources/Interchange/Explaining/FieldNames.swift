import Circulation
import Languages
import TextFormats

/// How tables of the world call the fields of the kinds that they hold most often: in English, German, French, Spanish, Italian and
/// Dutch; and by the labels of the library's own forms, in each language that comes with the program.
enum FieldNames {
    /// The names of a column as they are compared: folded, letters and digits alone.
    static func key(_ name: String) -> String {
        String(TextFolding.folded(name).filter { $0.isLetter || $0.isNumber })
    }

    /// The fields of a kind that a name stands for, the likeliest first, by the keys of names.
    static func fields(of kind: String) -> [String: [String]] { known[kind] ?? [:] }

    private static let known: [String: [String: [String]]] = table.keys.reduce(into: [:]) { known, kind in
        known[kind] = all(of: kind).reduce(into: [:]) { fields, name in
            let key = key(name.heading)
            guard !key.isEmpty, fields[key]?.contains(name.field) != true else { return }
            fields[key, default: []].append(name.field)
        }
    }

    /// What files call the fields of a kind. The library's own words go before those of others, of which one may stand for another field.
    static func all(of kind: String) -> [(field: String, heading: String)] {
        let others = table[kind] ?? []
        let labels = FieldLabels.fields(of: kind)
        var all: [(field: String, heading: String)] = []
        // A column that is called "name" just so holds whole names.
        for field in others.map(\.field) + labels.map(\.name) where field != "name" {
            if !all.contains(where: { $0.field == field }) { all.append((field, field)) }
        }
        for (field, label) in labels { all.append((field, Language.english.text(of: label))) }
        for (field, names) in others {
            for name in names.split(separator: ",") { all.append((field, String(name))) }
        }
        for language in Languages.shipped.all {
            for (field, label) in labels { all.append((field, language.text(of: label))) }
        }
        return all
    }

    /// The fields of a kind by the labels of the library's own forms.
    static func labelled(of kind: String) -> [String: String] { labelled[kind] ?? [:] }

    private static let labelled: [String: [String: String]] = table.keys.reduce(into: [:]) { labelled, kind in
        var fields: [String: String] = [:]
        for language in [Language.english] + Languages.shipped.all {
            for (field, label) in FieldLabels.fields(of: kind) {
                let key = key(language.text(of: label))
                fields[key] = fields[key] ?? field
            }
        }
        labelled[kind] = fields
    }

    private static let isbn =
        "ISBN13,ISBN-10,ISBN10,ISBN-Nr.,ISBN/ISSN,ISBN/UID,ISBN number,EAN,EAN13,EAN ISBN13,UPC ISBN10"
    private static let barcode =
        "Item barcode,Copy barcode,Barcode number,Inventory number,Accession number,Accession no,Inventarnummer,Inv.-Nr.,"
        + "Mediennummer,Medien-Nr.,Exemplarnummer,Strichcode,Code-barres,Code barre,Numéro d'inventaire,Código de barras,"
        + "Zugangsnummer,Zugangsnr.,Exemplar-Nr.,Código de ejemplar,Numéro d'exemplaire,Codice inventario,"
        + "Codice a barre,Inventario,Streepjescode,Exemplaarnummer"
    private static let title =
        "Book title,Title or description,Titel,Buchtitel,Hauptsachtitel,Titre,Título,Titolo,Title proper"
    private static let author =
        "Author,Author(s),Primary author,Creator,Autor,Autoren,Autor(en),Verfasser,Verfasserangabe,Author text,Creators,"
        + "Auteur,Auteurs,Auteur(s),Autore,Autori,Schrijver,"
        + "Author name"
    private static let card =
        "User name,Card number,Card,Library card,Library card number,Patron barcode,Patron ID,Borrower number,Borrower barcode,"
        + "Student ID,Student number,Student no,Stu_ID,Member ID,Member number,ID number,Employee ID,User ID,Login,Benutzername,"
        + "Benutzernummer,Ausweisnummer,Ausweis,Ausweis-Nr.,Lesernummer,Leser-Nr.,Lesernr,Borrower alias,"
        + "Código de lector,Numéro de lecteur,Patron record number,Schülernummer,Schüler-ID,Kundennummer,"
        + "Mitgliedsnummer,Numéro de carte,Numéro d'élève,Identifiant,Número de carné,Número de socio,Matrícula,Usuario,"
        + "Numero tessera,Codice utente,Pasnummer,Leerlingnummer,Stamnummer"

    /// The fields of each kind, and their names in files.
    private static let table: [String: [(field: String, names: String)]] = [
        "patron": [
            ("username", card),
            (
                "surname",
                "Last name,Family name,Student last name,Nachname,Familienname,Zuname,Nom,Nom de famille,Apellidos,Apellido,"
                    + "Cognome,Achternaam"
            ),
            (
                "name",
                "First name,Given name,Forename,Student first name,Vorname,Rufname,Prénom,Nombre,Nome,Voornaam,Roepnaam"
            ),
            (
                "whole_name",
                "Full name,Student name,Patron name,Name,Borrower,Leser,Schüler,Nom complet,Nombre completo"
            ),
            (
                "email",
                "E-mail address,Mail,Email primary,E-Mail-Adresse,Courriel,Correo,Correo electrónico,Posta elettronica"
            ),
            (
                "phone",
                "Cellulare,Portable,Móvil,Telephone,Telephone number,Phone number,Mobile,Mobile phone,Cell,Telefon,Telefonnummer,Handy,Mobil,Téléphone,"
                    + "Teléfono,Telefono,Telefoon"
            ),
            (
                "category",
                "Patron type,Borrower type,P type,Lesergruppe,Nutzergruppe,Tipo utente,Tipo de lector,Categoria utente,Borrower category,User group,Group,Membership type,Benutzergruppe,Gruppe,Kategorie,Catégorie,"
                    + "Categoría,Categoria"
            ),
            (
                "home_branch",
                "Branch,Home library,Library,Site,Site short name,School,Schule,Zweigstelle,Bibliothek,Bibliothèque,École,"
                    + "Biblioteca,Escuela"
            ),
            (
                "birth_date",
                "Date of birth,Birthdate,Birthday,DOB,Geburtsdatum,Geburtstag,Geb.-Datum,Geb.,Geboren,Date de naissance,"
                    + "Né(e) le,Fecha de nacimiento,Data di nascita,Geboortedatum"
            ),
            (
                "expires_on",
                "Exp date,Date fin d'adhésion,Fin d'adhésion,Expires,Expiry,Expiry date,Expiration date,Card expires,Valid until,Gültig bis,Ablaufdatum,Date d'expiration,"
                    + "Fecha de caducidad,Scadenza"
            ),
            ("language", "Preferred language,Sprache,Langue,Idioma,Lingua,Taal"),
            (
                "guardians",
                "Guardian ID,Guardian number,Guardian card,Guardian username,Parent ID,Parent number,Parent card,Parent username,"
                    + "Ausweis der Eltern,Elternausweis,Ausweisnummer der Eltern,Carte du responsable,Tessera del genitore"
            ),
            (
                "extra.class",
                "Form class,Class,Homeroom,Home room,Grade,Grade level,Form,Year group,Klasse,Klassenstufe,Classe,Clase,Curso,Klas"
            ),
        ],
        "title": [
            ("title", title), ("isbn", isbn), ("authors", author),
            ("publisher", "Publisher name,Verlag,Éditeur,Editorial,Editore,Uitgever,Uitgeverij"),
            (
                "year",
                "Publication year,Publication date,Publish date,Año de edición,Anno di pubblicazione,Year of publication,Pub year,Copyright,Copyright date,Date of publication,Jahr,"
                    + "Erscheinungsjahr,Ersch.-Jahr,Année,Année de publication,Año,Anno,Jaar"
            ),
            ("edition", "Auflage,Édition,Edición,Edizione,Druk"),
            ("series", "Series title,Series name,Reihe,Serie,Série,Collection,Collana,Reeks"),
            ("series_number", "Volume,Vol.,Volume number,Series no.,Band,Bandnummer,Tome,Tomo,Deel"),
            ("language", "Sprache,Langue,Idioma,Lingua,Taal"),
            ("subjects", "Subject,Subject headings,Schlagwort,Schlagwörter,Sujets,Materias,Soggetti"),
            ("genres", "Genre,Category,Sachgruppe,Kategorie,Catégorie,Género,Genere"),
            ("description", "Summary,Abstract,Beschreibung,Inhalt,Résumé,Resumen,Descrizione"),
            ("copies", "Quantity,Qty,Number of copies,Anzahl,Exemplare,Exemplaires,Ejemplares,Copie,Aantal"),
        ],
        "copy": [
            ("barcode", barcode + ",Barcode"), ("isbn", isbn), ("title", title), ("authors", author),
            ("branch", "Library,Site,Location,Home branch,Standort,Zweigstelle,Bibliothèque,Biblioteca,Locatie"),
            (
                "item_type",
                "Item type,Resource type,Tipo de ejemplar,Material type,Material format,Circulation type,Media type,Medienart,Medientyp,Type de document,"
                    + "Tipo de material,Tipo documento,Soort"
            ),
            (
                "replacement_price",
                "Price,Einkaufspreis,Kaufpreis,Cost,Purchase price,Replacement cost,Preis,Anschaffungspreis,Prix,Precio,Prezzo,Prijs"
            ),
            (
                "location",
                "Shelving location,Shelf location,Shelf,Sublocation,Shelving,Regal,Regalstandort,Aufstellung,Rayon,"
                    + "Estante,Scaffale,Kast"
            ),
            (
                "acquired_on",
                "Inventardatum,Data inventario,Fecha de alta,Date d'entrée,Date acquired,Acquired,Acquisition date,Date of acquisition,Accession date,Date accessioned,"
                    + "Anschaffungsdatum,Zugangsdatum,Erwerbungsdatum,Date d'acquisition,Fecha de adquisición,"
                    + "Data di acquisizione,Aanschafdatum"
            ),
            (
                "call_number",
                "Call number,Call no,Item call number,Permanent call number,Shelfmark,Signatur,Signatura,Cote,Collocazione,"
                    + "Segnatura,Plaatskenmerk"
            ),
            ("status", "Base status,Copy status,Item status,Circulation status,Zustand,Statut,Estado,Stato"),
        ],
        "loan": [
            ("barcode", barcode + ",Barcode"), ("isbn", isbn), ("title", title), ("authors", author),
            ("username", card),
            (
                "lent_at",
                "Checked out,Checkout date,Check out date,Date checked out,Loan date,Loan date checked out,Issue date,"
                    + "Date out,Out,Transaction date,Ausleihdatum,Entliehen am,Ausgeliehen am,Date de prêt,Fecha de préstamo,"
                    + "Data prestito,Uitleendatum"
            ),
            (
                "due_on",
                "Due,Due date,Date due,Loan date due,Fällig,Fällig am,Rückgabe bis,Leihfrist,Leihfristende,Date de retour prévue,"
                    + "Fecha de vencimiento,Fecha de devolución,Scadenza,Inleverdatum"
            ),
            (
                "returned_at",
                "Returned,Return date,Date returned,Checkin date,Check in date,Zurückgegeben am,Rückgabedatum,Date de retour,"
                    + "Devuelto,Teruggebracht"
            ),
            ("renewals", "Renewal count,Times renewed,Verlängerungen,Renouvellements,Renovaciones"),
        ],
    ]

    /// Names of groups of columns, by what the columns below them are of.
    private static let groups: [(kinds: Set<String>, names: Set<String>)] = [
        (
            ["patron"],
            [
                "patron", "patrons", "borrower", "borrowers", "member", "user", "reader", "person", "student", "pupil",
                "leser", "benutzer", "schuler", "entleiher", "lecteur", "usager", "eleve", "lector", "socio",
                "alumno", "lettore", "utente", "lener", "leerling",
            ]
        ),
        (
            ["title", "copy"],
            [
                "book", "books", "title", "titles", "item", "items", "copy", "copies", "work", "buch", "titel",
                "medium",
                "exemplar", "livre", "exemplaire", "document", "libro", "ejemplar", "copia", "boek", "exemplaar",
            ]
        ),
        (
            ["loan"],
            [
                "loan", "loans", "checkout", "circulation", "issue", "ausleihe", "entleihung", "pret", "prestamo",
                "prestito", "uitlening",
            ]
        ),
    ]

    /// Whether columns below a group of this name may be fields of a kind. A loan names its patron and its copy too.
    static func mayBe(_ group: String, of kind: String) -> Bool {
        let key = key(group)
        guard kind != "loan", let known = groups.first(where: { $0.names.contains(key) }) else { return true }
        return known.kinds.contains(kind)
    }

    /// Whether it is the name of a column of passwords, which are never taken over from tables and never shown.
    static func isPassword(_ name: String) -> Bool {
        let key = key(name)
        return passwords.contains(key) || partsOfPasswords.contains { key.contains($0) }
    }

    private static let passwords = Set([
        "pin", "pincode", "pass", "pwd", "pw", "clave", "senha", "secret", "cardpin", "patronpin", "userpin",
    ])
    private static let partsOfPasswords = [
        "password", "passwd", "passwort", "passphrase", "kennwort", "motdepasse", "contrasena", "wachtwoord",
    ]
}
