import Circulation
import TextFormats

/// A table of patrons, one row a person.
struct PatronTableProfile: TableProfile {
    static let name = "patrons"
    static let vital: [String: Set<String>] = ["patron": ["name", "surname", "birth_date"]]
    static let dates = ["birth_date", "expires_on"]

    /// The columns that it reads.
    static let columns = [
        "username", "name", "surname", "email", "phone", "category", "home_branch", "language", "birth_date",
        "expires_on", "role", "password", "display_name", "guardians",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("username") && header.hasAny(["name", "surname", "category"])
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let username = row.identifier("username") else {
            if !row.isRejected { row.reject("username", "missing", "a username is required") }
            return []
        }
        if row.text("password") != nil {
            row.warn("password", "password_left_out", "passwords in plain text are not taken over")
        }
        var patron = Patron(
            username: username, name: row.text("name") ?? "", surname: row.text("surname") ?? "",
            category: row.text("category") ?? "", homeBranch: row.text("home_branch") ?? "")
        patron.displayName = row.text("display_name")
        patron.email = row.text("email")
        patron.phone = row.unrounded("phone")
        patron.language = row.text("language")
        patron.birthDate = row.date("birth_date")
        patron.expiresOn = row.date("expires_on")
        patron.extra = row.own(.patron)
        if let text = row.text("role") {
            if let role = Patron.Role(rawValue: text) {
                patron.role = role
            } else {
                row.reject("role", "bad_value", "'\(text)' is not a role; expected patron, staff or admin")
            }
        }
        // A blank role says as little as no column for it.
        let says = PatronField.allCases.filter { row.header.has($0.rawValue) && $0 != .extra }
        let guardians = row.list(["guardians"])
        guard !row.isRejected else { return [] }
        return [.patron(patron, says: Set(says).subtracting(row.text("role") == nil ? [.role] : []))]
            + (guardians.isEmpty ? [] : [.guardians(ImportedGuardians(username: username, guardians: guardians))])
    }
}
