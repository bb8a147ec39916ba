/// Finds texts that stand nowhere in the sources: such that functions of Lua's libraries make of them what lets a case go a way.
///
/// It tries what the functions themselves suggest: the results that are known, a number as it is written, what a pattern finds.
/// What a case comes to is held against the desk anyway.
struct FittingTexts {
    private let library: Library
    private let texts: Texts
    private let conditions: [Condition]
    /// What the variables are with these texts.
    private(set) var assignment: Assignment
    /// Those that were found, by the numbers of which no text stands in the sources.
    private(set) var found: [Int64: String] = [:]

    /// A call of a function on a text, and those on what it gives.
    fileprivate struct Call {
        let name: String
        let function: String
        let rest: [PlainValue]
        let further: [Call]
    }

    /// The same, with the text.
    private typealias Found = (subject: Number, name: String, function: String, rest: [PlainValue])

    private static let mostCandidates = 400
    private static let mostLetters: Int64 = 1_000

    /// - Parameter conditions: what makes a case go the way.
    init(_ library: Library, _ texts: Texts, _ conditions: [Condition], _ assignment: Assignment) {
        (self.library, self.texts, self.conditions, self.assignment) = (library, texts, conditions, assignment)
        let all = library.calls.sorted { $0.key < $1.key }.compactMap { name, call -> Found? in
            guard case .text(.symbol(let subject))? = call.arguments.first else { return nil }
            let rest = call.arguments.dropFirst().compactMap { PlainValue($0) }
            guard rest.count == call.arguments.count - 1 else { return nil }
            return (subject, name, call.function, rest)
        }
        // Those on what a function gives, by that function.
        let further = Dictionary(grouping: all) { library.calls[$0.subject.name] == nil ? "" : $0.subject.name }
        func call(_ found: Found) -> Call {
            let inner = (further[found.name] ?? []).map(call)
            return Call(name: found.name, function: found.function, rest: found.rest, further: inner)
        }
        var asked: [Int64: [Call]] = [:]
        for found in further[""] ?? [] {
            guard let number = assignment.value(found.subject), texts.known(number) == nil else { continue }
            asked[number, default: []].append(call(found))
        }
        for (number, calls) in asked.sorted(by: { $0.key < $1.key }) { find(number, calls) }
    }

    private mutating func find(_ number: Int64, _ calls: [Call]) {
        let names = calls.reduce(into: Set<String>()) { $1.collect(into: &$0) }
        let about = conditions.filter { condition in
            condition.variables.contains { name in names.contains { name.contains($0) } }
        }
        for text in candidates(calls) {
            var changed = assignment
            guard set(&changed, text, calls), about.allSatisfy({ changed.value($0) ?? true }) else { continue }
            (assignment, found[number]) = (changed, text)
            return
        }
    }

    // MARK: - What comes of a text

    /// Sets what functions make of a text; false where one raises an error.
    private func set(_ assignment: inout Assignment, _ text: String, _ calls: [Call]) -> Bool {
        for call in calls {
            guard let values = try? library.reckon(call.function, [.text(text)] + call.rest) else { return false }
            let first = values.first ?? .null
            assignment.conditions["\(call.name) is there"] = first != .null
            if first == .null { continue }
            if call.function == "tonumber" {
                setNumber(&assignment, first, call.name)
            } else {
                assignment.numbers[call.name] = number(first)
            }
            for place in values.indices.dropFirst() {
                assignment.numbers["capture \(place + 1) of \(call.name)"] = number(values[place])
                if place > 1 { continue }
                let name = call.function == "string.find" ? "end of \(call.name)" : "changes of \(call.name)"
                assignment.numbers[name] = number(values[place])
            }
            if case .text(let made) = first, !set(&assignment, made, call.further) { return false }
        }
        return true
    }

    private func setNumber(_ assignment: inout Assignment, _ value: PlainValue, _ name: String) {
        let isWhole = value.isGreat == false
        assignment.conditions["\(name) is whole"] = isWhole
        assignment.conditions["\(name) is whole and great"] = value.isGreat == true
        assignment.numbers[isWhole ? name : name + Interpreter.great] = number(value)
        assignment.numbers[Fraction.name(name)] = value.fraction.flatMap(Fraction.place)
    }

    private func number(_ value: PlainValue) -> Int64? {
        switch value {
        case .text(let text): texts.isKnown(text) ? texts.number(of: text) : Texts.first - 1
        case .integer(let number): number
        default: nil
        }
    }

    // MARK: - What is tried

    private func candidates(_ calls: [Call]) -> [String] {
        var suggested: [String] = []
        var lengths: [Int64] = []
        suggest(calls, &suggested, &lengths)
        var tried = ["other"] + suggested
        for text in suggested { tried += [text.uppercased(), text.lowercased(), "\(text)x", "x\(text)", "\(text)1"] }
        for text in suggested { tried += suggested.flatMap { ["\(text)\($0)", "\(text) \($0)"] } }
        tried += ["x", "1", "other text 1", ""]
        for length in lengths where (0...Self.mostLetters).contains(length) {
            // A text of that length comes first.
            tried = tried.prefix(Self.mostCandidates / 2).map { $0.padded(to: Int(length)) } + tried
        }
        return Array(tried.prefix(Self.mostCandidates))
    }

    private func suggest(_ calls: [Call], _ texts: inout [String], _ lengths: inout [Int64]) {
        for call in calls {
            let number = assignment.numbers[call.name]
            let word = number.flatMap { number in
                if case .known(let word)? = self.texts.known(number) { word } else { nil }
            }
            switch (call.function, call.rest.first) {
            case ("tonumber", _): texts += read(call.name)
            case ("string.len", _): lengths += number.map { [$0] } ?? []
            case ("string.byte", _):
                texts += number.flatMap { UInt8(exactly: $0) }.map { [String(UnicodeScalar($0))] } ?? []
            case ("string.find", .text(let pattern)?) where call.rest.count > 1: texts.append(pattern)
            case ("string.find", .text(let pattern)?), ("string.match", .text(let pattern)?):
                texts.append(PatternSample.text(pattern))
                texts += word.map { [PatternSample.text(pattern, capturing: $0), $0] } ?? []
            case ("string.reverse", _): texts += word.map { [String($0.reversed())] } ?? []
            default: texts += word.map { [$0] } ?? []
            }
            suggest(call.further, &texts, &lengths)
        }
    }

    /// A number as it is written.
    private func read(_ name: String) -> [String] {
        guard assignment.conditions["\(name) is there"] ?? true else { return [] }
        if assignment.conditions["\(name) is whole"] ?? true { return ["\(assignment.numbers[name] ?? 1)"] }
        let place = assignment.numbers[Fraction.name(name)] ?? Fraction.steps / 2
        return ["\(Fraction.number(at: place))", "\(Interpreter.readNumbers.upperBound)0"]
    }
}

/// A text that a pattern of Lua finds.
private enum PatternSample {
    /// - Parameter word: what the first capture is to be.
    static func text(_ pattern: String, capturing word: String? = nil) -> String {
        var (rest, made, start) = (Substring(pattern), "", nil as String.Index?)
        var isFirst = true
        if rest.first == "^" { rest.removeFirst() }
        while let character = rest.popFirst() {
            let letter: String
            switch character {
            case "(":
                start = made.endIndex
                continue
            case ")":
                if let start, isFirst, let word { made.replaceSubrange(start..., with: word) }
                isFirst = false
                continue
            case "$" where rest.isEmpty: continue
            case ".": letter = "x"
            case "%": letter = rest.popFirst().map(Self.member) ?? ""
            case "[": letter = member(ofSet: &rest)
            default: letter = String(character)
            }
            switch rest.first {
            case "*", "-", "?": rest.removeFirst()
            case "+":
                rest.removeFirst()
                made += letter
            default: made += letter
            }
        }
        return made
    }

    /// One of the characters of a class.
    private static func member(of kind: Character) -> String {
        switch kind {
        case "a", "l", "w", "x", "g": "a"
        case "u": "A"
        case "d": "1"
        case "s": " "
        case "p": "."
        case "A", "L", "W", "X", "U", "P", "S": "1"
        case "D": "a"
        default: String(kind)
        }
    }

    private static func member(ofSet rest: inout Substring) -> String {
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var members: [Character] = []
        while let character = rest.popFirst(), character != "]" || members.isEmpty {
            members.append(character == "%" ? Character(rest.popFirst().map(member) ?? "%") : character)
        }
        if !isNegated { return String(members.first ?? "x") }
        return ["x", "1", "A", " ", "."].first { !members.contains(Character($0)) } ?? "x"
    }
}

extension Number {
    /// What the variable that it is is called; empty for another number.
    fileprivate var name: String { if case .variable(let variable) = self { variable.name } else { "" } }
}

extension FittingTexts.Call {
    func collect(into names: inout Set<String>) {
        names.insert(name)
        for call in further { call.collect(into: &names) }
    }
}

extension String {
    /// Of so many bytes, as far as that goes.
    fileprivate func padded(to length: Int) -> String {
        utf8.count < length ? self + String(repeating: "x", count: length - utf8.count) : String(prefix(length))
    }
}
