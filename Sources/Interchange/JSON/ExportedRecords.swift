import Circulation
import Desk
import Market

/// The members of each record in exports, as far as they are not those of its declaration.
enum ExportedRecords {
    /// The cover is there as a file.
    static let title = RecordMembers<Title>(without: ["cover"])

    /// A copy on loan says so by its loan.
    static let copy = RecordMembers<Copy>(
        without: ["title"],
        leavingOut: ["status": [.text(CopyStatus.available.rawValue), .text(CopyStatus.onLoan.rawValue)]])

    static let patron = RecordMembers<Patron>(
        leavingOut: ["username": [], "role": [.text(Patron.Role.patron.rawValue)]])

    /// Stands inside its patron.
    static let block = RecordMembers<PatronBlock>(
        without: ["id", "patron"],
        leavingOut: ["reason": [.text("")], "actions": [.actions(Set(BlockFacts.Action.allCases))]])

    static let patronLink = RecordMembers<PatronLink>(called: ["patron": "username"])

    static let rating = RecordMembers<Rating>(
        called: ["patron": "username"], leavingOut: ["review": [.text("")], "state": [.text("shown")]])
    static let titleList = RecordMembers<TitleList>(called: ["patron": "username"])
    /// Its list is named by the patron and its name.
    static let listedTitle = RecordMembers<ListedTitle>(without: ["list"])

    static let loan = RecordMembers<Loan>(
        first: [
            "id", "import_key", "title", "copy", "patron", "category", "home_branch", "branch", "item_type", "lent_at",
            "due", "original_due_at", "returned_at", "renewals", "lost_at", "claimed_at", "unseen_renewals",
        ],
        called: ["import_key": "key", "copy": "barcode", "patron": "username"]
    ) { $0.exportKey }

    static let hold = RecordMembers<Hold>(
        first: ["id", "import_key", "title", "patron", "copy", "held_copy", "pickup_branch", "state"],
        called: ["import_key": "key", "copy": "barcode", "held_copy": "held_barcode", "patron": "username"]
    ) { $0.exportKey }

    static let inHouseUse = RecordMembers<InHouseUse>(called: ["copy": "barcode"])
    static let ledgerEntry = RecordMembers<LedgerEntry>(called: ["patron": "username"])
    static let notice = RecordMembers<Notice>(called: ["patron": "username"])
    static let activation = RecordMembers<PolicyActivation>()

    /// Its pictures are there as files.
    static let listing = RecordMembers<Listing>(
        first: ["id", "import_key"], called: ["import_key": "key"], without: ["pictures"],
        leavingOut: ["note": [.text("")], "updated_at": []]
    ) { $0.exportKey }

    static let order = RecordMembers<Order>(
        first: ["id", "import_key"], called: ["import_key": "key", "buyer": "username"]
    ) { $0.exportKey }

    static let orderItem = RecordMembers<Order.Item>(leavingOut: ["periods": []])

    static let rental = RecordMembers<Rental>(first: ["id", "import_key"], called: ["import_key": "key"]) {
        $0.exportKey
    }

    static let cartLine = RecordMembers<CartLine>(called: ["patron": "username"])
    static let favourite = RecordMembers<Favourite>(called: ["patron": "username"])

    /// How many messages it has and when the last came follows from these.
    static let conversation = RecordMembers<Conversation>(
        first: ["id", "import_key"], called: ["import_key": "key"], without: ["messages", "last_at"]
    ) { $0.exportKey }

    static let message = RecordMembers<Message>()
    static let blockedWriter = RecordMembers<BlockedWriter>()

    static let suggestion = RecordMembers<Suggestion>(
        first: ["id", "import_key"], called: ["import_key": "key", "patron": "username"],
        leavingOut: ["note": [.text("")]]
    ) { $0.exportKey }
}
