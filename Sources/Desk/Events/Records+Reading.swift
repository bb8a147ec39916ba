import Circulation
import TextFormats

// The counterparts of `Records+Writing.swift`: what is personal comes back blank.

extension EventPayload {
    func library() throws -> LibrarySettings {
        LibrarySettings(name: try text("name"), zone: try zone(), currency: try currency())
    }

    func branch() throws -> Branch {
        guard let calendar = object["calendar"] else { throw DeskError.event("The payload's calendar is missing.") }
        return Branch(
            code: try text("code"), name: try text("name"), parent: try optionalText("parent"),
            zone: try optionalText("zone").map { _ in try zone() }, calendar: try OpeningCalendar(json: calendar))
    }

    func category() throws -> Category {
        Category(code: try text("code"), name: try text("name"), parent: try optionalText("parent"))
    }

    func itemType() throws -> ItemType {
        ItemType(code: try text("code"), name: try text("name"), parent: try optionalText("parent"))
    }

    func title() throws -> Title {
        Title(
            id: try integer("id"), isbn: try optionalText("isbn").map { try ISBN($0) }, title: try text("title"),
            authors: try texts("authors"), publisher: try optionalText("publisher"), year: try optionalInteger("year"),
            language: try optionalText("language"), genres: try texts("genres"), subjects: try texts("subjects"),
            courses: try inners("courses").map {
                Course(code: try $0.text("code"), name: try $0.optionalText("name"))
            },
            college: try optionalText("college"), edition: try optionalText("edition"),
            description: try optionalText("description"), coverURL: try optionalText("cover_url"),
            previewURL: try optionalText("preview_url"), stars: try optionalInteger("stars"),
            recommended: try flag("recommended"), extra: try members("extra"))
    }

    func copy() throws -> Copy {
        Copy(
            id: try integer("id"), barcode: try text("barcode"), title: try integer("title"),
            branch: try text("branch"), itemType: try text("item_type"),
            status: try choice("status", CopyStatus.self), replacementPrice: try optionalMoney("replacement_price"))
    }

    func patron() throws -> Patron {
        let id = try integer("id")
        return Patron(
            id: id, username: Patron.blankUsername(id), category: try text("category"),
            homeBranch: try text("home_branch"), language: try optionalText("language"),
            expiresOn: try optionalDate("expires_on"), role: try choice("role", Patron.Role.self))
    }

    func block() throws -> PatronBlock {
        PatronBlock(
            id: try integer("id"), patron: try integer("patron"), kind: try text("kind"),
            actions: Set(try texts("actions").compactMap(BlockFacts.Action.init(word:))),
            createdAt: try instant("created_at"), ends: try optionalDate("ends"),
            liftedAt: try optionalInstant("lifted_at"))
    }

    func loan() throws -> Loan {
        let due = try due()
        return Loan(
            id: try integer("id"), copy: try optionalInteger("copy"), title: try optionalInteger("title"),
            patron: try optionalInteger("patron"), category: try optionalText("category"),
            homeBranch: try optionalText("home_branch"), itemType: try optionalText("item_type"),
            branch: try optionalText("branch"), lentAt: try instant("lent_at"), due: due,
            originalDueAt: try optionalInstant("original_due_at") ?? due?.instant,
            returnedAt: try optionalInstant("returned_at"), renewals: try optionalInteger("renewals") ?? 0,
            unseenRenewals: try optionalInteger("unseen_renewals") ?? 0, renewedAt: try optionalInstant("renewed_at"),
            recalledAt: try optionalInstant("recalled_at"), lostAt: try optionalInstant("lost_at"),
            claimedAt: try optionalInstant("claimed_at"), onSite: try flag("on_site"),
            channel: try optionalChoice("channel", ActorFacts.Channel.self), policy: try optionalText("policy"),
            importKey: try optionalText("import_key"))
    }

    func notice() throws -> Notice {
        Notice(
            id: try integer("id"), kind: try text("kind"), subjectKey: try text("subject_key"),
            patron: try integer("patron"), loan: try optionalInteger("loan"), dueAt: try optionalInstant("due_at"),
            stage: try text("stage"), repetition: try optionalInteger("repetition") ?? 0,
            channel: try text("channel"), subject: "", body: "", state: try choice("state", Notice.State.self),
            createdAt: try instant("created_at"), sentAt: try optionalInstant("sent_at"),
            readAt: try optionalInstant("read_at"), tries: try optionalInteger("tries") ?? 0,
            carriedBy: try optionalInteger("carried_by"), failure: try optionalText("failure"))
    }

    func ledgerEntry() throws -> LedgerEntry {
        LedgerEntry(
            id: try integer("id"), key: try text("key"), patron: try integer("patron"),
            loan: try optionalInteger("loan"), kind: try choice("kind", LedgerEntry.Kind.self),
            amount: try money("amount"), label: try text("label"), at: try instant("at"))
    }

    func activation() throws -> PolicyActivation {
        PolicyActivation(
            id: try integer("id"), policy: try text("policy"), name: try text("name"),
            effectiveFrom: try instant("effective_from"), activatedAt: try instant("activated_at"),
            actor: try text("actor"), note: try text("note"), isRetroactive: try flag("retroactive"),
            withdrawnAt: try optionalInstant("withdrawn_at"))
    }

    private func zone() throws -> Zone {
        let identifier = try text("zone")
        guard let zone = Zone(identifier: identifier) else {
            throw DeskError.event("The zone \(identifier) is not known.")
        }
        return zone
    }

    private func currency() throws -> Currency {
        let code = try text("currency")
        guard let currency = Currency(code: code) else { throw DeskError.event("The currency \(code) is not known.") }
        return currency
    }
}

extension Patron {
    /// The username that stands where none may be kept: unique, and no patron's.
    static func blankUsername(_ id: Int64) -> String { "patron-\(id)" }
}
