import Circulation
import TextFormats

// What is done.
extension Translation {
    /// The steps of a fact's operation: `checkout twice`, `cancel A, then cancel B`, `checkout at Martigny`.
    mutating func readSteps() throws {
        let isWhole = ["accrue", "reorder", "reminder fees"].contains { words.begins($0) }
        for text in isWhole ? [words.text] : words.steps {
            let (said, remark) = isWhole ? (text, nil) : Self.parted(text, ",")
            let (act, place) = Self.parted(said, " at ")
            var plain = act.split(separator: " ").map(String.init)
                .filter { !["once", "twice", "times", "each"].contains($0.lowercased()) }
            if words.times > 1 { plain.removeAll { NumberWords.number($0) != nil && $0.count > 2 || Int($0) != nil } }
            guard let known = TranslationTable.operation(plain.joined(separator: " ")) ?? again(text) else {
                throw NotExpressed("the operation \"\(text)\" is not in the table")
            }
            var step = known.operands
            step["op"] = .string(known.code)
            if let place, !isWhole { step[known.code == "place_hold" ? "pickup" : "branch"] = .string(place) }
            if known.code == "checkout_at_once" {
                let counts = text.split(separator: " ").compactMap { NumberWords.number($0) }
                step["times"] = .integer(counts.first { (2...20).contains($0) } ?? 2)
            }
            for preset in known.presets { set(preset.path, preset.value) }
            steps.append(step)
            if let remark, !["today", "now"].contains(remark.lowercased()) { try read(remark: remark) }
        }
        guard words.times > 1, let only = steps.first, steps.count == 1 else { return }
        // Who borrows twice borrows two copies; anything else is done again.
        guard code == "checkout", !words.names("again") else { return steps[0]["times"] = .integer(Int64(words.times)) }
        steps = (1...words.times).map { number in
            var step = only
            if number > 1 { step["copy"] = .string("copy-\(number)") }
            return step
        }
        set("copies", .array((1...words.times).map { ["name": .string($0 == 1 ? "copy" : "copy-\($0)")] }))
    }

    /// `then second`, `then again`: the operation before once more.
    private func again(_ text: String) -> TranslationTable.OperationEntry? {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        guard let first = words.first, ["again", "second", "third", "fourth", "once", "the"].contains(first),
            let step = steps.last, case .string(let code)? = step["op"]
        else { return nil }
        var operands = step
        operands["op"] = Optional<JSON>.none
        return TranslationTable.OperationEntry(text, to: code, operands)
    }

    /// What stands before the first of a text, and what stands behind it.
    private static func parted(_ text: String, _ mark: String) -> (first: String, second: String?) {
        guard let range = text.firstRange(of: mark) else { return (text, nil) }
        let rest = text[range.upperBound...].split(separator: " ").joined(separator: " ")
        return (String(text[..<range.lowerBound]), rest.isEmpty ? nil : rest)
    }

    /// What an operation says of the terms: `return of a lost item, restore policy`.
    private mutating func read(remark: String) throws {
        let plain = remark.lowercased().replacing(" policy", with: "")
        try take(JSONObject.Entry(key: "lost_return_policy", value: .string(plain)), "when.op")
    }
}
