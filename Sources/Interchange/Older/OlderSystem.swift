import TextFormats

/// A system whose tables are read and written as they are: what `--format` names besides BitBooks.
package enum OlderSystem: String, Hashable, Sendable, CaseIterable {
    /// TexBookSub, textbooks of a university.
    case textbooksub
    /// Text Trader, books for sale.
    case texttrader
    /// Book SWAG, a shared shelf.
    case swag
    /// Bookio, rented from and sold by students.
    case bookio

    /// Its tables in the order in which they refer to each other; each is a file.
    package var tables: [OlderTable] {
        switch self {
        case .textbooksub: [.users, .books]
        case .texttrader: [.texttraderUsers, .texttraderBooks]
        case .swag: [.shelf]
        case .bookio: [.bookioUsers, .bookioBooks, .courses, .courseBooks, .userBooks, .rented]
        }
    }
}

/// A table of an older system.
package enum OlderTable: Hashable, Sendable, CaseIterable {
    case users, books
    case texttraderUsers, texttraderBooks
    case shelf
    case bookioUsers, bookioBooks, courses, courseBooks, userBooks, rented

    /// `Books.json`, as the system calls it.
    package var fileName: String {
        switch self {
        case .users: "users.json"
        case .books, .shelf: "books.json"
        case .texttraderUsers: "Users.json"
        case .texttraderBooks, .bookioBooks: "Books.json"
        case .bookioUsers: "User.json"
        case .courses: "Courses.json"
        case .courseBooks: "CourseBooks.json"
        case .userBooks: "UserBooks.json"
        case .rented: "Rented.json"
        }
    }
}

extension OlderSystem {
    /// The table that a record with these members, in small letters, stands in; nil if it is none of this system's.
    func table(of members: Set<String>) -> OlderTable? {
        func has(_ names: String...) -> Bool { members.isSuperset(of: names) }
        switch self {
        case .textbooksub:
            if has("title", "publisher", "price") { return .books }
            return has("username") && !has("title") ? .users : nil
        case .texttrader:
            if has("username", "title") { return .texttraderBooks }
            return has("username") && !has("isbn") ? .texttraderUsers : nil
        case .swag: return has("title") ? .shelf : nil
        case .bookio:
            if has("from_user_id", "to_user_id", "isbn") { return .rented }
            if has("user_id", "isbn") { return .userBooks }
            if has("user_id") { return .bookioUsers }
            if has("isbn", "book_name") { return .bookioBooks }
            if has("course_no", "isbn") { return .courseBooks }
            return has("course_no") ? .courses : nil
        }
    }

    /// The key of a record in its table; a second record with it is a fault of the file.
    static func identity(of table: OlderTable, _ object: JSONObject) -> String? {
        let names: [String] =
            switch table {
            case .users, .texttraderUsers: ["username"]
            case .books, .shelf: ["id"]
            case .texttraderBooks: ["username", "isbn", "title"]
            case .bookioUsers: ["user_id"]
            case .bookioBooks: ["isbn"]
            case .courses: ["course_no"]
            case .courseBooks: ["course_no", "isbn"]
            case .userBooks: ["user_id", "isbn"]
            case .rented: ["from_user_id", "to_user_id", "isbn"]
            }
        let values = names.map { object[$0]?.text() ?? "" }
        return values.allSatisfy(\.isEmpty) ? nil : values.joined(separator: "\u{1F}")
    }
}
