import Circulation
package import Desk
import TextFormats

/// Writes the tables of a BitBooks server, as it writes them itself and as an import reads them.
///
/// They hold less than a library: people without their passwords, titles with one line of authors and of genres, open
/// loans and messages about titles that have an ISBN. What is written depends on what the library holds alone.
package struct BitBooksExporter {
    private let session: DeskSession

    package init(session: DeskSession) {
        self.session = session
    }

    /// Writes one table.
    ///
    /// - Parameter write: takes the text piece by piece.
    /// - Returns: how many records have no place in the table: loans and messages that concern no ISBN.
    package func export(_ table: BitBooksTable, to write: @escaping ([UInt8]) throws -> Void) throws -> Int {
        var array = Array(write)
        switch table {
        case .users:
            try session.patrons.each { patron in
                try array.add(BitBooksShape.user(patron))
                return true
            }
        case .books:
            try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
                try array.add(BitBooksShape.book(title, try session.catalogue.counts(of: title.id)))
                return true
            }
        case .loans: try loans(&array)
        case .notifications: try notifications(&array)
        }
        try array.end()
        return array.leftOut
    }

    private func loans(_ array: inout Array) throws {
        let zone = try session.settings.library().zone
        try session.loans.each(LoanQuery(state: .open)) { loan in
            guard let username = try loan.patron.flatMap({ try session.patrons.get(.id($0)) })?.username,
                loan.due != nil, let isbn = try isbn(of: loan.title)
            else {
                array.leftOut += 1
                return true
            }
            try array.add(.object(BitBooksShape.loan(loan, of: username, isbn: isbn.digits13, zone: zone)))
            return true
        }
    }

    private func notifications(_ array: inout Array) throws {
        try session.exports.notices { notice in
            let isRead = notice.state == .read
            guard isRead || notice.state == .sent || notice.state == .queued else { return true }
            guard let username = try session.patrons.get(.id(notice.patron))?.username,
                let isbn = try isbn(of: notice), !notice.body.allSatisfy(\.isWhitespace)
            else {
                array.leftOut += 1
                return true
            }
            try array.add(
                BitBooksShape.notification(to: username, isbn: isbn.digits13, message: notice.body, isRead: isRead))
            return true
        }
    }

    private func isbn(of title: Int64?) throws -> ISBN? {
        try title.flatMap { try session.catalogue.get(.id($0)) }?.isbn
    }

    /// Of the title that the message is about, or as an import of such a table has kept it.
    private func isbn(of notice: Notice) throws -> ISBN? {
        if let loan = try notice.loan.flatMap({ try session.loans.get(.id($0)) }) { return try isbn(of: loan.title) }
        return BitBooksShape.isbn(ofImported: notice)
    }
}

extension BitBooksExporter {
    /// An array whose elements are written as they come.
    private struct Array {
        let write: ([UInt8]) throws -> Void
        var leftOut = 0
        private var bytes: [UInt8] = [UInt8(ascii: "[")]
        private var isEmpty = true

        init(_ write: @escaping ([UInt8]) throws -> Void) {
            self.write = write
        }

        mutating func add(_ element: JSON) throws {
            if !isEmpty { bytes += ", ".utf8 }
            isEmpty = false
            element.appendTabbed(to: &bytes, depth: 1)
            if bytes.count > 1 << 16 { try flush() }
        }

        mutating func end() throws {
            bytes += "]".utf8
            try flush()
        }

        private mutating func flush() throws {
            try write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }
}
