package import Circulation
package import MARC
package import TextFormats

/// One record of a file, read and checked, ready for the desk.
package enum ImportedRecord: Hashable, Sendable {
    case title(ImportedTitle)
    case copy(ImportedCopy)
    /// A patron, and what the record says of them: the rest stays as it is.
    case patron(Patron, says: Set<PatronField> = PatronField.all)
    case loan(ImportedLoan)
    case hold(ImportedHold)
    case branch(Branch)
    case category(Category)
    case itemType(ItemType)
    case location(ShelvingLocation)
    case library(LibraryDescription)
    case notice(ImportedNotice)
    case block(ImportedBlock)
    case patronLink(ImportedPatronLink)
    case guardians(ImportedGuardians)
    case reader(ImportedReaderRecord)
    case ledgerEntry(ImportedLedgerEntry)
    case storedNotice(ImportedStoredNotice)
    case inHouseUse(ImportedInHouseUse)
    case policyActivation(ImportedActivation)
    case market(ImportedMarket)
    case course(ImportedCourse)
    /// The head of an export of everything: the settings that follow are those of the library, and no others.
    case wholeLibrary
}

/// A title, which of its fields the file speaks of, and copies to be there.
package struct ImportedTitle: Hashable, Sendable {
    package var title: Title
    /// Copies that the file lists by number; they get generated barcodes if the title is new.
    package var copies: Int = 0
    /// How many of these are out, as far as the file tells without saying with whom.
    package var given: Int = 0
    package var branch: String?
    package var itemType: String?
    package var location: String?
    package var callNumber: String?
    /// Copies that the file lists by barcode.
    package var barcodes: [ImportedCopy] = []
    /// Courses and genres are added to those that the title has, instead of replacing them.
    package var mergesLists: Bool = false
    /// The MARC record that it comes from.
    package var marc: MARCRecord?
    /// A cover that the file has.
    package var cover: WrittenPicture?
}

/// A copy with its barcode.
package struct ImportedCopy: Hashable, Sendable {
    package var barcode: String
    /// The id that it had in the store that it comes from; 0 if the file has none.
    package var id: Int64 = 0
    /// nil where the copy stands inside its title.
    package var isbn: ISBN?
    /// What the record says of its title, to be added where the catalogue has none like it.
    package var title: Title?
    package var branch: String?
    package var itemType: String?
    package var status: CopyStatus?
    /// The text of the price; its currency is the library's.
    package var replacementPrice: String?
    package var location: String?
    package var callNumber: String?
    package var acquiredOn: CivilDate?
    package var extra: JSONObject = [:]

    package init(
        barcode: String, isbn: ISBN? = nil, branch: String? = nil, itemType: String? = nil, status: CopyStatus? = nil,
        replacementPrice: String? = nil
    ) {
        self.barcode = barcode
        self.isbn = isbn
        self.branch = branch
        self.itemType = itemType
        self.status = status
        self.replacementPrice = replacementPrice
    }
}

/// A course, or that a course uses a title.
package struct ImportedCourse: Hashable, Sendable {
    package var code: String
    package var name: String?
    /// nil: all titles that it uses.
    package var isbn: ISBN?
}

/// A loan of the past, or one that another system still has open.
package struct ImportedLoan: Hashable, Sendable {
    /// The title, by ISBN or whole.
    package enum Work: Hashable, Sendable {
        case isbn(ISBN)
        case title(Title)
        /// All that is known of it: what the catalogue has already it keeps, and learns what it does not say.
        case whole(Title)
    }

    package var work: Work?
    package var barcode: String?
    package var username: String?
    /// A username, or a name that one patron has.
    package var borrower: String?
    package var category: String?
    package var branch: String?
    package var itemType: String?
    package var lentOn: CivilDate
    package var dueOn: CivilDate?
    package var returnedOn: CivilDate?
    package var renewals: Int64 = 0
    /// Exact instants, where the file has them; they win over the dates.
    package var lentAt: Instant?
    package var returnedAt: Instant?
    /// When its copy was declared lost, and when it was claimed to be returned.
    package var lostAt: Instant?
    package var claimedAt: Instant?
    /// The bytes that identify the row; with the ordinal among identical rows of a file they make its key.
    package var content: String
    /// The key itself, where the file carries one.
    package var key: String?
    /// What only exports tell, with the id that it had.
    package var details: Loan?
    /// When it was renewed, as far as the file says.
    package var renewed: [Instant] = []
    /// Whether it comes from a BitBooks server, which counts the copies that are out, and keeps a message for each loan that it
    /// found late.
    package var isOfBitBooks = false
}

/// A message that another system sent.
package struct ImportedNotice: Hashable, Sendable {
    /// How the key begins under which the message is kept; the ISBN stands at its end.
    static let keyPrefix = "import:notice:"

    /// The key of the message to a patron about a title.
    static func key(_ patron: Int64, _ isbn: ISBN) -> String { "\(keyPrefix)\(patron):\(isbn.digits13)" }

    package var username: String
    package var isbn: ISBN
    package var message: String
    package var isRead: Bool
}

/// What a settings file says of the library as a whole; absent members stay as they are.
package struct LibraryDescription: Hashable, Sendable {
    package var name: String?
    package var zone: Zone?
    package var currency: Currency?
    package var reservedNames: [String]?
    package var hasRatings: Bool?
    package var gatheredKinds: Set<GatheredKind>?
}
