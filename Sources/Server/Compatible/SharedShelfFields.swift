import Circulation
import TextFormats

/// What a client of the shelf says of a book, as JSON or as a form. A field that is null is not given.
struct SharedShelfFields {
    private(set) var title: String?
    private(set) var author: String?
    private(set) var publisher: String?
    private(set) var categories: String?
    private let lastCheckedOut: String?
    /// `lastCheckedOutBy`: the patron who borrows the book.
    private(set) var borrower: String?

    /// - Throws: ``Problem`` for a body that is neither, and for fields that are not texts or are empty where a value
    ///   is required.
    init(_ request: WebRequest) throws(Problem) {
        let object = try Self.object(request)
        func text(_ name: String, mayBeEmpty: Bool = true) throws(Problem) -> String? {
            switch object[name] {
            case nil, .null?: return nil
            case .string(let text)?:
                let trimmed = text.trimmingSpaces()
                guard mayBeEmpty || !trimmed.isEmpty else { throw Problem.input("'\(name)' is empty.") }
                return trimmed
            default: throw Problem.input("'\(name)' is a text.")
            }
        }
        title = try text("title", mayBeEmpty: false)
        author = try text("author")
        publisher = try text("publisher")
        categories = try text("categories")
        lastCheckedOut = try text("lastCheckedOut")
        // Some apps send every field of a book, with an empty text where no patron is meant.
        let isAlone = [title, author, publisher, categories].allSatisfy { $0 == nil }
        let name = try text("lastCheckedOutBy", mayBeEmpty: !isAlone)
        borrower = name == "" ? nil : name
    }

    /// What is asked for beyond the book as it was shown: some apps send all of it back with a change, and some give
    /// the date of a loan as well. A book that is sent back with its borrower and its date asks for no loan.
    func changes(of shown: JSON) -> SharedShelfFields {
        func isShown(_ value: String?, _ name: String) -> Bool { value == shown[name]?.stringValue?.trimmingSpaces() }
        var changes = self
        if isShown(title, "title") { changes.title = nil }
        if isShown(author, "author") { changes.author = nil }
        if isShown(publisher, "publisher") { changes.publisher = nil }
        if isShown(categories, "categories") { changes.categories = nil }
        let isSameMoment = lastCheckedOut.map(Self.moment) == shown["lastCheckedOut"]?.stringValue
        if isSameMoment && isShown(borrower, "lastCheckedOutBy") { changes.borrower = nil }
        return changes
    }

    /// `2026-12-24 18:00:00` of a date that an app wrote with a `T` or a zone.
    private static func moment(_ text: String) -> String {
        String(text.prefix(19)).replacing("T", with: " ")
    }

    private static func object(_ request: WebRequest) throws(Problem) -> JSONObject {
        let type = request.field("content-type")?.split(separator: ";").first.map { $0.lowercased() }
        guard type?.trimmingSpaces() == "application/x-www-form-urlencoded" else { return try request.jsonObject() }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            throw Problem.input("The body is not UTF-8 text.")
        }
        var object = JSONObject()
        for member in try WebRequest.members(of: text) { object[member.name] = .string(member.value) }
        return object
    }

    /// Writes what was given into a title: authors stand between semicolons, categories between commas.
    func change(_ title: inout Title) {
        if let name = self.title { title.title = name }
        if let author { title.authors = Self.parts(of: author, by: ";") }
        if let publisher { title.publisher = publisher.isEmpty ? nil : publisher }
        if let categories { title.genres = Self.parts(of: categories, by: ",") }
    }

    private static func parts(of text: String, by separator: Character) -> [String] {
        var parts: [String] = []
        for part in text.split(separator: separator).map({ String($0).trimmingSpaces() })
        where !part.isEmpty && !parts.contains(part) {
            parts.append(part)
        }
        return parts
    }
}
