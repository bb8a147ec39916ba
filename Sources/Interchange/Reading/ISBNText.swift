import Circulation

/// An ISBN as catalogues and spreadsheets write it.
enum ISBNText {
    /// The first right one, and other books beside it.
    case isbn(ISBN, others: [ISBN])
    /// One that a spreadsheet took for a number, and how it was mended.
    case repaired(ISBN, why: String)
    case fault(String)

    /// Reads `978-0-14-044913-6`, `9780140449136 (pbk) | 0140449132`, `140449132`, `9780140449136.0`.
    static func read(_ text: String) -> ISBNText {
        let fault: ISBNError
        do throws(ISBNError) {
            return .isbn(try ISBN(text), others: [])
        } catch {
            fault = error
        }
        var found: [ISBN] = []
        for part in text.split(whereSeparator: { "|;,()[]:/".contains($0) || $0.isWhitespace }) {
            if let one = try? ISBN(String(part)), !found.contains(one) { found.append(one) }
        }
        if let first = found.first { return .isbn(first, others: Array(found.dropFirst())) }
        let isWhole = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x58 || $0 == 0x78 }
        if isWhole || text.hasSuffix(".0") {
            let mended = ISBNRepair.from(
                isbn10Text: text.hasSuffix(".0") ? "" : text, isbn13Text: text.hasSuffix(".0") ? text : "")
            if let mended { return .repaired(mended.isbn, why: mended.why) }
        }
        if FieldText.isRounded(text) { return .fault(FieldText.rounded(text)) }
        return .fault("\(fault)")
    }
}
