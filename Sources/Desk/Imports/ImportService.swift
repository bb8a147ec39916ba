package import Circulation
import Storage
package import TextFormats

/// What became of one imported record.
package enum Imported<Record> {
    case added(Record)
    case updated(Record)
    /// It was there already, just like this.
    case unchanged(Record)
    /// It cannot be kept; the refusal says why. Nothing of it was written, no event either: it is the file's fault.
    case rejected(Refusal)
}

extension Imported: Sendable where Record: Sendable {}

/// Takes in records by the thousand within one transaction: the same events as single requests,
/// without a savepoint for each. Importing a record again changes nothing.
package struct ImportService {
    package let session: DeskSession

    private var transaction: Transaction { session.transaction }

    package func branch(_ branch: Branch) throws -> Imported<Branch> { try declared(branch, in: .branches) }

    package func category(_ category: Category) throws -> Imported<Category> {
        try declared(category, in: .categories)
    }

    package func itemType(_ itemType: ItemType) throws -> Imported<ItemType> {
        try declared(itemType, in: .itemTypes)
    }

    /// Takes in the name of a shelving location.
    package func location(_ location: ShelvingLocation) throws -> Imported<ShelvingLocation> {
        try taken(location, in: .locations)
    }

    /// One without a parent keeps the one it has: a file may name what comes later.
    private func declared<Entry: NestedCode>(
        _ entry: Entry, in declarations: Declarations<Entry>
    ) throws -> Imported<Entry> {
        var entry = entry
        entry.parent = try entry.parent ?? session.settings.find(entry.code, in: declarations)?.parent
        return try taken(entry, in: declarations)
    }

    private func taken<Entry>(_ entry: Entry, in declarations: Declarations<Entry>) throws -> Imported<Entry> {
        let before = try session.settings.find(entry.code, in: declarations)
        return try record(entry, existing: before) { isNew in
            try declarations.check(entry.code)
            try session.settings.checkParent(of: entry, in: declarations)
            try session.record(isNew ? declarations.added : declarations.updated, entry)
        }
    }

    /// Takes in a title. With an ISBN it is the title of that ISBN; without, one that says the same in all its fields is
    /// taken to be the same.
    ///
    /// - Parameters:
    ///   - existing: the id of the title that it replaces, if the caller knows.
    ///   - isNew: the caller knows that there is none, whatever others say. A new title keeps its id where that is free.
    package func title(_ title: Title, existing: Int64? = nil, isNew: Bool = false) throws -> Imported<Title> {
        try rejecting {
            let before = try existing.map { try transaction.titles.get($0) } ?? (isNew ? nil : same(as: title))
            guard var before else {
                let isFree = try title.id > 0 && transaction.titles.get(title.id) == nil
                return .added(try session.catalogue.insert(title, id: isFree ? title.id : 0))
            }
            var title = title
            title.id = before.id
            try session.catalogue.check(&title, before: before)
            if title == before { return .unchanged(before) }
            if let isbn = title.isbn, isbn != before.isbn, try transaction.titles.find(isbn) != nil {
                throw Refused("exists", "There is already a title with the ISBN \(isbn.digits13).")
            }
            try session.record(.titleUpdated, title)
            before = title
            return .updated(before)
        }
    }

    /// Takes in a copy by its barcode. The status of a copy that is lent, or set aside for a hold, stays.
    package func copy(_ copy: Copy) throws -> Imported<Copy> {
        try rejecting {
            _ = try session.catalogue.branchCode(copy.branch)
            _ = try session.catalogue.itemTypeCode(copy.itemType)
            try session.catalogue.checkCurrency(copy.replacementPrice)
            guard let before = try transaction.copies.find(barcode: copy.barcode) else {
                guard try transaction.titles.get(copy.title) != nil else {
                    throw CatalogueService.unknown(.id(copy.title))
                }
                var copy = copy
                if try copy.id <= 0 || transaction.copies.get(copy.id) != nil { copy.id = 0 }
                // Loans and holds bring a copy out of the house and onto the shelf; their records come by themselves.
                if copy.status == .onLoan || copy.status == .onHoldShelf { copy.status = .available }
                return .added(try session.catalogue.insert(copy))
            }
            guard before.title == copy.title else {
                throw Refused("exists", "The barcode \(copy.barcode) is that of another title's copy.")
            }
            var copy = copy
            copy.id = before.id
            let isKept = try transaction.holds.setAside(copy: before.id) != nil
            let isLent = try before.status == .lost && transaction.loans.open(copy: before.id) != nil
            if isKept || isLent || before.status == .onLoan || copy.status == .onLoan || copy.status == .onHoldShelf {
                copy.status = before.status
            }
            try session.catalogue.check(&copy, before: before)
            if copy == before { return .unchanged(before) }
            try session.record(.copyUpdated, copy)
            return .updated(copy)
        }
    }

    /// Takes in a patron by the username.
    package func patron(_ patron: Patron) throws -> Imported<Patron> {
        try rejecting {
            guard let before = try transaction.patrons.find(username: patron.username) else {
                let isFree = try patron.id > 0 && transaction.patrons.get(patron.id) == nil
                return .added(try session.patrons.insert(patron, id: isFree ? patron.id : 0))
            }
            var patron = patron
            patron.id = before.id
            try session.patrons.check(&patron, before: before)
            if patron == before { return .unchanged(before) }
            try session.record(
                .patronUpdated, PatronChange(patron, fields: patron.changedPersonalFields(since: before)))
            return .updated(patron)
        }
    }

    /// Sets a field of the library's own whose record came before what it refers to.
    package func set(_ field: CustomField, of id: Int64, to value: JSON) throws -> Imported<Int64> {
        try rejecting {
            try session.customFields.set(field, of: id, to: value)
            return .updated(id)
        }
    }
}

extension ImportService {
    /// A title without an ISBN that says the same.
    private func same(as title: Title) throws -> Title? {
        if let isbn = title.isbn { return try transaction.titles.find(isbn) }
        return try transaction.titles.first(like: title) { found in
            var found = found
            found.id = title.id
            return found == title
        }
    }

    private func record<Record: Equatable>(
        _ record: Record, existing: Record?, _ write: (_ isNew: Bool) throws -> Void
    ) throws -> Imported<Record> {
        try rejecting {
            if let existing, existing == record { return .unchanged(existing) }
            try write(existing == nil)
            return existing == nil ? .added(record) : .updated(record)
        }
    }

    /// Checks come before the first write, so that a rejected record leaves nothing behind.
    package func rejecting<Record>(_ body: () throws -> Imported<Record>) throws -> Imported<Record> {
        do {
            return try body()
        } catch let refused as Refused {
            return .rejected(refused.refusal)
        } catch let error as DeskError where error.code == .input {
            let figures: JSONObject = error.field.map { ["field": .string($0)] } ?? [:]
            return .rejected(Refusal(code: "input", message: error.message, figures: figures))
        }
    }
}
