import Circulation
import Foundation

/// What the values of a column look like.
struct ColumnContent {
    /// The values that are not blank, of the first rows.
    let values: [String]
    let rows: Int

    /// Of so many values at least so many have to look alike.
    private static let share = 0.8

    init(_ cells: [String]) {
        values = cells.compactMap(FieldText.nonBlank)
        rows = cells.count
    }

    private func mostly(_ test: (String) -> Bool) -> Bool {
        !values.isEmpty && Double(values.count(where: test)) >= Double(values.count) * Self.share
    }

    var isISBN: Bool {
        mostly { text in
            text.contains { $0.isNumber } && (try? ISBN(text)) != nil
        }
    }

    var isEmail: Bool {
        mostly { text in
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !text.contains(" ")
        }
    }

    var isDate: Bool {
        mostly { text in
            if case .none = LocalDate(text, order: nil) { return false }
            return true
        }
    }

    var isYear: Bool {
        mostly { text in
            FieldText.year(text).map { (1400...2200).contains($0) } ?? false && text.count(where: \.isNumber) == 4
        }
    }

    var isMoney: Bool {
        mostly { text in
            let core = text.filter { !"€$£ ".contains($0) }
            let parts = core.split(whereSeparator: { ".,".contains($0) }).map(String.init)
            return parts.count == 2 && parts[1].count == 2 && parts.allSatisfy { Int($0) != nil }
        }
    }

    /// Whether the values are different numbers or codes, as those of cards and copies.
    var isCode: Bool {
        let isUnique = Set(values).count == values.count && values.count == rows && values.count > 1
        return isUnique
            && mostly { text in
                text.contains { $0.isNumber } && !text.contains { $0.isWhitespace } && text.utf8.count <= 30
            }
    }

    /// Whether it is nothing that a column would be called.
    var isValue: Bool { isISBN || isEmail || isDate || isMoney || mostly { $0.allSatisfy(\.isNumber) } }

    /// Whether the values have surname and first name with a comma between.
    var hasCommas: Bool { mostly { $0.split(separator: ",").count == 2 } }

    /// What its dates say of their order.
    struct Dates {
        var order: DateOrder?
        var problems: [String]
    }

    var dates: Dates {
        var dayFirst: String?
        var monthFirst: String?
        var twofold: (text: String, dmy: CivilDate, mdy: CivilDate)?
        var unread: [String] = []
        for text in values {
            switch (LocalDate(text, order: nil), LocalDate(text, order: .dmy), LocalDate(text, order: .mdy)) {
            case (.ambiguous(let dmy, let mdy), _, _): twofold = twofold ?? (text, dmy, mdy)
            case (.none, _, _): unread.append(text)
            case (.date, .date, .none) where !text.contains("."): dayFirst = dayFirst ?? text
            case (.date, .none, .date): monthFirst = monthFirst ?? text
            default: break
            }
        }
        var problems: [String] = []
        if let first = unread.first {
            problems.append("'\(first)' is not a date (\(unread.count) of the first \(values.count) values)")
        }
        switch (dayFirst, monthFirst) {
        case (let day?, let month?):
            problems.append("'\(day)' has the day first, '\(month)' the month: the column has both orders")
            return Dates(order: nil, problems: problems)
        case (_?, nil): return Dates(order: .dmy, problems: problems)
        case (nil, _?): return Dates(order: .mdy, problems: problems)
        case (nil, nil): break
        }
        if let twofold {
            problems.append(
                "'\(twofold.text)' is \(twofold.dmy) if the day comes first (dmy), \(twofold.mdy) if the month does"
                    + " (mdy): say which by \"dates\"")
        }
        return Dates(order: nil, problems: problems)
    }
}
