package import Circulation
import Storage
package import TextFormats

extension CatalogueService {
    /// A title's copies by barcode; none for an unknown title.
    package func copies(of key: TitleKey) throws -> [Copy] {
        guard let title = try get(key) else { return [] }
        return try transaction.copies.of(title: title.id)
    }

    /// A part of them.
    package func copies(of key: TitleKey, _ part: ListPart) throws -> [Copy] {
        guard let title = try get(key) else { return [] }
        return try transaction.copies.of(title: title.id, part)
    }

    package func copy(barcode: String) throws -> Copy? {
        try transaction.copies.find(barcode: barcode)
    }

    package func copy(id: Int64) throws -> Copy? {
        try transaction.copies.get(id)
    }

    /// How many copies a title has, counted now.
    package func counts(of title: Int64) throws -> CopyCounts {
        try transaction.copies.counts(title: title)
    }

    /// The most copies that one request adds.
    private static let mostCopies = 10_000

    /// Adds copies, all or none. Barcodes that are not given are made of the title's id and a number.
    ///
    /// - Parameters:
    ///   - branch: nil: the first one.
    ///   - itemType: nil: `book` if there is such a type, else the first one.
    ///   - status: lost for those of which it is not known where they are.
    /// - Returns: the copies; refused with `unknown_title`, `unknown_branch`, `unknown_item_type`, `exists` (a barcode).
    package func addCopies(
        of key: TitleKey, count: Int = 1, branch: String? = nil, itemType: String? = nil, barcodes: [String] = [],
        replacementPrice: Money? = nil, location: String? = nil, callNumber: String? = nil,
        acquiredOn: CivilDate? = nil, extra: JSONObject = [:], status: CopyStatus = .available
    ) throws -> Outcome<[Copy]> {
        guard (1...Self.mostCopies).contains(count) else {
            throw DeskError.input("count", "The number of copies must be from 1 to \(Self.mostCopies).")
        }
        guard barcodes.count <= count else {
            throw DeskError.input("barcodes", "There are more barcodes than copies.")
        }
        return try session.request("catalogue.add_copies") {
            let title = try known(key)
            var copy = Copy(
                barcode: "", title: title.id, branch: try branchCode(branch), itemType: try itemTypeCode(itemType),
                status: status, replacementPrice: replacementPrice, location: location, callNumber: callNumber,
                acquiredOn: acquiredOn, extra: extra)
            try checkCurrency(replacementPrice)
            var number = try transaction.copies.of(title: title.id).count
            return try (0..<count).map { index in
                copy.barcode = index < barcodes.count ? barcodes[index] : try freeBarcode(title.id, &number)
                return try insert(copy)
            }
        }
    }

    /// Changes barcode, branch, location, call number, day of acquisition, item type, replacement price, the library's own fields, or
    /// the status of a copy that is not lent.
    ///
    /// Refused with `unknown_copy`, `exists` (the barcode), `unknown_branch`, `unknown_item_type`, `on_loan` (a new
    /// status while it is lent). A copy becomes lent by a checkout alone.
    package func updateCopy(barcode: String, _ change: (inout Copy) throws -> Void) throws -> Outcome<Copy> {
        try session.request("catalogue.update_copy") {
            let before = try known(barcode: barcode)
            var copy = before
            try change(&copy)
            copy.id = before.id
            copy.title = before.title
            if copy.status != before.status { try checkStatus(of: copy, before: before) }
            if copy.barcode != before.barcode { try checkBarcode(copy.barcode) }
            if copy.branch != before.branch { _ = try branchCode(copy.branch) }
            if copy.itemType != before.itemType { _ = try itemTypeCode(copy.itemType) }
            if copy.replacementPrice != before.replacementPrice { try checkCurrency(copy.replacementPrice) }
            try check(&copy, before: before)
            if copy != before { try session.record(.copyUpdated, copy) }
            if copy.status != before.status { try session.holds.settle(afterLosing: copy) }
            return copy
        }
    }

    /// Refused with `unknown_copy`, or `on_loan` while it is lent. A lost copy is written off, which ends its loan. A hold for which it was set aside waits again, and one
    /// that it alone could fill ends.
    package func withdrawCopy(barcode: String) throws -> Outcome<Copy> {
        try session.request("catalogue.withdraw_copy") {
            var copy = try known(barcode: barcode)
            guard copy.status != .withdrawn else { return copy }
            if let loan = try transaction.loans.open(copy: copy.id) {
                guard loan.lostAt != nil else { throw Self.onLoan(copy) }
                try session.loans.writeOff(loan)
            }
            copy.status = .withdrawn
            try session.record(.copyWithdrawn, copy)
            try session.holds.settle(afterLosing: copy)
            return copy
        }
    }
}

extension CatalogueService {
    func known(barcode: String) throws -> Copy {
        guard let copy = try transaction.copies.find(barcode: barcode) else {
            throw Refused(Refusal.Code.unknownCopy, "There is no copy with that barcode.")
        }
        return copy
    }

    /// Adds a copy within a request.
    func insert(_ copy: Copy) throws -> Copy {
        try checkBarcode(copy.barcode)
        var copy = copy
        try check(&copy, before: nil)
        guard let added = try session.record(.copyAdded, copy)?.content else {
            throw DeskError.input(nil, "The copy could not be added.")
        }
        return added
    }

    /// Brings the library's own fields of a copy, its location and its call number into form.
    func check(_ copy: inout Copy, before: Copy?) throws {
        if copy.location != before?.location { copy.location = try Self.location(copy.location) }
        if copy.callNumber != before?.callNumber {
            copy.callNumber = try Self.line(
                copy.callNumber, "call_number",
                "A call number has 1 to \(Self.longestCallNumber) bytes, none of them a control.",
                most: Self.longestCallNumber)
        }
        if copy.extra == before?.extra { return }
        copy.extra = try session.customFields.checked(copy.extra, before: before?.extra, of: .copy)
    }

    /// The given branch, which must exist, or the first one.
    func branchCode(_ code: String?) throws -> String {
        if let code { return try session.settings.known(branch: code).code }
        guard let first = try session.settings.branches().first else {
            throw Refused("unknown_branch", "The library has no branches yet. Add one first.")
        }
        return first.code
    }

    /// The given item type, which must exist, or `book`, or the first one.
    func itemTypeCode(_ code: String?) throws -> String {
        if let code { return try session.settings.known(itemType: code).code }
        let all = try session.settings.itemTypes()
        guard let itemType = all.first(where: { $0.code == "book" }) ?? all.first else {
            throw Refused("unknown_item_type", "The library has no item types yet. Add one first.")
        }
        return itemType.code
    }

    func checkCurrency(_ price: Money?) throws {
        let currency = try session.settingsSnapshot().library.currency
        if let price, price.currency != currency || price.isNegative {
            throw DeskError.input(
                "replacement_price",
                "A replacement price must be an amount in \(currency) and cannot be negative.")
        }
    }

    private static let longestLocation = 100

    private static let longestCallNumber = 200

    private static func location(_ text: String?) throws -> String? {
        try line(
            text, "location",
            "A location must be 1 to \(longestLocation) bytes long, without control characters.", most: longestLocation)
    }

    /// A text without blanks around it; an empty one is none.
    private static func line(_ text: String?, _ field: String, _ rule: String, most: Int) throws -> String? {
        guard let text, let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        let line = String(text[start...end])
        let isSound =
            line.utf8.count <= most && line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isSound else { throw DeskError.input(field, rule) }
        return line
    }

    /// Refuses a code that no copy can have as its location.
    static func check(location code: String) throws {
        guard try location(code) == code else {
            throw DeskError.input(
                "code",
                "A location must be 1 to \(longestLocation) bytes long, with no spaces around it.")
        }
    }

    private static let longestBarcode = 64

    private func checkBarcode(_ barcode: String) throws {
        let isSound =
            !barcode.isEmpty && barcode.utf8.count <= Self.longestBarcode
            && barcode.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isSound else {
            throw DeskError.input(
                "barcode",
                "A barcode must be 1 to \(Self.longestBarcode) bytes long, without control characters.")
        }
        guard try transaction.copies.find(barcode: barcode) == nil else {
            throw Refused("exists", "There is already a copy with the barcode \(barcode).")
        }
    }

    private func freeBarcode(_ title: Int64, _ number: inout Int) throws -> String {
        while true {
            number += 1
            let barcode = Self.padded(title, to: 8) + Self.padded(Int64(number), to: 4)
            if try transaction.copies.find(barcode: barcode) == nil { return barcode }
        }
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private func checkStatus(of copy: Copy, before: Copy) throws {
        let isLent = try transaction.loans.open(copy: copy.id) != nil
        if isLent { throw Self.onLoan(before) }
        guard copy.status != .onLoan else {
            throw DeskError.input("status", "To lend a copy, check it out instead of setting its status.")
        }
        guard copy.status != .onHoldShelf else {
            throw DeskError.input(
                "status",
                "To put a copy on the hold shelf, check it in instead of setting its status.")
        }
    }

    private static func onLoan(_ copy: Copy) -> Refused {
        Refused("on_loan", "The copy \(copy.barcode) is on loan.")
    }
}
