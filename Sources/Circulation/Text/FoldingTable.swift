import Foundation

/// What each character of the common alphabets folds to, so that titles need no normalisation one by one.
///
/// Every character outside the table and the identities is left to ``TextFolding``'s general way, and so is the whole
/// text that holds it: only there can a character compose with its neighbour.
struct FoldingTable: Sendable {
    static let shared = FoldingTable()

    /// Latin, Greek, Cyrillic with their combining marks; then general punctuation.
    private static let alphabets: Range<UInt32> = 0x80..<0x530
    private static let punctuation: Range<UInt32> = 0x2000..<0x2070

    private let folds: [String]

    private init() {
        // One pass over all of them, each on a line of its own, where it has no neighbour.
        var lines = String.UnicodeScalarView()
        for value in Array(FoldingTable.alphabets) + Array(FoldingTable.punctuation) {
            // The line and paragraph separators among the punctuation are no line feeds.
            if let scalar = Unicode.Scalar(value) { lines.append(scalar) }
            lines.append("\n")
        }
        folds = TextFolding.foldedByNormalizing(String(lines)).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    /// The folded text, or nil if a character needs the general way.
    func folded(_ text: String) -> String? {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if value < 0x80 {
                let isCapital = value &- 0x41 < 26
                result.unicodeScalars.append(isCapital ? Unicode.Scalar(UInt8(value) | 0x20) : scalar)
            } else if let index = FoldingTable.index(of: value) {
                guard index < folds.count else { return nil }
                result += folds[index]
            } else if FoldingTable.isUnchanged(value) {
                result.unicodeScalars.append(scalar)
            } else {
                return nil
            }
        }
        return result
    }

    private static func index(of value: UInt32) -> Int? {
        if alphabets.contains(value) { return Int(value - alphabets.lowerBound) }
        return punctuation.contains(value) ? alphabets.count + Int(value - punctuation.lowerBound) : nil
    }

    /// Kana, unified ideographs and whole Hangul syllables fold to themselves unless a mark or a letter that composes
    /// with them follows, which the table does not know either.
    private static func isUnchanged(_ value: UInt32) -> Bool {
        switch value {
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FE, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }
}
