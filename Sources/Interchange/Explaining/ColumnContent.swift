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
        values = cells.compactMap { FieldText.nonBlank(FieldText.unwrapped($0)) }
        rows = cells.count
    }

    private func mostly(_ test: (String) -> Bool) -> Bool {
        !values.isEmpty && Double(values.count(where: test)) >= Double(values.count) * Self.share
    }

    var isISBN: Bool {
        mostly { text in text.contains { $0.isNumber } && Self.hasISBN(text) }
    }

    /// Whether an import finds an ISBN in a text.
    static func hasISBN(_ text: String) -> Bool {
        if case .fault = ISBNText.read(text) { false } else { true }
    }

    var isEmail: Bool {
        mostly { text in
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !text.contains(" ")
        }
    }

    var isDate: Bool {
        mostly { text in
            // Eight digits may be anything.
            guard text.contains(where: { !$0.isNumber }) else { return false }
            if case .none = DateOrder.readings(of: text) { return false }
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
        var twofold: (text: String, readings: [(by: DateOrder, value: CivilDate)])?
        var unread: [String] = []
        for text in values {
            switch DateOrder.readings(of: text) {
            case .none: unread.append(text)
            case .certain: break
            case .open(let readings):
                if Set(readings.map(\.value)).count > 1 {
                    twofold = twofold ?? (text, readings)
                } else if readings.count == 1, readings[0].by == .dmy {
                    dayFirst = dayFirst ?? text
                } else if readings.count == 1, readings[0].by == .mdy {
                    monthFirst = monthFirst ?? text
                }
            }
        }
        var problems: [String] = []
        if let first = unread.first {
            problems.append(why("'\(first)' is not a date (\(unread.count) of the first \(values.count) values)"))
        }
        switch (dayFirst, monthFirst) {
        case (let day?, let month?):
            problems.append(why("'\(day)' has the day first, '\(month)' the month: the column has both orders"))
            return Dates(order: nil, problems: problems)
        case (_?, nil): return Dates(order: .dmy, problems: problems)
        case (nil, _?): return Dates(order: .mdy, problems: problems)
        case (nil, nil): break
        }
        if let twofold {
            problems.append("'\(twofold.text)' is \(DateOrder.words(twofold.readings)): say which by \"dates\"")
        }
        return Dates(order: nil, problems: problems)
    }
}
