import TextFormats

/// The candidates for what stands at the cursor, below the statement.
struct CompletionMenu {
    let candidates: [Completion.Candidate]
    /// Whether there are more, which were not fetched from the store.
    private let isCut: Bool
    /// How many characters in front of the cursor belong to what was completed.
    private(set) var length: Int
    /// What stood there before the first was chosen.
    let typed: String
    private(set) var chosen: Int?

    static let height = 8

    init(_ completion: Completion, typed: String) {
        candidates = completion.candidates
        isCut = completion.isCut
        length = typed.count
        self.typed = typed
    }

    /// Goes to the next or the previous one.
    mutating func choose(by step: Int) {
        let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
        chosen = (next + candidates.count) % candidates.count
    }

    /// Puts what is chosen into the statement.
    mutating func apply(to buffer: inout EditBuffer) {
        let text = chosen.map { candidates[$0].text } ?? typed
        buffer.replace(last: length, by: text)
        length = text.count
    }

    func rows(width: Int, isColoured: Bool) -> [ScreenRow] {
        let first = max(0, min((chosen ?? 0) - CompletionMenu.height + 2, candidates.count - CompletionMenu.height))
        let shown = candidates[first..<min(candidates.count, first + CompletionMenu.height)]
        let labels = min(40, shown.map { DisplayWidth.of($0.text) }.max() ?? 0)
        var rows = shown.enumerated().map { offset, candidate in
            var row = ScreenRow()
            let isChosen = first + offset == chosen
            let text = SafeText.line(candidate.text)
            let label = DisplayWidth.clipped(text, to: max(1, min(width - 4, 60)))
            let blanks = String(repeating: " ", count: max(0, labels - DisplayWidth.of(label)))
            row.append(isChosen && !isColoured ? "> " : "  ")
            row.append(label + blanks, isChosen && isColoured ? InputColours.chosen : "")
            let room = width - row.columns - 3
            if room > 8 && !candidate.about.isEmpty {
                let about = DisplayWidth.clipped(SafeText.line(candidate.about), to: room)
                row.append("  " + about, isColoured ? InputColours.faint : "")
            }
            row.finish()
            return row
        }
        if candidates.count > shown.count {
            let place = "\(first + 1)-\(first + shown.count) of \(isCut ? "the first " : "")\(candidates.count)"
            rows.append(ScreenRow("  " + place, rendition: isColoured ? InputColours.faint : "", width: width))
        }
        return rows
    }
}
