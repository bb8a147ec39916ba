/// How the files of the world write years and lists.
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

    /// A text that a spreadsheet was kept from reading as a number: `="9780140449136"`.
    static func unwrapped(_ cell: String) -> String {
        guard cell.hasPrefix("=\""), cell.hasSuffix("\""), cell.utf8.count > 2 else { return cell }
        return String(cell.dropFirst(2).dropLast()).replacing("\"\"", with: "\"")
    }
}
