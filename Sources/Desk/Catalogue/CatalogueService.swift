package import Circulation
import Storage

/// Titles and their copies.
package struct CatalogueService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    package func get(_ key: TitleKey) throws -> Title? {
        switch key {
        case .id(let id): try transaction.titles.get(id)
        case .isbn(let isbn): try transaction.titles.find(isbn)
        }
    }

    /// Refused with `exists` if another title has the ISBN.
    package func add(_ title: Title) throws -> Outcome<Title> {
        try session.request("catalogue.add") { try insert(title) }
    }

    /// Refused with `unknown_title`, `exists`.
    package func update(_ key: TitleKey, _ change: (inout Title) throws -> Void) throws -> Outcome<Title> {
        try session.request("catalogue.update") {
            let before = try known(key)
            var title = before
            try change(&title)
            title.id = before.id
            try check(&title, before: before)
            if let isbn = title.isbn, isbn != before.isbn { try checkFree(isbn) }
            if title != before { try session.record(.titleUpdated, title) }
            return title
        }
    }

    /// Removes a title with its copies; refused with `on_loan` while one is lent, with `listed` while
    /// a patron offers it. Past loans stay in the statistics;
    /// holds on it end.
    package func remove(_ key: TitleKey) throws -> Outcome<Title> {
        try session.request("catalogue.remove") {
            let title = try known(key)
            guard try transaction.loans.openCount(title: title.id) == 0 else {
                throw Refused("on_loan", "\"\(title.title)\" has copies on loan.")
            }
            let offered = try transaction.listings.openCount(title: title.id)
            guard offered == 0 else {
                throw Refused(
                    "listed", "The market has \(offered) offers of \"\(title.title)\". Have them withdrawn first.")
            }
            try remove(title.id)
            return title
        }
    }

    private func remove(_ title: Int64) throws {
        try session.holds.closeAll(try transaction.holds.open(title: title), reason: "The title was removed.")
        try session.customFields.forget(.title, title)
        try session.record(.titleRemoved, RemovedTitle(title))
    }

    /// Removes every title; refused as a whole with `on_loan` while anything is lent, with `listed` while anything is
    /// offered. The value is their number.
    package func removeAll() throws -> Outcome<Int> {
        try session.request("catalogue.remove_all") {
            let lent = try transaction.loans.openCount()
            guard lent == 0 else { throw Refused("on_loan", "\(lent) copies are on loan.") }
            guard try transaction.listings.openCount(title: nil) == 0 else {
                throw Refused("listed", "There are offers on the market for titles in the catalogue.")
            }
            var removed = 0
            try transaction.titles.forEach { title in
                try remove(title.id)
                removed += 1
                return true
            }
            return removed
        }
    }
}

// MARK: - Finding

extension CatalogueService {
    package func search(_ query: CatalogueQuery) throws -> [Title] {
        try transaction.search.titles(query)
    }

    /// How many titles the query finds, whatever its limit; `most` if they are more.
    package func count(_ query: CatalogueQuery, most: Int64? = nil) throws -> Int64 {
        try transaction.search.count(query, most: most)
    }

    /// What the words of a query were perhaps meant to be, where it finds nothing, or next to nothing, as they are.
    ///
    /// - Returns: the words, folded; nil if it finds what it asks for, or nothing is near.
    package func spelling(_ query: CatalogueQuery) throws -> String? {
        try transaction.search.spelling(query)
    }

    /// How many of the titles that a query finds have which author, genre and so on.
    ///
    /// - Parameters:
    ///   - most: how many titles are counted; where more are found, those lent most are.
    ///   - values: how many values of each kind are given, the most frequent first.
    package func facets(_ query: CatalogueQuery, most: Int, values: Int) throws -> [FacetCount] {
        try transaction.search.facets(query, most: most, values: values)
    }

    /// Streams every title that the query finds; the body may write, and ends the reading by returning false.
    package func each(_ query: CatalogueQuery, _ body: (Title) throws -> Bool) throws {
        // All titles by id need no list of what was found.
        if query.isUnbounded, query.order == .id, query.offset == 0, query.limit == .max {
            return try transaction.titles.forEach(body)
        }
        try transaction.search.forEach(query, body)
    }

    /// The title of these words, authors and year, in any case and with any accents; nil if there is none. For records
    /// without an ISBN: the first by id.
    package func find(title: String, authors: [String], year: Int64?) throws -> Title? {
        let wanted = TextFolding.folded(title)
        let people = authors.map(TextFolding.folded)
        let query = CatalogueQuery(words: title, field: .title, order: .none, limit: 1_000)
        return try transaction.search.titles(query)
            .filter { found in
                TextFolding.folded(found.title) == wanted && found.authors.map(TextFolding.folded) == people
                    && found.year == year
            }
            .min { $0.id < $1.id }
    }

    /// The titles lent most often in the last days, each with its number of loans, the most lent first. At a desk that
    /// keeps rankings, loans are counted as they were when the ranking was last read.
    ///
    /// - Parameter isAnew: count them anew at such a desk as well.
    package func trending(
        days: Int64, _ part: ListPart, isAnew: Bool = false
    ) throws -> [(title: Title, loans: Int64)] {
        guard days > 0, part.limit > 0 else { throw DeskError.input("days", "Days and limit are at least 1.") }
        let span = days.multipliedReportingOverflow(by: -86_400)
        let from = span.overflow ? Instant.earliest : (try? session.now.adding(seconds: span.partialValue)) ?? .earliest
        // What was lent at this very moment counts as well.
        let to = try session.now.adding(microseconds: 1)
        let ranking = try session.rankings.ranking(
            .init(days: days, limit: part.reach), at: session.now, isAnew: isAnew
        ) {
            try transaction.statistics.trending(from: from, to: to, limit: part.reach)
        }
        return try part.of(ranking).compactMap { id, loans in try transaction.titles.get(id).map { ($0, loans) } }
    }

    package func recommended(_ part: ListPart = ListPart(limit: 100)) throws -> [Title] {
        try transaction.titles.recommended(part)
    }

    /// The volumes of a series in their order.
    package func series(_ name: String, _ part: ListPart = ListPart(limit: 50)) throws -> [Title] {
        try transaction.titles.series(name, part)
    }

    /// The colleges that titles have.
    package func colleges(_ part: ListPart) throws -> [String] { try transaction.titles.colleges(part) }
}

// MARK: - What the desk's services share

extension CatalogueService {
    /// The title of a key.
    ///
    /// - Throws: ``Refused`` with `unknown_title`.
    package func known(_ key: TitleKey) throws -> Title {
        guard let title = try get(key) else { throw Self.unknown(key) }
        return title
    }

    static func unknown(_ key: TitleKey) -> Refused {
        switch key {
        case .id(let id): Refused(Refusal.Code.unknownTitle, "There is no title \(id).")
        case .isbn(let isbn): Refused(Refusal.Code.unknownTitle, "There is no title with the ISBN \(isbn.digits13).")
        }
    }

    /// Adds a title within a request, under an id that is free, or under a new one.
    package func insert(_ title: Title, id: Int64 = 0) throws -> Title {
        var title = title
        try check(&title, before: nil)
        if let isbn = title.isbn { try checkFree(isbn) }
        title.id = id
        guard let added = try session.record(.titleAdded, title)?.content else {
            throw DeskError.input(nil, "The title could not be added.")
        }
        return added
    }

    private func checkFree(_ isbn: ISBN) throws {
        guard try transaction.titles.find(isbn) == nil else {
            throw Refused("exists", "There is already a title with the ISBN \(isbn.digits13).")
        }
    }

    /// Checks a record that is to be written, and brings the library's own fields into form.
    func check(_ title: inout Title, before: Title?) throws {
        guard title.title.contains(where: { !$0.isWhitespace }) else {
            throw DeskError.input("title", "A title cannot be empty.")
        }
        if let stars = title.stars, !(0...5).contains(stars) {
            throw DeskError.input("stars", "Stars go from 0 to 5.")
        }
        if title.extra != before?.extra {
            title.extra = try session.customFields.checked(title.extra, before: before?.extra, of: .title)
        }
    }
}
