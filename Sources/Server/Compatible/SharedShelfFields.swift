import Circulation
import TextFormats

/// What a client of the shelf says of a book, as JSON or as a form. A field that is null is not given.
struct SharedShelfFields {
    let title: String?
    let author: String?
    let publisher: String?
    let categories: String?
    let lastCheckedOut: String?
    /// `lastCheckedOutBy`: whoever is to have the book.
    let borrower: String?

    /// - Throws: ``Problem`` for a body that is neither, and for fields that are no text or are empty where they must not be.
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
        borrower = try text("lastCheckedOutBy", mayBeEmpty: false)
    }

    private static func object(_ request: WebRequest) throws(Problem) -> JSONObject {
        let type = request.field("content-type")?.split(separator: ";").first.map { $0.lowercased() }
        guard type?.trimmingSpaces() == "application/x-www-form-urlencoded" else { return try request.jsonObject() }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            throw Problem.input("The body is no UTF-8 text.")
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
