import TextFormats

extension Title {
    /// What names of one series have in common, whatever case, accents and signs they are written with; nil: it is none.
    package static func seriesKey(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = TextFolding.tokens(name)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Where a volume stands among the others of its series: texts that sort by the first number of its own, or by all of
    /// it as a Roman one. What has none stands behind the others.
    package static func seriesPlace(_ number: String?) -> String {
        let text = TextFolding.folded(number ?? "")
        func place(_ whole: Int64, _ fraction: String = "") -> String {
            let digits = String(whole)
            return String(repeating: "0", count: 9 - digits.count) + digits + "." + fraction
        }
        if let match = text.firstMatch(of: #/([0-9]{1,9})(?:[.,]([0-9]{1,3}))?/#), let whole = Int64(match.1) {
            return place(whole, String(match.2 ?? ""))
        }
        let letters = text.split { !$0.isLetter }.last.map(Array.init) ?? []
        return Self.roman(letters).map { place($0) } ?? "x"
    }

    private static func roman(_ letters: [Character]) -> Int64? {
        let values: [Character: Int64] = ["i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1_000]
        let digits = letters.compactMap { values[$0] }
        guard !digits.isEmpty, digits.count == letters.count, digits.count <= 15 else { return nil }
        return digits.indices.reduce(0) { sum, place in
            let isBefore = digits[(place + 1)...].first.map { $0 > digits[place] } ?? false
            return sum + (isBefore ? -digits[place] : digits[place])
        }
    }
}
