package import Circulation
import Storage

extension ImportService {
    /// The title in the catalogue that a record of a file means: that of its ISBN, or without one the title of the same
    /// name, authors and year; nil if there is none.
    package func known(_ title: Title) throws -> Title? {
        if let isbn = title.isbn { return try session.transaction.titles.find(isbn) }
        return try session.transaction.titles.first(like: title)
    }

    /// The first title by id, after the one of an id, without an ISBN that has the same name, authors and year, and is wanted.
    package func alike(
        _ title: Title, after id: Int64, where isWanted: (Title) -> Bool
    ) throws -> Title? {
        try session.transaction.titles.first(like: title, after: id, where: isWanted)
    }

    /// The title of an id, if it has no ISBN and the same name, authors and year.
    package func alike(_ title: Title, id: Int64) throws -> Title? {
        try session.transaction.titles.get(id).flatMap { TitleRepository.isAlike($0, title) ? $0 : nil }
    }

    /// Whether a loan with this key was taken in before.
    package func hasLoan(_ key: String) throws -> Bool {
        try loan(called: key) != nil
    }
}
