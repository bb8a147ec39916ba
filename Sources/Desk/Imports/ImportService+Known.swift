package import Circulation
import Storage

extension ImportService {
    /// The title in the catalogue that a record of a file means: that of its ISBN, or without one the title of the same
    /// name, authors and year; nil if there is none.
    package func known(_ title: Title) throws -> Title? {
        if let isbn = title.isbn { return try session.transaction.titles.find(isbn) }
        return try alike(title).first
    }

    /// The titles without an ISBN that have the same name, authors and year, by id.
    package func alike(_ title: Title) throws -> [Title] {
        try session.transaction.titles.withoutISBN(called: title.title).filter {
            $0.authors == title.authors && $0.year == title.year
        }
    }

    /// Whether a loan with this key was taken in before.
    package func hasLoan(_ key: String) throws -> Bool {
        try loan(called: key) != nil
    }
}
