package import Circulation

/// A record of an older system for which the library has more than one, or asks what is there already.
package enum OlderRecord: Hashable, Sendable {
    /// A user with an account. Existing patrons stay as they are: a file cannot change an address.
    case account(Patron)
    case offer(OlderOffer)
    case course(OlderCourse)
    case rental(OlderRental)
    /// The last loan of a book, and the name of its borrower.
    case lastLoan(ImportedLoan, name: String?)
}

/// An offer with its title.
package struct OlderOffer: Hashable, Sendable {
    package var key: String
    /// nil: the library itself.
    package var seller: String?
    package var title: Title
    package var kind: Listing.Kind
    /// As a decimal, in the library's currency.
    package var price: String?
    package var quantity: Int64 = 1
    package var state = Listing.State.active
    package var picture: String?
    package var note = ""
    /// Whether the title must be there already.
    package var needsTitle = false
}

/// A course, or that a course uses a book.
package struct OlderCourse: Hashable, Sendable {
    package var code: String
    package var name: String?
    /// nil: the course itself.
    package var isbn: ISBN?
}

/// A book that one user has from another.
package struct OlderRental: Hashable, Sendable {
    package var key: String
    package var lender: String
    package var borrower: String
    package var isbn: ISBN
    /// The last day; nil: unknown.
    package var ends: CivilDate?
}
