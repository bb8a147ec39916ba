import Circulation
import Desk
import Market
import TextFormats

// Bookio's tables: books by their ISBN alone.
extension OlderExporter {
    func bookio(_ table: OlderTable, _ rows: inout OlderRows) throws {
        var courses: [String: String?] = [:]
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            guard let isbn = title.isbn else {
                if table == .bookioBooks { rows.leftOut += 1 }
                return true
            }
            for course in title.courses {
                if courses[course.code] == nil || course.name != nil { courses[course.code] = .some(course.name) }
                guard table == .courseBooks else { continue }
                try rows.add(["course_no": .string(course.code), "ISBN": .string(isbn.digits13)])
            }
            guard table == .bookioBooks else { return true }
            try rows.add([
                "ISBN": .string(isbn.digits13), "book_name": .string(title.title),
                "book_author": .string(title.authors.joined(separator: ", ")),
            ])
            return true
        }
        guard table == .courses else { return }
        for (code, name) in courses.sorted(by: { $0.key < $1.key }) {
            var row: JSONObject = ["course_no": .string(code)]
            row["course_name"] = name.map { .string($0) }
            try rows.add(.object(row))
        }
    }

    /// A row for each book of a user, with its prices for rental and sale.
    func ownBooks(_ rows: inout OlderRows) throws {
        struct Book: Hashable {
            var owner: String
            var isbn: String
        }
        var prices: [Book: (rent: Money?, sell: Money?)] = [:]
        var order: [Book] = []
        try session.exports.listings { listing in
            guard listing.isOpen, listing.kind == .rent || listing.kind == .sell,
                let owner = try username(listing.seller), let isbn = try title(of: listing)?.isbn
            else {
                rows.leftOut += 1
                return true
            }
            let book = Book(owner: owner, isbn: isbn.digits13)
            if prices[book] == nil {
                prices[book] = (nil, nil)
                order.append(book)
            }
            if listing.state == .active {
                if listing.kind == .rent {
                    prices[book]?.rent = listing.price
                } else {
                    prices[book]?.sell = listing.price
                }
            }
            return true
        }
        for book in order {
            let (rent, sell) = prices[book] ?? (nil, nil)
            try rows.add([
                "user_id": .string(book.owner), "ISBN": .string(book.isbn), "rent": .integer(rent == nil ? 0 : 1),
                "rent_cost": Self.number(rent), "sell": .integer(sell == nil ? 0 : 1), "sell_cost": Self.number(sell),
            ])
        }
    }

    func rented(_ rows: inout OlderRows) throws {
        try session.exports.rentals { rental in
            guard rental.isOpen else { return true }
            guard let lender = try username(rental.lender), let borrower = try username(rental.borrower),
                let isbn = try rental.title.flatMap({ try session.catalogue.get(.id($0)) })?.isbn
            else {
                rows.leftOut += 1
                return true
            }
            try rows.add([
                "from_user_id": .string(lender), "to_user_id": .string(borrower), "ISBN": .string(isbn.digits13),
                "end_date": .string(rental.ends.description),
            ])
            return true
        }
    }
}

/// Rows that are written as they come, a line each: an array, or the answer of a server that holds one.
struct OlderRows {
    var leftOut = 0
    private let write: ([UInt8]) throws -> Void
    private let close: String
    private var bytes: [UInt8]
    private var isEmpty = true

    init(isAnswer: Bool, _ write: @escaping ([UInt8]) throws -> Void) {
        self.write = write
        bytes = Array((isAnswer ? "{\"results\":[" : "[").utf8)
        close = isAnswer ? "]}\n" : "]\n"
    }

    mutating func add(_ row: JSON) throws {
        bytes += (isEmpty ? "\n" : ",\n").utf8
        isEmpty = false
        bytes += row.text().utf8
        if bytes.count > 1 << 16 { try flush() }
    }

    mutating func end() throws {
        bytes += "\n".utf8
        bytes += close.utf8
        try flush()
    }

    private mutating func flush() throws {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
