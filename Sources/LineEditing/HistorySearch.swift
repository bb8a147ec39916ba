import TextFormats

/// Looking for a statement by a part of it, as Ctrl-R does.
struct HistorySearch {
    var query = ""
    /// Where the statement stands that is shown.
    var place: Int?
    /// What was being typed.
    let before: EditBuffer

    init(before: EditBuffer) { self.before = before }

    /// Goes to the latest statement that fits, at or before a place.
    ///
    /// - Returns: false if none does.
    mutating func find(in history: StatementHistory, before limit: Int) -> Bool {
        let query = query.lowercased()
        guard let found = history.last(before: limit, where: { $0.lowercased().contains(query) }) else { return false }
        place = found
        return true
    }

    func row(width: Int, isColoured: Bool) -> ScreenRow {
        ScreenRow(
            "  search: \(SafeText.line(query))_   Ctrl-R: an earlier one, Enter: run it, Esc: back",
            rendition: isColoured ? InputColours.faint : "", width: width - 1)
    }
}
