import Circulation

/// A code of a case and the codes above it: of a category, an item type, a branch.
final class Chain {
    let name: String
    private let meaning: CaseMeaning
    private unowned let model: CaseModel
    /// For each text asked about whether the code is it or lies below it.
    private(set) var members: [String: Condition] = [:]
    private(set) var code: Number?

    init(_ name: String, _ meaning: CaseMeaning, _ model: CaseModel) {
        self.name = name
        self.meaning = meaning
        self.model = model
    }

    /// Whether a variable is of a chain's own code, or of how many codes lie above it, and not of what it lies below.
    static func isOfCode(_ name: String) -> (String) -> Bool {
        { $0 == name || $0.hasPrefix("\(name) level") || $0.hasPrefix("\(name) depth") }
    }

    private var tree: [String: [String]]? { model.domain.codes.tree(meaning) }

    /// Where its codes are those of one combination.
    private var fixed: (part: Combination.Part, known: KnownCombination)? {
        guard let part = Combination.Part(rawValue: name), let known = model.known else { return nil }
        return (part, known)
    }

    /// The code itself, as policies read it.
    func text() throws -> Text {
        try fixed.flatMap { try $0.known.text(1, $0.part, on: model.path) } ?? .symbol(first())
    }

    /// The code itself.
    func first() throws -> Number {
        if let (part, known) = fixed, let text = try known.text(1, part, on: model.path) {
            return model.texts.number(of: text)
        }
        if let code { return code }
        let number = try model.path.number(name, CaseModel.texts)
        code = number
        model.path.journal.note { [self] in code = nil }
        if let tree {
            let known = tree.keys.sorted().map { number.equals(.constant(model.texts.number(of: $0))) }
            try model.path.assume(.some(known))
        } else {
            for (word, member) in members.sorted(by: { $0.key < $1.key }) { try relate(word, member, number) }
        }
        return number
    }

    /// Whether the code is `word`, or lies below it.
    func contains(_ word: String) throws -> Condition {
        if let (part, known) = fixed { return .constant(known.contains(word, part)) }
        if let member = members[word] { return member }
        if let tree {
            let number = try first()
            let below = tree.filter { $0.key == word || $0.value.contains(word) }.keys.sorted()
            let member = Condition.some(below.map { number.equals(.constant(model.texts.number(of: $0))) })
            members[word] = member
            model.path.journal.note { [self] in members[word] = nil }
            return member
        }
        let member = try model.path.condition("\(name) below \(word)")
        members[word] = member
        model.path.journal.note { [self] in members[word] = nil }
        if let code { try relate(word, member, code) }
        return member
    }

    private func relate(_ word: String, _ member: Condition, _ code: Number) throws {
        try model.path.assume(code.equals(.constant(model.texts.number(of: word))).implies(member))
    }

    /// How far the nearest of some codes lies above the code, 0 being the code itself; more than any where none does.
    func distance(to words: [String]) throws -> Number {
        try words.reduce(.constant(Self.far)) { distance, word in
            .either(try contains(word), try depth(of: word), .constant(Self.far)).least(distance)
        }
    }

    private static let far: Int64 = 1_000

    /// How far a code lies above this one, where it does.
    private func depth(of word: String) throws -> Number {
        if let (part, known) = fixed {
            return .constant(known.codes(part).firstIndex(of: word).map(Int64.init) ?? Self.far)
        }
        let member = try contains(word)
        if let tree {
            let number = try first()
            return tree.sorted { $0.key < $1.key }.reduce(.constant(Self.far)) { depth, entry in
                guard let place = ([entry.key] + entry.value).firstIndex(of: word) else { return depth }
                return .either(
                    number.equals(.constant(model.texts.number(of: entry.key))), .constant(Int64(place)), depth)
            }
        }
        let depth = try model.path.number("\(name) depth of \(word)", 0...100)
        let isCode = try first().equals(.constant(model.texts.number(of: word)))
        try model.path.assume(depth.equals(.constant(0)).equals(isCode), named: "\(name) is \(word)")
        for (other, condition) in members.sorted(by: { $0.key < $1.key }) where other != word {
            let another = try model.path.number("\(name) depth of \(other)", 0...100)
            try model.path.assume(
                (member && condition).implies(depth.equals(another).negated), named: "\(name) \(word) beside \(other)")
        }
        return depth
    }

    func containsAny(_ words: [String]) throws -> Condition { .some(try words.map(contains)) }

    /// As policies read it.
    var list: List {
        List(
            name + " and above",
            length: { [self] in
                if let (part, known) = fixed { return .constant(Int64(known.depth(part))) }
                if let tree {
                    // As many as the code at hand has.
                    let number = try first()
                    return tree.sorted { $0.key < $1.key }.reduce(.constant(1)) { length, entry in
                        .either(
                            number.equals(.constant(model.texts.number(of: entry.key))),
                            .constant(Int64(entry.value.count + 1)), length)
                    }
                }
                return try model.path.number("\(name) depth", 1...100)
            },
            element: { [self] index in
                if let (part, known) = fixed {
                    return try known.text(Int(clamping: index), part, on: model.path).map { .text($0) } ?? .null
                }
                if index == 1 { return .text(.symbol(try first())) }
                return .text(.symbol(try model.path.number("\(name) level \(index)", CaseModel.texts)))
            },
            contains: { [self] text in
                guard case .known(let word) = text else {
                    if let (part, known) = fixed {
                        let wanted = model.texts.number(of: text)
                        return .some(try known.numbers(part, on: model.path).map(wanted.equals))
                    }
                    return try model.path.condition("\(name) below \(model.texts.number(of: text).smt)")
                }
                return try contains(word)
            })
    }

    /// The codes of a chain as a case in hand has them; nil where nothing was asked of them.
    static func codes(
        _ name: String, _ tree: [String: [String]]?, in assignment: Assignment, _ texts: Texts
    ) -> [String]? {
        let prefix = "\(name) below "
        let asked = assignment.conditions.filter { $0.key.hasPrefix(prefix) }
        if assignment.numbers[name] == nil && asked.isEmpty { return nil }
        let word = assignment.numbers[name].map(texts.word) ?? "other"
        if let tree { return [word] + (tree[word] ?? []) }
        let above = asked.filter(\.value).map { String($0.key.dropFirst(prefix.count)) }.filter { $0 != word }
        func depth(_ code: String) -> Int64 { assignment.numbers["\(name) depth of \(code)"] ?? .max }
        return [word] + above.sorted { (depth($0), $0) < (depth($1), $1) }
    }
}
