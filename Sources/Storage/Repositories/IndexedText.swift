/// Texts as they stand in an index: cut where an index entry would become longer than every database can hold.
///
/// PostgreSQL's entries have 2,704 bytes at most. Two texts that differ behind the cut are compared by their rows.
enum IndexedText {
    /// In scalars, of four bytes at most.
    private static let longest = 500

    /// Whether a text was perhaps cut.
    static func isCut(_ text: String) -> Bool { text.utf8.count >= longest && text.unicodeScalars.count >= longest }

    static func of(_ text: String) -> String {
        guard text.utf8.count > longest, text.unicodeScalars.count > longest else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    }
}
