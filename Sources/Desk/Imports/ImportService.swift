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

    /// One without a parent keeps the one it has: a file may name what comes later.
    private func declared<Entry>(_ entry: Entry, in declarations: Declarations<Entry>) throws -> Imported<Entry> {
        let before = try session.settings.find(entry.code, in: declarations)
        var entry = entry
        entry.parent = entry.parent ?? before?.parent
        return try record(entry, existing: before) { isNew in
            try SettingsService.check(code: entry.code)
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
                throw Refused("exists", "There is a title with the ISBN \(isbn.digits13) already.")
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

    /// Takes in a loan of the past under its own key, at its own instant.
    ///
    /// A loan that was not returned is an open one only if it has copy, patron and due time and its copy is there;
    /// anything less is kept for statistics, without its copy.
    ///
    /// - Parameters:
    ///   - loan: with its ``Loan/importKey``; the key that was seen before changes nothing.
    ///   - renewed: when it was renewed, as far as that is known; no more than ``Loan/renewals``.
    package func loan(_ loan: Loan, renewed: [Instant] = []) throws -> Imported<Loan> {
        guard let key = loan.importKey, !key.isEmpty else {
            throw DeskError.input("import_key", "An imported loan needs a key.")
        }
        return try rejecting {
            if let before = try self.loan(called: key) { return .unchanged(before) }
            guard Int64(renewed.count) <= loan.renewals, renewed.allSatisfy({ $0 >= loan.lentAt }) else {
                throw Refused("bad_renewals", "There are more renewals than it counts, or one before the loan.")
            }
            let loan = try completed(loan, isTold: Int64(renewed.count) == loan.renewals)
            guard let added = try session.record(.loanImported, loan, at: loan.lentAt)?.content else {
                throw Refused("exists", "The copy has an open loan already.")
            }
            for moment in renewed {
                let past = PastRenewal(loan: added.id, copy: added.copy, patron: added.patron, renewedAt: moment)
                try session.record(.loanRenewalImported, past, at: moment)
            }
            return .added(added)
        }
    }
}

extension ImportService {
    /// - Parameter isTold: whether the dates of all its renewals are known.
    private func completed(_ loan: Loan, isTold: Bool) throws -> Loan {
        var loan = loan
        if try loan.id <= 0 || transaction.loans.get(loan.id) != nil { loan.id = 0 }
        // Under the id that its key names it goes on as the loan that it was. Renewals without a date count for imported
        // loans alone.
        if isTold, let key = loan.importKey,
            let (id, at) = ExportKey.parts(of: key, "loan"), id == loan.id, at == loan.lentAt
        {
            loan.importKey = nil
        }
        let copy = try loan.copy.flatMap { try transaction.copies.get($0) }
        loan.copy = copy?.id
        loan.title = loan.title ?? copy?.title
        loan.itemType = loan.itemType ?? copy?.itemType
        loan.branch = loan.branch ?? copy?.branch
        let patron = try loan.patron.flatMap { try transaction.patrons.get($0) }
        loan.patron = patron?.id
        loan.category = loan.category ?? patron?.category
        loan.homeBranch = loan.homeBranch ?? patron?.homeBranch
        loan.originalDueAt = loan.originalDueAt ?? loan.due?.instant
        // A policy that was not in force here when the loan was made, or renewed last, did not decide it.
        loan.policy = try session.policies.wasInForce(loan.policy, from: loan.renewedAt ?? loan.lentAt)
        let isOpen = loan.returnedAt == nil
        let isAtHand = try copy.map { try isFree($0, for: loan) } ?? false
        if isOpen, patron == nil || loan.due == nil || !isAtHand { loan.copy = nil }
        return loan
    }

    /// Whether an open loan may have the copy: one that is there, or is lost with it.
    private func isFree(_ copy: Copy, for loan: Loan) throws -> Bool {
        if loan.lostAt == nil { return copy.status == .available }
        return try copy.status == .available || copy.status == .lost && transaction.loans.open(copy: copy.id) == nil
    }

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
