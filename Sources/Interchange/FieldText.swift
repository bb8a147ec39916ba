import Circulation

/// How the files of the world write dates, years and lists.
enum FieldText {
    /// The text without surrounding white space; nil for a blank one.
    static func nonBlank(_ text: String) -> String? {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }

    /// The parts of a list, without blanks and repetitions, in their order.
    static func list(_ text: String, separators: Set<Character>) -> [String] {
        var seen: Set<String> = []
        return text.split(whereSeparator: { separators.contains($0) }).compactMap { nonBlank(String($0)) }
            .filter { seen.insert($0).inserted }
    }

    /// A publication year in the ways catalogues write it: `2009`, `2009.`, `c2012.`, `[2014]`, `p2008`, `2008.0`, `-720`.
    static func year(_ text: String) -> Int64? {
        var core = text.filter { !"[]()., ?©".contains($0) || $0 == "." }
        if core.hasSuffix(".0") { core.removeLast(2) }
        while core.last == "." { core.removeLast() }
        while let first = core.first, first == "c" || first == "p" { core.removeFirst() }
        guard let year = Int64(core), (-5000...9999).contains(year) else { return nil }
        return year
    }

    /// A date as `2018-10-24`, `24-10-2018` or `24/10/2018`; a time behind it is passed over.
    static func date(_ text: String) -> CivilDate? {
        let day = text.prefix { !$0.isWhitespace && $0 != "T" }
        let parts = day.split(whereSeparator: { $0 == "-" || $0 == "/" || $0 == "." }).map { Int($0) }
        guard parts.count == 3, let first = parts[0], let month = parts[1], let third = parts[2] else { return nil }
        if day.prefix(while: \.isNumber).count == 4 {
            return try? CivilDate(year: first, month: month, day: third)
        }
        guard third >= 1000 else { return nil }
        return try? CivilDate(year: third, month: month, day: first)
    }
}
