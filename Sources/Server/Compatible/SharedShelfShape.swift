import Circulation
import TextFormats

/// A book as the clients of a shared shelf know it.
enum SharedShelfShape {
    /// `/books/17/`
    static func address(of title: Title) -> String { "/books/\(title.id)/" }

    /// - Parameters:
    ///   - moment: when it was lent last.
    ///   - name: the borrower; nil: none, or one who may not be named.
    static func book(_ title: Title, lent moment: Instant?, to name: String?) -> JSON {
        [
            "author": .string(title.authors.joined(separator: "; ")),
            "categories": .string(title.genres.joined(separator: ", ")), "id": .integer(title.id),
            "lastCheckedOut": moment.map { .string(spaced($0)) } ?? .null,
            "lastCheckedOutBy": name.map { .string($0) } ?? .null,
            "publisher": title.publisher.map { .string($0) } ?? .null, "title": .string(title.title),
            "url": .string(address(of: title)),
        ]
    }

    /// `2026-12-24 18:00:00`, in UTC.
    private static func spaced(_ moment: Instant) -> String {
        let text = moment.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }
}
