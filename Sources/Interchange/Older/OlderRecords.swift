import Circulation
import TextFormats

/// Reads the rows of the older systems' tables.
enum OlderRecords {
    /// A rental price comes without a period: it is taken to be for a semester.
    static let rentalPeriod = Period(6, .months)

    /// - Returns: none where the row is rejected, with the reason among the reader's problems.
    static func records(of reader: inout MemberReader, in table: OlderTable) -> [ImportedRecord] {
        switch table {
        case .users: user(&reader, name: "username", leftOut: ["cart", "published", "money", "likes"])
        case .books: book(&reader)
        case .texttraderUsers: user(&reader, name: "username", leftOut: ["school", "school_id"])
        case .texttraderBooks: offer(&reader)
        case .shelf: shelfBook(&reader)
        case .bookioUsers: user(&reader, name: "user_id", leftOut: [])
        case .bookioBooks: bookioBook(&reader)
        case .courses, .courseBooks: course(&reader, isOfBook: table == .courseBooks)
        case .userBooks: ownBook(&reader)
        case .rented: rental(&reader)
        }
    }

    /// A key under which a record is known again; it contains no name.
    static func key(_ system: OlderSystem, _ parts: String...) -> String {
        "\(system.rawValue):\(SHA256.hexadecimal(of: parts.joined(separator: "\u{1F}").utf8))"
    }

    private static func user(_ reader: inout MemberReader, name: String, leftOut: [String]) -> [ImportedRecord] {
        guard let username = reader.required(name, reader.word(name)) else { return [] }
        let patron = Patron(
            username: username, name: reader.text("name") ?? reader.text("user_fname") ?? "",
            surname: reader.text("user_lname") ?? "", email: reader.text("email"),
            phone: reader.word("user_phone"), category: "", homeBranch: "")
        if reader.value("password") != nil {
            reader.warn("password", "password_left_out", "passwords are not taken over; the patron sets a new one")
        }
        for member in leftOut where reader.value(member)?.isEmpty == false {
            reader.warn(member, "left_out", "has no place here; left out")
        }
        return reader.isRejected ? [] : [.older(.account(patron))]
    }
}

// MARK: - TexBookSub

extension OlderRecords {
    /// Who publishes for the textbook office.
    static let office = "教务处"
    static let courseSeparators: Set<Character> = [",", ";", "，", "；", "、"]

    private static func book(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let name = reader.requiredText("title"), let id = reader.required("id", reader.number("id")) else {
            return []
        }
        let seller = reader.requiredText("publisher")
        var title = Title(title: name)
        title.authors = reader.text("author").map { [$0] } ?? []
        title.courses = FieldText.list(reader.text("courses") ?? "", separators: courseSeparators).map {
            Course(code: $0)
        }
        title.college = reader.text("college")
        title.description = reader.text("bookdescription")
        title.recommended = reader.boolean("recommend") ?? false
        if let stars = reader.number("stars") {
            if !(0...5).contains(stars) { reader.reject("stars", "out_of_range", "\(stars) stars; expected 0 to 5") }
            title.stars = stars
        }
        var kept: JSONObject = [:]
        if let image = reader.text("bookimage") {
            if isAddress(image) { title.coverURL = image } else { kept["image"] = .string(image) }
        }
        for member in ["historyPrice", "historyPurchase"] {
            kept[member] = reader.months(member.lowercased(), as: member)
        }
        let remain = reader.number("remain") ?? 0
        if remain < 0 {
            reader.warn("remain", "out_of_range", "\(remain) pieces are left, since more were sold; taken as none")
        }
        kept["total"] = reader.number("total").map { .integer($0) }
        title.extra = ["textbooksub:\(id)": .object(kept)]
        guard let price = reader.required("price", reader.amount("price")), let seller, !reader.isRejected else {
            return []
        }
        var offer = OlderOffer(
            key: "textbooksub:\(id):\(SHA256.hexadecimal(of: "\(name)\u{1F}\(seller)".utf8).prefix(16))",
            seller: seller == office ? nil : seller, title: title, kind: .sell, price: price)
        offer.quantity = max(0, remain)
        if offer.quantity == 0 { offer.state = .sold }
        return [.older(.offer(offer))]
    }

    static func isAddress(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }
}

// MARK: - Text Trader

extension OlderRecords {
    static let place = "Location: "

    private static func offer(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let name = reader.requiredText("title"), let seller = reader.requiredText("username") else { return [] }
        var title = Title(title: name)
        title.isbn = reader.looseISBN("isbn")
        let (first, last) = (reader.text("authfirstname"), reader.text("authlastname"))
        let author = [first, last].compactMap(\.self).joined(separator: " ")
        if !author.isEmpty { title.authors = [author] }
        if let last, AuthorName.parts(of: author).last != last {
            title.extra = ["texttrader_author": ["first": .string(first ?? ""), "last": .string(last)]]
        }
        let price = reader.amount("price")
        guard !reader.isRejected else { return [] }
        var offer = OlderOffer(
            key: key(.texttrader, seller, title.isbn?.digits13 ?? "", name), seller: seller, title: title,
            kind: price == nil ? .trade : .sell, price: price)
        if let price, Double(price) == 0 { (offer.kind, offer.price) = (.donate, nil) }
        offer.note = reader.text("location").map { place + $0 } ?? ""
        return [.older(.offer(offer))]
    }
}

/// A name of an author as Text Trader has it: what stands before the last space, and what behind.
enum AuthorName {
    static func parts(of name: String) -> (first: String, last: String) {
        guard let space = name.lastIndex(of: " ") else { return ("", name) }
        return (String(name[..<space]), String(name[name.index(after: space)...]))
    }
}

// MARK: - Book SWAG

extension OlderRecords {
    private static func shelfBook(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let name = reader.requiredText("title") else { return [] }
        let id = reader.number("id") ?? 0
        if id < 0 { reader.reject("id", "out_of_range", "\(id) is not an id") }
        let title = Title(
            id: id, title: name,
            authors: FieldText.list(reader.text("author") ?? "", separators: [";"]),
            publisher: reader.text("publisher"),
            genres: FieldText.list(reader.text("categories") ?? "", separators: [","]))
        var records: [ImportedRecord] = [.title(ImportedTitle(title: title, copies: 1))]
        let borrower = reader.text("lastcheckedoutby")
        if let text = reader.text("lastcheckedout") {
            guard let moment = shelfMoment(text) else {
                reader.reject("lastcheckedout", "bad_date", "'\(text)' is not a moment; expected YYYY-MM-DD HH:MM:SS")
                return []
            }
            let loan = ImportedLoan(
                work: .title(title), lentOn: Zone.utc.date(of: moment), lentAt: moment,
                content: [String(id), name, text, borrower ?? ""].joined(separator: "\u{1F}"))
            records.append(.older(.lastLoan(loan, name: borrower)))
        } else if borrower != nil {
            reader.warn("lastcheckedoutby", "left_out", "without a date it tells of no loan; left out")
        }
        return reader.isRejected ? [] : records
    }

    /// `2014-02-11 18:00:00`, in UTC, or with an offset or `UTC` or `GMT` behind it.
    static func shelfMoment(_ text: String) -> Instant? {
        var parts = text.split(separator: " ").map(String.init)
        if parts.count == 3, ["UTC", "GMT", "Z"].contains(parts[2]) { parts[2] = "Z" }
        guard parts.count == 2 || parts.count == 3 else { return nil }
        return try? Instant(parsing: "\(parts[0])T\(parts[1])\(parts.count == 3 ? parts[2] : "Z")")
    }
}

// MARK: - Bookio

extension OlderRecords {
    private static func bookioBook(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let name = reader.requiredText("book_name"),
            let isbn = reader.required("isbn", reader.looseISBN("isbn"))
        else { return [] }
        let title = Title(isbn: isbn, title: name, authors: reader.text("book_author").map { [$0] } ?? [])
        return reader.isRejected ? [] : [.title(ImportedTitle(title: title))]
    }

    private static func course(_ reader: inout MemberReader, isOfBook: Bool) -> [ImportedRecord] {
        guard let code = reader.required("course_no", reader.word("course_no")) else { return [] }
        let isbn = isOfBook ? reader.required("isbn", reader.looseISBN("isbn")) : nil
        let name = reader.text("course_name")
        return reader.isRejected ? [] : [.older(.course(OlderCourse(code: code, name: name, isbn: isbn)))]
    }

    private static func ownBook(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let owner = reader.required("user_id", reader.word("user_id")),
            let isbn = reader.required("isbn", reader.looseISBN("isbn"))
        else { return [] }
        var offers: [OlderOffer] = []
        for (member, kind) in [("rent", Listing.Kind.rent), ("sell", .sell)] where reader.flag(member) {
            guard let price = reader.required("\(member)_cost", reader.amount("\(member)_cost")) else { return [] }
            offers.append(
                OlderOffer(
                    key: key(.bookio, owner, isbn.digits13, member), seller: owner,
                    title: Title(isbn: isbn, title: ""), kind: kind, price: price, needsTitle: true))
        }
        if offers.isEmpty {
            // It is theirs, and they do not offer it.
            offers.append(
                OlderOffer(
                    key: key(.bookio, owner, isbn.digits13, "own"), seller: owner,
                    title: Title(isbn: isbn, title: ""), kind: .sell, state: .draft, needsTitle: true))
        }
        return reader.isRejected ? [] : offers.map { .older(.offer($0)) }
    }

    private static func rental(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let lender = reader.required("from_user_id", reader.word("from_user_id")),
            let borrower = reader.required("to_user_id", reader.word("to_user_id")),
            let isbn = reader.required("isbn", reader.looseISBN("isbn"))
        else { return [] }
        let ends = reader.date("end_date")
        if ends == nil, !reader.isRejected {
            reader.warn("end_date", "missing", "no date is told; it ends six months after this import")
        }
        let rental = OlderRental(
            key: key(.bookio, lender, isbn.digits13, borrower, "rented"), lender: lender, borrower: borrower,
            isbn: isbn, ends: ends)
        return reader.isRejected ? [] : [.older(.rental(rental))]
    }
}
