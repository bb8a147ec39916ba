package import Circulation
import Storage

extension Desk {
    /// Completes a title by what services that know books say of its ISBN. They are asked outside of any transaction,
    /// and not again while their last answer counts.
    ///
    /// Refused with `unknown_title`, `no_isbn`, `book_data_off` (services are switched off), `book_data_unreachable`,
    /// `no_book_data` (no service knows the book), `not_allowed`.
    ///
    /// Where covers are kept, one whose address is known is kept of a title that has none; where that fails, the address
    /// stays.
    ///
    /// - Parameter replacing: what the title says already is replaced as well.
    package func enrich(_ key: TitleKey, replacing: Bool = false) throws -> Outcome<Title> {
        let source = try outside.bookData()
        let completed = try enrich(key, by: source, replacing: replacing)
        guard let title = completed.value, title.cover == nil, let address = title.coverURL,
            let bytes = source?.cover(at: address), case .success(let picture) = read(picture: bytes)
        else { return completed }
        return try write(isRepeatable: true) { try $0.catalogue.setCover(of: .id(title.id), to: .success(picture)) }
    }

    /// What services know of a book, to fill the form of a new title. They are asked as for ``enrich(_:replacing:)``.
    ///
    /// Refused with `book_data_off`, `book_data_unreachable`, `no_book_data`, `not_allowed`.
    package func bookData(on isbn: ISBN) throws -> Outcome<BookData> {
        let source = try outside.bookData()
        var data = try read { try $0.catalogue.answer(on: isbn, source) }
        // Answers from before titles were kept say nothing of them.
        let isKnown = data.map { $0.isEmpty || $0.title != nil } ?? false
        var failure: BookDataFailure?
        if let source, !isKnown, actor.reach(of: "catalogue.enrich") != .no {
            do throws(BookDataFailure) {
                data = try source.find(isbn)
            } catch {
                failure = error
            }
        }
        return try write(isRepeatable: true) { [data, failure] session in
            if let data, let source, !isKnown, failure == nil {
                try session.catalogue.keep(data, of: isbn, by: source)
            }
            return try session.request("catalogue.enrich") {
                if source == nil { throw Refused.bookDataOff }
                if let failure { throw Refused("book_data_unreachable", failure.message) }
                guard let data, !data.isEmpty else { throw Refused.noBookData }
                return data
            }
        }
    }

    private func enrich(
        _ key: TitleKey, by source: (any BookDataSource)?, replacing: Bool
    ) throws -> Outcome<Title> {
        let (isbn, isKnown) = try read { session in
            let isbn = try session.catalogue.get(key)?.isbn
            return (isbn, try isbn.map { try session.catalogue.answer(on: $0, source) } ?? nil)
        }
        // Only those who may change the catalogue may cause a query.
        guard let source, let isbn, isKnown == nil, actor.reach(of: "catalogue.enrich") != .no else {
            return try write(isRepeatable: true) { try $0.catalogue.enrich(key, by: source, replacing: replacing) }
        }
        let found: Result<BookData, BookDataFailure> = Result { () throws(BookDataFailure) in try source.find(isbn) }
        return try write(isRepeatable: true) { session in
            switch found {
            case .success(let data):
                try session.catalogue.keep(data, of: isbn, by: source)
                return try session.catalogue.enrich(key, by: source, found: data, replacing: replacing)
            case .failure(let failure):
                return try session.request("catalogue.enrich") {
                    throw Refused("book_data_unreachable", failure.message)
                }
            }
        }
    }
}

extension CatalogueService {
    /// Completes a title from earlier answers, without a query.
    ///
    /// Refused as ``Desk/enrich(_:replacing:)``, with `book_data_unreachable` where no service was asked yet.
    ///
    /// - Parameter found: what was answered just now.
    package func enrich(
        _ key: TitleKey, by source: (any BookDataSource)?, found: BookData? = nil, replacing: Bool
    ) throws -> Outcome<Title> {
        try session.request("catalogue.enrich") {
            var title = try known(key)
            guard let isbn = title.isbn else {
                throw Refused("no_isbn", "\"\(title.title)\" has no ISBN to be asked about.")
            }
            guard let source else { throw Refused.bookDataOff }
            guard let data = try found ?? answer(on: isbn, source) else {
                throw Refused(
                    "book_data_unreachable",
                    "Book data for this title has not been looked up yet, and it cannot be looked up within a "
                        + "transaction."
                )
            }
            guard !data.isEmpty else { throw Refused.noBookData }
            let before = title
            data.fill(&title, replacing: replacing)
            try check(&title, before: before)
            if title != before { try session.record(.titleUpdated, title) }
            return title
        }
    }

    /// What was answered on a book, as long as it counts.
    func answer(on isbn: ISBN, _ source: (any BookDataSource)?) throws -> BookData? {
        guard let source else { return nil }
        return try transaction.bookData.get(isbn, since: try oldest(source))
    }

    /// Keeps an answer, and lets go of those that count no more.
    package func keep(_ data: BookData, of isbn: ISBN, by source: any BookDataSource) throws {
        try transaction.bookData.remove(before: try oldest(source))
        try transaction.bookData.keep(data, of: isbn, at: session.now)
    }

    private func oldest(_ source: any BookDataSource) throws -> Instant {
        try session.now.adding(hours: -24 * source.days)
    }
}

extension Refused {
    fileprivate static let bookDataOff = Refused("book_data_off", "Book data services are switched off here.")
    fileprivate static let noBookData = Refused("no_book_data", "None of the book data services knows this book.")
}
