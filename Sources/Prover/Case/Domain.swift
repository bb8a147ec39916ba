package import Circulation

/// What cases there can be: the parts of a case, and the codes of the library where they are known.
package struct ProofDomain: Sendable {
    /// For a code its ancestors, the nearest first; nil: any code may be below any other.
    package struct Codes: Sendable {
        package var categories: [String: [String]]?
        package var itemTypes: [String: [String]]?
        package var branches: [String: [String]]?

        package init(
            categories: [String: [String]]? = nil, itemTypes: [String: [String]]? = nil,
            branches: [String: [String]]? = nil
        ) {
            self.categories = categories
            self.itemTypes = itemTypes
            self.branches = branches
        }

        func tree(_ meaning: CaseMeaning) -> [String: [String]]? {
            switch meaning {
            case .category: categories
            case .itemType: itemTypes
            case .branch: branches
            default: nil
            }
        }
    }

    let shape: RecordShape
    let codes: Codes
    let currency: Currency

    /// - Parameters:
    ///   - records: the parts of a case as the library has them.
    ///   - codes: those of the library; what is nil is open.
    package init(_ records: LibraryCase = .plain, codes: Codes = Codes(), currency: Currency = .eur) {
        shape = RecordShape(records.question)
        self.codes = codes
        self.currency = currency
    }

    /// Whether a case at a point has a part: always, never, or (nil) as it happens.
    static func isThere(_ part: String, at point: DecisionPoint) -> Bool? {
        let isAboutLoan = point.isAboutLoan
        return switch (part, point) {
        case ("title", .checkout), ("title", .due), ("title", .hold): true
        case ("title", .price), ("title", .publish), ("title", .notify): nil
        case ("title", _): isAboutLoan
        case ("copy", .checkout), ("copy", .due), ("copy", .hold), ("copy", .price), ("copy", .notify): nil
        case ("copy", _): isAboutLoan
        case ("loan", .price), ("loan", .notify): nil
        case ("loan", _): isAboutLoan
        case ("request", .request), ("request", .checkout): true
        case ("request", .due): nil
        case ("request", _): false
        case ("hold", .hold), ("hold", .recall): true
        case ("hold", .notify): nil
        case ("hold", _): false
        case ("listing", .publish), ("listing", .notify): nil
        case ("suggestion", .publish), ("suggestion", .notify): nil
        case ("listing", _), ("suggestion", _): false
        case ("lines", .price), ("lines", .notify): nil
        case ("lines", _): false
        case ("event", .notify): true
        case ("event", _): false
        default: true
        }
    }

    /// The part that a case has where, and only where, it lacks this one.
    static func other(of part: String, at point: DecisionPoint) -> String? {
        switch (part, point) {
        case ("listing", .publish): "suggestion"
        case ("lines", .price): "loan"
        default: nil
        }
    }

    /// The least and greatest that a number of a field can be. No library comes near them.
    static func bounds(of field: String) -> ClosedRange<Int64> {
        switch field {
        case "age": 0...150
        case "id", "title", "titles", "listing", "seller", "priority": -1_000_000_000...1_000_000_000
        default: 0...1_000_000
        }
    }

    /// What patrons owe may be less than nothing.
    static func amounts(of field: String) -> ClosedRange<Int64> {
        field == "fees_owed" ? -100_000_000_000...100_000_000_000 : 0...100_000_000_000
    }

    /// The dates of a case, from 1970 on to nearly the end of the calendar.
    static let days: ClosedRange<Int64> = 0...2_900_000
    /// What is reckoned from dates.
    static let reckonedDays: ClosedRange<Int64> = -800_000...3_000_000
    /// 1990 to 2149: what is reckoned from it stays among the ``days``.
    static let today: ClosedRange<Int64> = 7_305...65_745
    /// The moments of these days.
    static let instants = (days.lowerBound * microsecondsPerDay)...(days.upperBound * microsecondsPerDay)
    static let microsecondsPerDay: Int64 = 86_400_000_000
    static let listLength: ClosedRange<Int64> = 0...100_000
}
