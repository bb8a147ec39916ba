/// What can stand at the cursor.
package struct Completion: Hashable, Sendable {
    /// One of the things that fit.
    package struct Candidate: Hashable, Sendable {
        package var text: String
        /// What it is, in a few words.
        package var about: String
        /// What is typed behind it when it is the one: the quotation mark that ends a text, the `=` of an argument.
        package var ending: String

        package init(_ text: String, about: String = "", ending: String = "") {
            self.text = text
            self.about = about
            self.ending = ending
        }
    }

    /// What stands in front of the cursor and is a part of each candidate.
    package var typed: String
    /// In order, each text once.
    package var candidates: [Candidate]

    /// Whether there are more than these, so that what they have in common says nothing of all.
    package var isCut = false

    package static let none = Completion(typed: "", fitting: [])

    /// - Parameter candidates: all of which fit.
    package init(typed: String, fitting candidates: [Candidate]) {
        self.typed = typed
        self.candidates = candidates
    }

    /// Those among `candidates` that begin with `typed`, whatever the case if none does.
    package init(typed: String, among candidates: some Sequence<Candidate>) {
        let candidates = Array(candidates)
        var fitting = candidates.filter { $0.text.hasPrefix(typed) }
        if fitting.isEmpty {
            let folded = typed.lowercased()
            fitting = candidates.filter { $0.text.lowercased().hasPrefix(folded) }
        }
        var known: Set<String> = []
        self.init(
            typed: typed, fitting: fitting.sorted { $0.text < $1.text }.filter { known.insert($0.text).inserted })
    }

    package init(typed: String, among names: some Sequence<String>) {
        self.init(typed: typed, among: names.map { Candidate($0) })
    }

    /// What all candidates have in common, `typed` included; `typed` if they have less than that in common, or if there
    /// are more of them.
    package var common: String {
        guard !isCut, var common = candidates.first?.text else { return typed }
        for candidate in candidates.dropFirst() {
            common = String(zip(common, candidate.text).prefix { $0 == $1 }.map(\.0))
        }
        return common.count < typed.count ? typed : common
    }
}
