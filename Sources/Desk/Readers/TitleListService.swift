package import Circulation
import Secrets
import Storage
import TextFormats

/// The lists of titles that patrons make. A private one exists for its owner alone, one that is shared for those who have the link as well,
/// a public one for everyone.
package struct TitleListService {
    let session: DeskSession

    var lists: TitleListRepository { session.transaction.titleLists }
    private var titles: ListedTitleRepository { session.transaction.listedTitles }

    // MARK: - Reading

    /// A patron's lists in the order in which they were made; none for an unknown patron.
    package func list(of key: PatronKey) throws -> [TitleList] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try lists.of(patron: patron.id, limit: TitleList.most.lists * 2)
    }

    /// Those of a patron's lists that hold a title, in the order in which they were made.
    package func holding(_ title: Int64, of patron: Int64) throws -> [TitleList] {
        try lists.holding(title, of: patron, limit: TitleList.most.lists * 2)
    }

    /// Among how many of the latest public lists words are looked for.
    package static let mostSearched: Int64 = 10_000

    /// The lists that everyone may see, the latest first.
    ///
    /// - Parameters:
    ///   - words: only those in whose names this stands, in large or small letters; empty: all.
    ///   - most: of how many of the latest these are looked for: anybody may ask, and no index answers it.
    package func ofAll(
        named words: String = "", among most: Int64 = Self.mostSearched, _ part: ListPart = ListPart(limit: 50)
    ) throws -> [TitleList] {
        let words = words.withoutOuterBlanks
        guard !words.isEmpty else { return try lists.ofAll(part) }
        // As in a search, and whatever alphabet its letters are taken from.
        let (plain, alike) = (TextFolding.folded(words), Username.folded(words))
        var (found, last, left, unseen): ([TitleList], Int64, Int64, Int64) = ([], .max, part.offset, most)
        while Int64(found.count) < part.limit, unseen > 0 {
            let page = try lists.ofAll(before: last, limit: min(500, unseen))
            unseen -= Int64(page.count)
            for list in page
            where TextFolding.folded(list.name).contains(plain) || Username.folded(list.name).contains(alike) {
                if left > 0 { left -= 1 } else if Int64(found.count) < part.limit { found.append(list) }
            }
            guard let end = page.last else { break }
            last = end.id
        }
        return found
    }

    /// A list, also another patron's private one.
    package func get(_ id: Int64) throws -> TitleList? { try lists.get(id) }

    /// The titles of a list in the order in which they were added.
    package func titles(of id: Int64, _ part: ListPart = ListPart(limit: 50)) throws -> [ListedTitle] {
        try titles.of(list: id, part)
    }

    /// How many titles a list has.
    package func count(_ id: Int64) throws -> Int64 { try titles.count(list: id) }

    // MARK: - Writing

    /// Makes a list without titles.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `exists` (the patron has one of that name), `full`.
    package func make(
        _ name: String, isPublic: Bool = false, visibility: TitleList.Visibility? = nil, for key: PatronKey
    ) throws -> Outcome<TitleList> {
        let name = try Self.checked(name)
        let trail = RequestTrail("lists.make")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            let present = try lists.of(patron: patron.id, limit: TitleList.most.lists)
            guard present.count < TitleList.most.lists else {
                throw Refused("full", "The limit of \(TitleList.most.lists) lists has been reached. Delete one first.")
            }
            try checkName(name, among: present)
            var list = TitleList(patron: patron.id, name: name, createdAt: session.now)
            Self.show(&list, to: visibility ?? (isPublic ? .public : .private))
            return try add(list, at: session.now)
        }
    }

    /// Adds a list within a request.
    func add(_ list: TitleList, at moment: Instant) throws -> TitleList {
        guard let added = try session.record(.listAdded, list, at: moment)?.content else {
            throw DeskError.input(nil, "The list could not be saved.")
        }
        return added
    }

    /// Says who may see a list. Once it is no longer shared by its link, that link leads nowhere for ever.
    ///
    /// - Parameter isRenewed: a link that is there is replaced as well.
    static func show(_ list: inout TitleList, to visibility: TitleList.Visibility, isRenewed: Bool = false) {
        list.isPublic = visibility == .public
        switch visibility {
        case .private, .public: list.linkKey = nil
        case .link:
            guard isRenewed || list.linkKey == nil else { return }
            list.linkKey = String(SecretToken(kind: "list").digest.prefix(TitleList.lengthOfKey))
        }
    }

    /// Changes what is given of a list.
    ///
    /// - Parameters:
    ///   - isPublic: as `visibility`, for those who know two of its words; `false` leaves a list that is shared by a link as it is.
    ///   - newLink: a link in the place of the one that there is; a private list gets one.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_list` (others' too), `exists`.
    package func change(
        _ id: Int64, name: String? = nil, isPublic: Bool? = nil, visibility: TitleList.Visibility? = nil,
        newLink: Bool = false, of key: PatronKey
    ) throws -> Outcome<TitleList> {
        let name = try name.map(Self.checked)
        return try changing("lists.change", id, of: key) { list in
            var changed = list
            changed.name = name ?? list.name
            var wanted = visibility ?? isPublic.map { $0 ? .public : list.isPublic ? .private : list.visibility }
            if newLink, wanted == nil { wanted = .link }
            guard list.takenDownAt == nil || wanted ?? .private == .private else {
                throw Refused("taken_down", "Staff have taken this list down; it cannot be shared.")
            }
            if let wanted { Self.show(&changed, to: wanted, isRenewed: newLink) }
            guard changed != list else { return list }
            if changed.name != list.name {
                let others = try lists.of(patron: list.patron, limit: TitleList.most.lists * 2)
                try checkName(changed.name, among: others.filter { $0.id != list.id })
            }
            try session.record(.listChanged, changed)
            return changed
        }
    }

    /// Removes a list with its titles. Refused with `unknown_patron`, `not_owner`, `unknown_list`.
    package func remove(_ id: Int64, of key: PatronKey) throws -> Outcome<TitleList> {
        try changing("lists.remove", id, of: key) { list in
            try session.record(.listRemoved, ListRemoval(id: list.id, patron: list.patron))
            return list
        }
    }

    /// Adds a title behind the others of a list; one that is there stays where it is.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_list`, `unknown_title`, `full`.
    package func add(_ title: TitleKey, to id: Int64, of key: PatronKey) throws -> Outcome<ListedTitle> {
        try changing("lists.add_title", id, of: key) { list in
            let title = try session.catalogue.known(title).id
            if let present = try titles.find(list: id, title: title) { return present }
            try checkRoom(in: list)
            return try add(ListedTitle(list: id, title: title, addedAt: session.now), at: session.now)
        }
    }

    /// Adds a title within a request.
    func add(_ listed: ListedTitle, at moment: Instant) throws -> ListedTitle {
        guard let added = try session.record(.titleListed, listed, at: moment)?.content else {
            throw DeskError.input(nil, "The title could not be added to the list.")
        }
        return added
    }

    /// - Throws: ``Refused`` with `full`.
    func checkRoom(in list: TitleList) throws {
        guard try titles.count(list: list.id) < TitleList.most.titles else {
            throw Refused("full", "A list can hold at most \(TitleList.most.titles) titles.")
        }
    }

    /// Takes a title off a list.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_list`, `unknown_title`, `not_listed`.
    package func remove(_ title: TitleKey, from id: Int64, of key: PatronKey) throws -> Outcome<ListedTitle> {
        try changing("lists.remove_title", id, of: key) { list in
            let title = try session.catalogue.known(title).id
            guard let listed = try titles.find(list: id, title: title) else {
                throw Refused("not_listed", "That title is not on the list.")
            }
            try session.record(.titleUnlisted, listed)
            return listed
        }
    }

    // MARK: - Checks

    private func changing<Value>(
        _ name: String, _ id: Int64, of key: PatronKey, _ body: (TitleList) throws -> Value
    ) throws -> Outcome<Value> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            guard let list = try lists.get(id), list.patron == patron.id else {
                throw Self.unknown(id)
            }
            return try body(list)
        }
    }

    static func unknown(_ id: Int64) -> Refused { Refused("unknown_list", "There is no list \(id).") }

    private func checkName(_ name: String, among others: [TitleList]) throws {
        guard !others.contains(where: { $0.isCalled(name) }) else {
            throw Refused(
                Refusal(
                    code: "exists",
                    message: "There is already a list with that name. Please choose another "
                        + "one.", figures: ["field": "name"]))
        }
    }

    /// - Returns: the name without blanks at its ends.
    static func checked(_ name: String) throws -> String {
        let name = name.withoutOuterBlanks
        guard 1...TitleList.longestName ~= name.count, name.utf8.count <= 4 * TitleList.longestName,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw DeskError.input(
                "name", "A list's name must be a single line of 1 to \(TitleList.longestName) characters.")
        }
        return name
    }
}

extension TitleList {
    /// Whether a reader would take its name for another.
    func isCalled(_ other: String) -> Bool { Username.folded(name) == Username.folded(other) }
}
