import Circulation
import Desk
import Market
import TextFormats

/// Puts records of the older systems into the store.
struct OlderApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ record: OlderRecord) throws -> ImportChange {
        switch record {
        case .account(let patron): try apply(patron)
        case .offer(let offer): try apply(offer)
        case .course(let course): try apply(course)
        case .rental(let rental): try apply(rental)
        case .lastLoan(let loan, let name): try apply(loan, of: name)
        }
    }

    private func apply(_ patron: Patron) throws -> ImportChange {
        if try session.patrons.get(.username(patron.username)) != nil { return .unchanged }
        var patron = patron
        patron.category = try settings.firstCategory()
        patron.homeBranch = try settings.firstBranch()
        try settings.require(category: patron.category)
        try settings.require(branch: patron.homeBranch)
        return try session.imports.patron(patron).change(field: "username").change
    }

    // MARK: - Offers

    private func apply(_ offer: OlderOffer) throws -> ImportChange {
        if try session.imports.listing(called: offer.key) != nil { return .unchanged }
        let seller = try offer.seller.map { try patron($0, "seller") }
        let title = try title(of: offer)
        let listing = Listing(
            seller: seller?.id, title: title.id, kind: offer.kind, price: try price(offer.price),
            period: offer.kind == .rent ? OlderRecords.rentalPeriod : nil, quantity: offer.quantity,
            picture: offer.picture, note: offer.note, state: offer.state, createdAt: session.now,
            importKey: offer.key)
        return try session.imports.listing(listing).change(field: nil).change
    }

    /// The title that is offered: one that is there keeps what it says, and learns what it does not.
    private func title(of offer: OlderOffer) throws -> Title {
        guard let present = try session.imports.known(offer.title) else {
            if offer.needsTitle { throw unknownTitle(offer.title.isbn) }
            return try session.imports.title(offer.title, isNew: true).change(field: "isbn").record
        }
        var title = present
        let new = offer.title
        title.courses += new.courses.filter { !title.courses.contains($0) }
        title.college = title.college ?? new.college
        title.description = title.description ?? new.description
        title.coverURL = title.coverURL ?? new.coverURL
        title.stars = title.stars ?? new.stars
        title.recommended = title.recommended || new.recommended
        for entry in new.extra { title.extra[entry.key] = entry.value }
        return try session.imports.title(title, existing: present.id).change(field: "title").record
    }

    private func price(_ text: String?) throws -> Money? {
        guard let text else { return nil }
        do {
            return try Money(parsing: text, currency: session.settings.library().currency)
        } catch let error as MoneyError {
            throw RefusedRecord(field: "price", code: "bad_money", message: "\(error)")
        }
    }

    private func patron(_ username: String, _ field: String) throws -> Patron {
        guard let patron = try session.patrons.get(.username(username)) else {
            throw RefusedRecord(field: field, code: "unknown_patron", message: "no patron is called '\(username)'")
        }
        return patron
    }

    private func unknownTitle(_ isbn: ISBN?) -> RefusedRecord {
        RefusedRecord(
            field: "isbn", code: "unknown_title",
            message: "the catalogue has no title with the ISBN \(isbn?.digits13 ?? "")")
    }

    // MARK: - Courses

    private func apply(_ course: OlderCourse) throws -> ImportChange {
        let titles: [Title]
        if let isbn = course.isbn {
            guard let title = try session.catalogue.get(.isbn(isbn)) else { throw unknownTitle(isbn) }
            titles = [title]
        } else {
            titles = try session.catalogue.search(
                CatalogueQuery(words: course.code, field: .course, order: .id, limit: 100_000)
            ).filter { $0.courses.contains { $0.code == course.code } }
            guard !titles.isEmpty else {
                throw RefusedRecord(
                    field: "course_no", code: "no_book",
                    message: "a course is kept with its books, and no book here is used in '\(course.code)'")
            }
        }
        var change = ImportChange.unchanged
        for title in titles where try add(course, to: title) { change = .updated }
        return change
    }

    private func add(_ course: OlderCourse, to title: Title) throws -> Bool {
        var changed = title
        if let index = changed.courses.firstIndex(where: { $0.code == course.code }) {
            changed.courses[index].name = course.name ?? changed.courses[index].name
        } else {
            changed.courses.append(Course(code: course.code, name: course.name))
        }
        guard changed != title else { return false }
        _ = try session.imports.title(changed, existing: title.id).change(field: "course_no")
        return true
    }

    // MARK: - Rentals and loans

    private func apply(_ rental: OlderRental) throws -> ImportChange {
        if try session.imports.listing(called: rental.key) != nil { return .unchanged }
        let lender = try patron(rental.lender, "from_user_id")
        let borrower = try patron(rental.borrower, "to_user_id")
        guard let title = try session.catalogue.get(.isbn(rental.isbn)) else { throw unknownTitle(rental.isbn) }
        // Given back, it is its owner's again, who says whether it is to be offered and for how much.
        let listing = Listing(
            seller: lender.id, title: title.id, kind: .rent, period: OlderRecords.rentalPeriod, quantity: 0,
            state: .draft, createdAt: session.now, importKey: rental.key)
        let stored = try session.imports.listing(listing).change(field: nil).record
        let library = try session.settings.library()
        let today = library.zone.date(of: session.now)
        let ends = try rental.ends ?? today.adding(months: 6)
        _ = try session.imports.rental(
            Rental(
                listing: stored.id, title: title.id, lender: lender.id, borrower: borrower.id,
                price: Money(minorUnits: 0, currency: library.currency), period: OlderRecords.rentalPeriod,
                begunAt: session.now, ends: ends, importKey: rental.key)
        ).change(field: nil)
        return .added
    }

    /// A loan of which it is unknown whether it has ended: it counts as one of the past.
    private func apply(_ loan: ImportedLoan, of name: String?) throws -> ImportChange {
        var loan = loan
        if let name {
            let found = try session.patrons.called(name)
            if let patron = found.first, found.count == 1 {
                loan.username = patron.username
            } else {
                run.warn("lastCheckedOutBy", "left_out", "'\(name)' is the name of no patron, or of several; left out")
            }
        }
        return try LoanApplier(session: session, settings: settings, run: run).apply(loan)
    }
}
