import Circulation
import TextFormats

/// The sums that people put below a list.
enum TotalRow {
    private static let words: Set<String> = [
        "total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "totaux",
        "total general",
        "totale", "totali", "totaal", "suma", "suma total", "somme",
    ]

    /// Whether a row may be one: it begins with the word, and has nothing but numbers behind it.
    static func may(_ record: CSVRecord) -> Bool {
        let cells = record.fields.compactMap(FieldText.nonBlank)
        guard cells.count > 1, cells.count <= record.fields.count, let first = cells.first else { return false }
        let word = TextFolding.folded(first).filter { $0 != ":" && $0 != "." }
        return words.contains(FieldText.nonBlank(word) ?? "") && cells.dropFirst().allSatisfy(isNumber)
    }

    static func message(_ record: CSVRecord) -> String {
        "the last row begins with '\(record.fields.lazy.compactMap(FieldText.nonBlank).first ?? "")' and has numbers alone: the sums of the list, and no record"
    }

    private static func isNumber(_ text: String) -> Bool {
        text.contains { $0.isNumber } && text.allSatisfy { $0.isNumber || ".,' €$£%".contains($0) }
    }
}
