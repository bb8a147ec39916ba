package import Languages

/// What librarians call the kinds of records that tables hold, and the fields of these: the words of the forms of pages, by which
/// columns are known as well.
package enum FieldLabels {
    /// The kinds that a page offers, by the names of one record, in their order.
    package static let kinds: [(String, Phrase)] = [
        ("title", "Titles"), ("copy", "Copies"), ("patron", "Patrons"), ("loan", "Loans"), ("hold", "Holds"),
        ("course", "Courses"), ("branch", "Branches"), ("category", "Patron categories"),
        ("item_type", "Item types"), ("location", "Shelving locations"), ("ledger_entry", "Fees and payments"),
    ]

    /// The fields of a kind that have a label, in the order of the forms.
    package static func fields(of kind: String) -> [(name: String, label: Phrase)] {
        let fields =
            switch kind {
            case "title": titles
            case "copy": copies
            case "patron": patrons
            case "loan": loans
            case "hold": holds
            case "course": courses
            case "branch": branches
            case "category", "item_type": nested
            case "location": named
            case "ledger_entry": entries
            default: [(String, Phrase)]()
            }
        return fields.map { (name: $0.0, label: $0.1) }
    }

    /// The label of a field; nil: it has none.
    package static func label(of field: String, in kind: String) -> Phrase? {
        fields(of: kind).first { $0.name == field }?.label
    }

    private static let titles: [(String, Phrase)] = [
        ("title", "Title"), ("isbn", "ISBN"), ("authors", "Authors"), ("publisher", "Publisher"), ("year", "Year"),
        ("edition", "Edition"), ("series", "Series"), ("series_number", "Volume in the series"),
        ("language", "Language"), ("genres", "Genres"), ("subjects", "Subjects"), ("courses", "Courses"),
        ("college", "College"), ("description", "Description"), ("cover_url", "Web address of the cover"),
        ("preview_url", "Web address of a preview"), ("stars", "Stars"), ("recommended", "Recommended by the library"),
        ("copies", "Number of copies"),
    ]

    private static let copies: [(String, Phrase)] = [
        ("barcode", "Barcode"), ("branch", "Branch"), ("item_type", "Item type"), ("status", "Status"),
        ("replacement_price", "Replacement price"), ("location", "Location"), ("call_number", "Call number"),
        ("acquired_on", "Acquired on"),
        ("isbn", "ISBN of the title"), ("title", "Title without an ISBN"), ("authors", "Authors of that title"),
        ("year", "Year of that title"),
    ]

    private static let patrons: [(String, Phrase)] = [
        ("username", "Username or card number"), ("name", "First name"), ("surname", "Last name"),
        ("display_name", "Name shown to other members"), ("category", "Category"), ("home_branch", "Branch"),
        ("email", "E-mail"), ("phone", "Telephone"), ("birth_date", "Date of birth"), ("expires_on", "Member until"),
        ("language", "Language for notices"), ("guardians", "Card number of a guardian"),
    ]

    private static let loans: [(String, Phrase)] = [
        ("username", "Patron's username or card number"), ("borrower", "Name of the patron"),
        ("barcode", "Barcode of the copy"), ("isbn", "ISBN of the title"), ("title", "Title without an ISBN"),
        ("authors", "Authors of that title"), ("lent_on", "Checked out on"),
        ("lent_at", "Checked out at (with a time)"), ("due_on", "Due on"), ("due_at", "Due at (with a time)"),
        ("returned_on", "Returned on"),
        ("returned_at", "Returned at (with a time)"), ("renewals", "Number of renewals"), ("branch", "Branch"),
        ("item_type", "Item type"), ("category", "Category of the patron"), ("key", "Number of the loan"),
    ]

    private static let holds: [(String, Phrase)] = [
        ("username", "Patron's username or card number"), ("isbn", "ISBN of the title"),
        ("title", "Title without an ISBN"), ("authors", "Authors of that title"), ("barcode", "Barcode of the copy"),
        ("pickup_branch", "Branch where it is fetched"), ("placed_at", "Placed on"), ("expires_on", "Wanted until"),
        ("state", "State"), ("key", "Number of the hold"),
    ]

    private static let courses: [(String, Phrase)] = [
        ("code", "Code"), ("name", "Name"), ("isbn", "ISBN of a title"),
    ]

    private static let branches: [(String, Phrase)] = [
        ("code", "Code"), ("name", "Name"), ("parent", "Part of"), ("zone", "Time zone"),
    ]

    private static let nested: [(String, Phrase)] = [("code", "Code"), ("name", "Name"), ("parent", "Belongs to")]
    private static let named: [(String, Phrase)] = [("code", "Code"), ("name", "Name")]

    private static let entries: [(String, Phrase)] = [
        ("username", "Patron's username or card number"), ("kind", "Kind"), ("amount", "Amount"), ("at", "Day"),
        ("label", "What it is for"), ("key", "Number of the entry"),
    ]
}
