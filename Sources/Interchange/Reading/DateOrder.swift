import Circulation

/// In which order a file has day, month and year.
package enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}

extension DateOrder: ReadingConvention {
    typealias Value = CivilDate

    static var option: String { "--dates" }
    static var name: String { "dates" }
    static var mayMix: Bool { false }

    func words(isFirst: Bool) -> String {
        let part =
            switch self {
            case .dmy: "day"
            case .mdy: "month"
            case .ymd: "year"
            }
        return "the \(part) \(isFirst ? "comes first" : "does")"
    }

    /// Reads `2018-10-24`, `20181024`, `24/10/2018`, `10/24/18`, `24.10.2018`, `24 October 2018`; a time behind it is passed over.
    ///
    /// A year of four digits in front is followed by the month; between full stops the day comes first.
    static func readings(of text: String) -> Readings<DateOrder> {
        if let named = MonthName.date(in: text) { return .certain(named) }
        let day = text.prefix { !$0.isWhitespace && $0 != "T" }
        let parts = day.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" || $0 == "." }
        guard parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return .none }
        if parts.count == 1, day.utf8.count == 8, let number = Int(day), (1800...2199).contains(number / 10_000) {
            return certain(number / 10_000, number / 100 % 100, number % 100)
        }
        guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.count) }),
            let first = Int(parts[0]), let second = Int(parts[1]), let third = Int(parts[2])
        else { return .none }
        if parts[0].count == 4 { return certain(first, second, third) }
        guard parts[0].count < 3, parts[1].count < 3, parts[2].count == 4 || parts[2].count == 2 else { return .none }
        let last = parts[2].count == 4 ? third : whole(third)
        if day.contains(".") { return certain(last, second, first) }
        var found: [(by: DateOrder, value: CivilDate)] = []
        func add(_ order: DateOrder, _ year: Int, _ month: Int, _ day: Int) {
            if let date = try? CivilDate(year: year, month: month, day: day) { found.append((order, date)) }
        }
        add(.dmy, last, second, first)
        add(.mdy, last, first, second)
        if parts[2].count == 2, parts[0].count == 2 { add(.ymd, whole(first), second, third) }
        return found.isEmpty ? .none : .open(found)
    }

    static func readings(of text: String, _ currency: Currency) -> Readings<DateOrder> { readings(of: text) }

    private static func certain(_ year: Int, _ month: Int, _ day: Int) -> Readings<DateOrder> {
        (try? CivilDate(year: year, month: month, day: day)).map { .certain($0) } ?? .none
    }

    /// The year of two digits, of 1930 to 2029 as spreadsheets have it.
    static func whole(_ year: Int) -> Int { year < 30 ? 2000 + year : 1900 + year }

    /// Whether a date has a year of two digits.
    static func isShort(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            run = (0x30...0x39).contains(byte) ? run + 1 : 0
            if run == 4 { return false }
        }
        return true
    }
}

/// Names of months, whole or cut to their beginning, in English, German, French, Italian and Spanish.
enum MonthName {
    /// In small letters without accents; no beginning of one is that of another month's.
    private static let names: [[String]] = [
        ["january", "januar", "janner", "janvier", "gennaio", "enero"],
        ["february", "februar", "feber", "fevrier", "febbraio", "febrero"],
        ["march", "marz", "maerz", "mrz", "mars", "marzo"], ["april", "avril", "aprile", "abril"],
        ["may", "mai", "maggio", "mayo"], ["june", "juni", "juin", "giugno", "junio"],
        ["july", "juli", "juillet", "luglio", "julio"], ["august", "aout", "agosto"],
        ["september", "septembre", "settembre", "septiembre", "setiembre"],
        ["october", "oktober", "octobre", "ottobre", "octubre"],
        ["november", "novembre", "noviembre"], ["december", "dezember", "decembre", "dicembre", "diciembre"],
    ]
    /// What stands between the parts of a date, and behind its day.
    private static let fillers: Set<String> = ["of", "de", "del", "di", "den", "the", "le", "el", "il"]
    private static let ordinals = ["st", "nd", "rd", "th", "er", "re", "o", "a"]

    /// The number of a month that is written so; nil where it is none, or may be two.
    static func number(_ word: String) -> Int? {
        let word = TextFolding.folded(word)
        guard word.count >= 3 else { return nil }
        let found = names.indices.filter { month in names[month].contains { $0.hasPrefix(word) } }
        return found.count == 1 ? found[0] + 1 : nil
    }

    /// `24 October 2018`, `Oct 24, 2018`, `24. März 1980`, `4-Mar-80`, `1er mars 1980`; nil for what is no such date.
    static func date(in text: String) -> CivilDate? {
        guard text.utf8.count <= 64, text.contains(where: \.isLetter) else { return nil }
        let words = text.split { $0.isWhitespace || ".,-/".contains($0) }.map(String.init)
            .filter {
                !$0.contains(":") && !fillers.contains($0.lowercased()) && !["am", "pm"].contains($0.lowercased())
            }
        guard words.count == 3, let place = words.firstIndex(where: { number($0) != nil }), place < 2,
            let month = number(words[place])
        else { return nil }
        var rest = words
        rest.remove(at: place)
        let digits = rest.map { word in
            ordinals.first { word.hasSuffix($0) }.map { String(word.dropLast($0.count)) } ?? word
        }
        guard let first = Int(digits[0]), let second = Int(digits[1]) else { return nil }
        if rest[0].count == 4 { return try? CivilDate(year: first, month: month, day: second) }
        guard digits[0].count <= 2, rest[1].count == 4 || rest[1].count == 2 else { return nil }
        let year = rest[1].count == 4 ? second : DateOrder.whole(second)
        return try? CivilDate(year: year, month: month, day: first)
    }
}
