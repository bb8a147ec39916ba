import TextFormats

/// The hint about the call at the cursor, shown during typing.
package struct InputHint: Hashable, Sendable {
    /// A piece of a signature.
    package struct Part: Hashable, Sendable {
        package var text: String
        /// The argument in which the cursor stands.
        package var isCurrent: Bool

        package init(_ text: String, isCurrent: Bool = false) {
            self.text = text
            self.isCurrent = isCurrent
        }
    }

    package var signature: [Part]
    /// What is known about the argument, or about the function.
    package var about: String

    package init(signature: [Part], about: String) {
        self.signature = signature
        self.about = about
    }

    func rows(width: Int, isColoured: Bool) -> [ScreenRow] {
        var row = ScreenRow()
        row.append("  ")
        for part in visible(width: width - 4) {
            let rendition = !isColoured ? "" : part.isCurrent ? "1" : InputColours.faint
            row.append(part.isCurrent && !isColoured ? "*\(part.text)*" : part.text, rendition)
        }
        row.finish()
        guard !about.isEmpty else { return [row] }
        let rendition = isColoured ? InputColours.faint : ""
        return [row, ScreenRow("  " + SafeText.line(about), rendition: rendition, width: width - 1)]
    }

    /// The parts that fit: from the first one on, or around the current one.
    private func visible(width: Int) -> [Part] {
        func columns(_ parts: some Sequence<Part>) -> Int { parts.reduce(0) { $0 + DisplayWidth.of($1.text) } }
        guard columns(signature) > width else { return signature }
        let current = signature.firstIndex(where: \.isCurrent) ?? 0
        var first = 0
        while first < current && columns(signature[first...current]) > width - 8 { first += 1 }
        var parts = first > 0 ? [Part("…")] : []
        for part in signature[first...] {
            guard columns(parts) + DisplayWidth.of(part.text) <= width - 1 else { return parts + [Part("…")] }
            parts.append(part)
        }
        return parts
    }
}
