import Circulation

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
        // A whole date, with a time or without.
        if text.utf8.count >= 10, text.dropFirst(4).first == "-", text.dropFirst(7).first == "-",
            text.utf8.count == 10 || ["T", " "].contains(text.dropFirst(10).first),
            let date = try? CivilDate(parsing: String(text.prefix(10)))
        {
            return Int64(date.year)
        }
        var core = text.filter { !"[]()., ?©".contains($0) || $0 == "." }
        if core.hasSuffix(".0") { core.removeLast(2) }
        while core.last == "." { core.removeLast() }
        while let first = core.first, first == "c" || first == "p" { core.removeFirst() }
        guard let year = Int64(core), (-5000...9999).contains(year) else { return nil }
        return year
    }

    /// Whether a text is a number as spreadsheets show long ones: `3.1E+13`, of which the last digits are lost.
    static func isRounded(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let mark = bytes.lastIndex(where: { $0 == 0x45 || $0 == 0x65 }), mark > 0, mark + 2 < bytes.count,
            bytes[mark + 1] == 0x2B, bytes[(mark + 2)...].allSatisfy(isDigit), bytes.count - mark <= 5,
            isDigit(bytes[0])
        else { return false }
        let number = bytes[1..<mark]
        guard let point = number.first else { return true }
        return (point == 0x2E || point == 0x2C) && number.count > 1 && number.dropFirst().allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func rounded(_ text: String) -> String {
        "'\(text)' is a number that a spreadsheet has rounded; make its column a text, and export it again"
    }

    /// A text that a spreadsheet was kept from reading as a number: `="9780140449136"`.
    static func unwrapped(_ cell: String) -> String {
        guard cell.hasPrefix("=\""), cell.hasSuffix("\""), cell.utf8.count > 2 else { return cell }
        return String(cell.dropFirst(2).dropLast()).replacing("\"\"", with: "\"")
    }
}
