import Circulation
import Storage
import TextFormats

/// What of a file's records an earlier one has said already.
struct Repetition {
    /// `line 17`, or `record 17` of a file whose records have no lines.
    let place: String
    /// Whether both say the same, to the letter.
    let saysTheSame: Bool
}

/// By what a file names a record, so that two rows that are one record are found.
struct RecordIdentity {
    /// What the key stands in, for the report.
    let field: String
    /// `the patron 'ada'`.
    let words: String
    let key: String
    /// Whether a later record of the key changes what is there; if not, it would be passed over.
    var isUpdated = true
    /// What of the record has to be the same in all; nil: all of it.
    var said: AnyHashable?
}

extension ImportRun {
    /// Notes that the record in hand has a key, and gives the earlier record of the file with the same one.
    ///
    /// The keys are kept by the counter, on disk once they are many. What a refused record had is forgotten with it.
    func meet(_ key: String, says said: some Hashable) throws -> Repetition? {
        serial += 1
        var hasher = Hasher()
        hasher.combine(said)
        let place = RowCounter.Place(serial: serial, line: Int64(line), said: Int64(hasher.finalize()))
        let first = try tally.firstPlace(place, of: key)
        if first.serial == serial {
            keysOfRecord.append(key)
            return nil
        }
        return Repetition(place: "\(unit) \(first.line)", saysTheSame: first.said == place.said)
    }

    /// Forgets the keys of the record in hand, which is refused.
    func forgetKeys() throws {
        for key in keysOfRecord { try tally.forget(key) }
        keysOfRecord = []
    }

    /// Refuses a record that an earlier one of the file contradicts, and says so where it says nothing new.
    ///
    /// - Parameter isAlone: whether it is more than a part of another record.
    func judge(
        _ repetition: Repetition, of identity: RecordIdentity, _ change: ImportChange, isAlone: Bool = true
    ) throws(RefusedRecord) {
        let saysNothingNew = repetition.saysTheSame || identity.isUpdated && change == .unchanged
        if saysNothingNew {
            // Of a code that only its parent follows there is nothing to remark.
            guard isAlone, self.isAlone, identity.said == nil else { return }
            warn(identity.field, "repeated", "\(identity.words) stands in \(repetition.place) already, no otherwise")
            return
        }
        if identity.isUpdated && repeated == .update { return }
        let advice = identity.isUpdated ? ": with --repeated update the later row changes the earlier one" : ""
        throw RefusedRecord(
            field: identity.field, code: "repeated",
            message: "\(identity.words) stands in \(repetition.place) already, otherwise than here\(advice)")
    }
}

// MARK: - Loans without a key

extension ImportRun {
    /// Reports that another row lent the same copy to the same patron at the same moment: rows of loans without a key are as
    /// many loans, which statistics need, but one copy is seldom lent twice a day.
    func lent(_ imported: ImportedLoan) throws {
        guard imported.key == nil, let barcode = imported.barcode,
            let who = imported.username ?? imported.borrower
        else { return }
        let moment = imported.lentAt?.description ?? imported.lentOn.description
        let key = ["lent", barcode, who, moment].joined(separator: "\u{1F}")
        guard let repetition = try meet(key, says: imported) else { return }
        warn(
            "barcode", "repeated",
            "the copy '\(barcode)' is lent to '\(who)' on \(moment) in \(repetition.place) already: both are taken as loans"
        )
    }
}

// MARK: - Titles

// Those of one ISBN come in several rows of many files, with copies that are not to be lost: they change what is there, which
// is said.
extension ImportRun {
    /// Reports what a further record of a title has changed, unless that is said already, or that it says nothing new.
    func again(_ repetition: Repetition, _ given: ImportedTitle, present: Title, now: Title) {
        guard !given.mergesLists, !hasWarned(of: "likely_duplicate") else { return }
        let name = "the title '\(now.title)'"
        let fields = now.fieldsOtherwise(than: present)
        if !fields.isEmpty {
            if repeated == .update { return }
            warn(
                fields.first, "repeated",
                "\(name) stands in \(repetition.place) already, otherwise than here: \(fields.joined(separator: ", ")) as in the later row"
            )
        } else if isAlone, given.copies == 0, given.barcodes.isEmpty, given.marc == nil {
            warn("title", "repeated", "\(name) stands in \(repetition.place) already, no otherwise")
        }
    }

    /// Reports that two rows count the copies of a title.
    func counted(_ title: Title, in repetition: Repetition) {
        warn(
            "copies", "repeated",
            "copies of '\(title.title)' are counted in \(repetition.place) already: the numbers are not added up, the larger one holds"
        )
    }
}

extension Title {
    /// The members that say something else.
    fileprivate func fieldsOtherwise(than other: Title) -> [String] {
        Self.declaration.fields.filter { $0.value(self) != $0.value(other) }.map(\.name)
    }
}

extension ImportedRecord {
    /// By what the file names the record; none for titles and copies, which are looked at where they are found, and for what
    /// has no key of its own or adds to a record beside it.
    var identities: [RecordIdentity] {
        switch self {
        case .branch(let branch): RecordIdentity.code("branch", branch)
        case .category(let category): RecordIdentity.code("category", category)
        case .itemType(let itemType): RecordIdentity.code("item type", itemType)
        case .location(let location): [.of("code", "location", location.code)]
        default: [identity].compactMap(\.self)
        }
    }

    private var identity: RecordIdentity? {
        switch self {
        case .title, .copy, .library, .guardians, .inHouseUse, .policyActivation, .wholeLibrary, .branch, .category,
            .itemType, .location:
            nil
        case .patron(let patron, let says):
            // A patron who only has to be there changes nothing.
            says.isEmpty ? nil : .of("username", "patron", patron.username)
        case .loan(let loan): loan.key.map { .of("key", "loan", $0, isUpdated: false) }
        case .hold(let imported): imported.hold.importKey.map { .of("key", "hold", $0, isUpdated: false) }
        case .notice(let notice):
            .of("isbn", "notice", notice.username, notice.isbn.digits13, isUpdated: false)
        case .block(let imported):
            .of(
                "blocks", "block", imported.username, imported.block.kind,
                String(imported.block.createdAt.microseconds),
                imported.block.actions.map(\.rawValue).sorted().joined(separator: ","), imported.block.reason)
        case .patronLink(let imported):
            .of("other", "link", imported.username, imported.other, imported.link.kind.rawValue, isUpdated: false)
        case .ledgerEntry(let imported): .of("key", "account line", imported.entry.key, isUpdated: false)
        case .storedNotice(let imported): imported.identity
        case .course(let course): .of("code", "course", course.code, course.isbn?.digits13 ?? "")
        case .reader(let record): record.identity
        case .market(let record): record.identity
        }
    }
}

extension RecordIdentity {
    /// A code, and what it is a kind of: a file that names it before its parent says the parent in a record of its own.
    fileprivate static func code<Entry: NestedCode & Hashable>(_ kind: String, _ entry: Entry) -> [RecordIdentity] {
        var described = entry
        described.parent = nil
        var identities = [RecordIdentity.of("code", kind, entry.code)]
        identities[0].said = described
        if let parent = entry.parent {
            var above = RecordIdentity.of("parent", "parent of the \(kind)", entry.code)
            above.said = parent
            identities.append(above)
        }
        return identities
    }

    /// - Parameter parts: what the key is made of.
    fileprivate static func of(
        _ field: String, _ kind: String, _ parts: String..., isUpdated: Bool = true
    ) -> RecordIdentity {
        let shown = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        return RecordIdentity(
            field: field, words: "the \(kind) '\(shown)'", key: ([kind] + parts).joined(separator: "\u{1F}"),
            isUpdated: isUpdated)
    }
}

extension ImportedStoredNotice {
    fileprivate var identity: RecordIdentity {
        .of(
            "subject_key", "notice", notice.subjectKey, notice.kind,
            notice.dueAt.map { String($0.microseconds) } ?? "", notice.stage, String(notice.repetition),
            isUpdated: false)
    }
}

extension ImportedReaderRecord {
    fileprivate var identity: RecordIdentity {
        switch self {
        case .rating(_, let names): .of("username", "rating", names.username ?? "", names.workWords)
        case .list(let list, let username): .of("name", "list", username, list.name)
        case .listedTitle(_, let names, let list):
            .of("list", "title of a list", names.username ?? "", list, names.workWords, isUpdated: false)
        }
    }
}

extension ImportedMarket {
    fileprivate var identity: RecordIdentity? {
        switch self {
        case .listing(let listing, _, _): listing.importKey.map { .of("key", "listing", $0, isUpdated: false) }
        case .order(let order, _, _): order.importKey.map { .of("key", "order", $0, isUpdated: false) }
        case .rental(let rental, _): rental.importKey.map { .of("key", "rental", $0, isUpdated: false) }
        case .suggestion(let suggestion, _):
            suggestion.importKey.map { .of("key", "suggestion", $0, isUpdated: false) }
        case .conversation(let conversation, _):
            conversation.importKey.map { .of("key", "conversation", $0, isUpdated: false) }
        case .message(let message, _, let conversation):
            .of("number", "message", conversation, String(message.number), isUpdated: false)
        case .cartLine(let line, let names):
            .of(
                "username", "line of a cart", names.username ?? "", line.kind.rawValue,
                names.listing ?? names.workWords,
                line.ends.map { "\($0)" } ?? "", isUpdated: false)
        case .favourite(_, let names):
            .of("username", "favourite", names.username ?? "", names.listing ?? names.workWords, isUpdated: false)
        case .blockedWriter(_, let names):
            .of("writer", "blocked writer", names.username ?? "", names.owner ?? "", isUpdated: false)
        }
    }
}

extension ImportedNames {
    fileprivate var workWords: String {
        switch work {
        case nil: ""
        case .isbn(let isbn): isbn.digits13
        case .title(let title), .whole(let title):
            // Titles of an export that say the same are told apart by their ids.
            title.isbn?.digits13
                ?? ([title.title] + title.authors
                + [title.year, title.id == 0 ? nil : title.id].compactMap(\.self).map(String.init))
                .joined(separator: ", ")
        }
    }
}
