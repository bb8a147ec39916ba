import Circulation
import Desk
import MARC
import TextFormats

/// Puts titles and copies into the catalogue: new ones are added, known ones take over what the file says differently.
struct TitleApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ imported: ImportedTitle) throws -> ImportChange {
        try requireOwn(id: imported.title)
        let (title, first, repetition) = try put(imported, isOwnRecord: true)
        var change = first
        if let marc = imported.marc, try keep(marc, of: title, first), change == .unchanged { change = .updated }
        if let cover = imported.cover, title.cover != cover.name {
            try session.catalogue.keep(cover: cover, of: title)
            if change == .unchanged { change = .updated }
        }
        if imported.copies > 0 {
            if let repetition { run.counted(title, in: repetition) }
            change = try topUp(title, to: imported, change)
        }
        for copy in imported.barcodes {
            let outcome = try put(copy, of: title)
            if outcome != .unchanged && change == .unchanged { change = .updated }
        }
        if imported.given > 0 {
            run.given.append(GivenCopies(line: run.line, title: title.id, count: imported.given))
        }
        return change
    }

    /// Keeps the record that the title comes from, and warns where that takes the place of another one's.
    ///
    /// - Returns: whether it is another one than before.
    private func keep(_ marc: MARCRecord, of title: Title, _ change: ImportChange) throws -> Bool {
        if change != .added, let json = try session.catalogue.marc(of: title.id),
            let before = try? MARCRecord(json: json), before.controlNumber != marc.controlNumber
        {
            run.warn(
                "marc", "other_record",
                "the title has a record already, control number \(before.controlNumber ?? "none"); this one takes its place"
            )
        }
        return try session.catalogue.keep(marc: marc.json, of: title.id)
    }

    func apply(_ copy: ImportedCopy) throws -> ImportChange {
        if let isbn = copy.isbn {
            if let title = try session.catalogue.get(.isbn(isbn)) { return try put(copy, of: title, isAlone: true) }
            guard let title = copy.title else { throw TitleApplier.unknown(isbn) }
            return try put(copy, of: put(ImportedTitle(title: title)).title, isAlone: true)
        }
        guard let title = copy.title else {
            throw RefusedRecord(field: "title", code: "unknown_title", message: "the record names no title")
        }
        return try put(copy, of: put(ImportedTitle(title: title)).title, isAlone: true)
    }

    /// Two titles of a file with one id cannot be told apart by what refers to them.
    private func requireOwn(id title: Title) throws {
        guard title.id != 0, let repetition = try run.meet("title's id\u{1F}\(title.id)", says: title),
            !repetition.saysTheSame
        else { return }
        throw RefusedRecord(
            field: "id", code: "repeated",
            message:
                "the title with the id \(title.id) stands in \(repetition.place) already, otherwise than here: one of the two is wrong"
        )
    }

    static func unknown(_ isbn: ISBN) -> RefusedRecord {
        RefusedRecord(
            field: "isbn", code: "unknown_title", message: "the catalogue has no title with the ISBN \(isbn.digits13)")
    }

    /// Adds the title, or updates what is there.
    ///
    /// - Parameter isOwnRecord: whether the file has it as a title, instead of naming it with a copy or a loan.
    func put(
        _ given: ImportedTitle, isOwnRecord: Bool = false
    ) throws -> (title: Title, change: ImportChange, repetition: Repetition?) {
        var (imported, waiting) = (given, [WaitingReference]())
        (imported.title.extra, waiting) = try run.settled(given.title.extra, .title, in: session)
        let present = try known(imported.title)
        let wanted = present.map { TitleApplier.merged(imported, into: $0) } ?? imported.title
        let isNew = present == nil && imported.title.id != 0
        let result = try session.imports.title(wanted, existing: present?.id, isNew: isNew).change(field: "isbn")
        if imported.title.isbn == nil { run.note(.title, imported.title.id, isNow: result.record.id) }
        run.wait(waiting, of: result.record.id)
        // An export knows which of its titles are which.
        let isCompared = isOwnRecord && run.looksForDuplicates && (imported.title.id == 0 || run.joinsLibrary)
        let repetition = isOwnRecord ? try run.meet("title\u{1F}\(result.record.id)", says: imported.title) : nil
        if let repetition, let present {
            if isCompared { try run.known(present, again: imported) }
            run.again(repetition, imported, present: present, now: result.record)
        } else if isCompared, let present {
            try run.known(present, again: imported)
        } else if isCompared, result.change == .added {
            try run.added(result.record, in: session)
        }
        return (result.record, result.change, repetition)
    }

    /// The title that a record means. One without an ISBN that says the same as another of the same export is a title of
    /// its own.
    private func known(_ title: Title) throws -> Title? {
        guard title.isbn == nil, title.id != 0 else { return try session.imports.known(title) }
        let stored = run.stored(.title, title.id)
        if let same = try session.imports.alike(title, id: stored) {
            if !run.isClaimed(title: stored) || run.isClaimed(title: stored, under: title.id) { return same }
        }
        // Those that the file stands for already are not looked at for each further one.
        let identity = ImportRun.Identity(title)
        let free = try session.imports.alike(title, after: run.claimedThrough(identity)) { alike in
            if run.isClaimed(title: alike.id) { run.claim(identity, through: alike.id) }
            return !run.isClaimed(title: alike.id)
        }
        return free
    }

    /// The id of the title that a record of a loan, a hold or a use names; one that is not there by its words is added.
    func id(of work: ImportedLoan.Work?) throws -> Int64? {
        switch work {
        case nil: return nil
        case .isbn(let isbn):
            guard let title = try session.catalogue.get(.isbn(isbn)) else { throw TitleApplier.unknown(isbn) }
            return title.id
        case .whole(let title):
            guard let present = try session.imports.known(title) else {
                return try put(ImportedTitle(title: title)).title.id
            }
            return try session.imports.title(Self.taught(title, to: present), existing: present.id)
                .change(field: "title").record.id
        case .title(let title):
            if title.id != 0 {
                let stored = run.stored(.title, title.id)
                if try session.imports.alike(title, id: stored) != nil { return stored }
            }
            var named = title
            named.id = 0
            return try put(ImportedTitle(title: named)).title.id
        }
    }

    /// What the file says wins where it says something; what it is silent on stays.
    static func merged(_ imported: ImportedTitle, into present: Title) -> Title {
        let new = imported.title
        var title = present
        if !imported.mergesLists {
            title.title = new.title
            if !new.authors.isEmpty { title.authors = new.authors }
        }
        title.isbn = new.isbn ?? title.isbn
        title.publisher = new.publisher ?? title.publisher
        title.year = new.year ?? title.year
        title.language = new.language ?? title.language
        title.college = imported.mergesLists ? title.college ?? new.college : new.college ?? title.college
        title.edition = new.edition ?? title.edition
        if let series = new.series { (title.series, title.seriesNumber) = (series, new.seriesNumber) }
        title.description = new.description ?? title.description
        title.coverURL = new.coverURL ?? title.coverURL
        title.previewURL = new.previewURL ?? title.previewURL
        title.stars = new.stars ?? title.stars
        title.recommended = new.recommended || title.recommended
        title.genres = union(title.genres, new.genres, merging: imported.mergesLists)
        title.subjects = union(title.subjects, new.subjects, merging: imported.mergesLists)
        let courses = new.courses.map { course in
            course.name == nil ? title.courses.first { $0.code == course.code } ?? course : course
        }
        title.courses = union(title.courses, courses, merging: imported.mergesLists)
        title.extra = title.extra.overlaid(by: new.extra)
        return title
    }

    /// What the title says stays; it learns what it does not say.
    private static func taught(_ new: Title, to present: Title) -> Title {
        var title = merged(ImportedTitle(title: present), into: new)
        title.id = present.id
        title.courses = union(present.courses, new.courses, merging: true)
        for entry in new.extra { title.extra[entry.key] = entry.value }
        return title
    }

    private static func union<Element: Equatable>(
        _ present: [Element], _ new: [Element], merging: Bool
    ) -> [Element] {
        if new.isEmpty { return present }
        return merging ? present + new.filter { !present.contains($0) } : new
    }

    /// Copies by number are made until there are as many as the file says. Those that are out, as it says, are lost until a
    /// loan takes them: nobody is to be offered one.
    private func topUp(
        _ title: Title, to imported: ImportedTitle, _ change: ImportChange
    ) throws -> ImportChange {
        let present = change == .added ? [] : try session.catalogue.copies(of: .id(title.id))
        let new = imported.copies - present.count
        guard new > 0 else { return change }
        if let branch = imported.branch { try settings.require(branch: branch) }
        if let itemType = imported.itemType { try settings.require(itemType: itemType) }
        if let location = imported.location { settings.meet(location: location) }
        let given = min(new, max(0, imported.given - present.count { $0.status != .available }))
        for (count, status) in [(new - given, CopyStatus.available), (given, .lost)] where count > 0 {
            _ = try session.catalogue.addCopies(
                of: .id(title.id), count: count, branch: imported.branch, itemType: imported.itemType,
                location: imported.location, callNumber: imported.callNumber, status: status
            ).orRefuse(field: "copies")
        }
        return change == .unchanged ? .updated : change
    }

    /// - Parameter isAlone: whether its row stands for it and nothing else.
    private func put(_ imported: ImportedCopy, of title: Title, isAlone: Bool = false) throws -> ImportChange {
        if let branch = imported.branch { try settings.require(branch: branch) }
        if let itemType = imported.itemType { try settings.require(itemType: itemType) }
        let present = try session.catalogue.copy(barcode: imported.barcode)
        let identity = RecordIdentity(
            field: "barcode", words: "the copy '\(imported.barcode)'", key: "copy\u{1F}\(imported.barcode)")
        var said = imported
        // It stays as the catalogue has it.
        said.title = nil
        let repetition = try run.meet(identity.key, says: said)
        if let repetition, let present, present.title != title.id {
            throw RefusedRecord(
                field: "barcode", code: "repeated",
                message: "\(identity.words) stands in \(repetition.place) already, as a copy of another title")
        }
        var copy = Copy(
            id: imported.id, barcode: imported.barcode, title: title.id,
            branch: try imported.branch ?? present?.branch ?? settings.firstBranch(),
            itemType: try imported.itemType ?? present?.itemType ?? settings.usualItemType(),
            status: imported.status ?? present?.status ?? .available,
            replacementPrice: try price(imported) ?? present?.replacementPrice,
            location: imported.location ?? present?.location,
            callNumber: imported.callNumber ?? present?.callNumber,
            acquiredOn: imported.acquiredOn ?? present?.acquiredOn)
        let (extra, waiting) = try run.settled(imported.extra, .copy, in: session)
        copy.extra = (present?.extra ?? [:]).overlaid(by: extra)
        let (stored, change) = try session.imports.copy(copy).change(field: "barcode")
        if let repetition { try run.judge(repetition, of: identity, change, isAlone: isAlone) }
        if imported.location != nil, let location = stored.location { settings.meet(location: location) }
        run.wait(waiting, of: stored.id)
        return change
    }

    private func price(_ imported: ImportedCopy) throws -> Money? {
        guard let text = imported.replacementPrice else { return nil }
        let currency = try session.settings.library().currency
        do {
            return try Money(parsing: text.replacing(" \(currency.code)", with: ""), currency: currency)
        } catch {
            throw RefusedRecord(field: "replacement_price", code: "bad_money", message: "\(error)")
        }
    }
}
