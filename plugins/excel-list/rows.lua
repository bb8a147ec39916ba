-- Which lists of spreadsheets are of people or of books, and what their rows say.
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
        call_number = row.call_number,
    }
    return {
        title = {
            isbn = row.isbn, title = row.subtitle and row.title .. ": " .. row.subtitle or row.title,
            authors = row.authors, publisher = row.publisher, year = row.year,
            genres = row.genres, edition = row.edition, copies = copy and { copy } or row.copies,
        },
    }
end

return { are_books = are_books, are_people = are_people, person = person, book = book }
