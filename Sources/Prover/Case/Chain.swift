import Circulation

/// A code of a case and the codes above it: of a category, an item type, a branch.
final class Chain {
    let name: String
    private let meaning: CaseMeaning
    private unowned let model: CaseModel
    /// For each text asked about whether the code is it or lies below it.
    private(set) var members: [String: Condition] = [:]
    private(set) var code: Number?
    /// The codes above it that were looked at by their place, from 2 on.
    private var placed: [Int64: Number] = [:]

    init(_ name: String, _ meaning: CaseMeaning, _ model: CaseModel) {
        self.name = name
        self.meaning = meaning
        self.model = model
    }

    /// Whether a variable is of a chain's own code, or of how many codes lie above it, and not of what it lies below.
    static func isOfCode(_ name: String) -> (String) -> Bool {
        let list = listName(of: name)
        return { $0 == name || $0.contains("\(list)[") || $0 == "#\(list)" }
    }

    /// What the list of a code and those above it is called.
    static func listName(of name: String) -> String { name + above }

    /// Ends what such a list is called.
    static let above = " and above"

    private var listName: String { Self.listName(of: name) }

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
            for (word, member) in try asked() { try relate(word, member, number) }
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
        if model.path.declared.contains(name) { try relate(word, member, first()) }
        if model.path.declared.contains("#\(listName)") { try relateLength() }
        for (place, number) in placed.sorted(by: { $0.key < $1.key }) { try relate(place, number, word, member) }
        if isLookedThrough { try relate(word, member) }
        return member
    }

    /// What the code was asked to lie below on this way, also by what was put together of several.
    private func asked() throws -> [(word: String, member: Condition)] {
        try model.path.declared.words(behind: "\(name) below ").sorted().map {
            ($0, try model.path.condition("\(name) below \($0)"))
        }
    }

    private func relate(_ word: String, _ member: Condition, _ code: Number) throws {
        try model.path.assume(code.equals(.constant(model.texts.number(of: word))).implies(member))
    }

    // MARK: - Codes by their place

    /// Whether codes above it are looked at one by one on this way, also by what was put together of several.
    private var isLookedThrough: Bool {
        !placed.isEmpty || [2, List.any].contains { model.path.declared.contains("\(listName)[\($0)]") }
    }

    /// How many codes there are with those above.
    private func length() throws -> Number {
        if let (part, known) = fixed { return .constant(Int64(known.depth(part))) }
        if let tree { return try ofTree(tree, else: 1) { Int64($0.count) } }
        let length = try model.path.number("#\(listName)", ProofDomain.listLength)
        try model.path.assume(.constant(1) <= length && length <= .constant(100))
        try relateLength()
        return length
    }

    /// States that there are as many codes at least as are known to stand above it.
    private func relateLength() throws {
        let members = try asked()
        guard tree == nil, !members.isEmpty else { return }
        let code = try first()
        let length = try model.path.number("#\(listName)", ProofDomain.listLength)
        let above = members.reduce(Number.constant(1)) { count, asked in
            let isAbove = asked.member && code.equals(.constant(model.texts.number(of: asked.word))).negated
            return count + .either(isAbove, .constant(1), .constant(0))
        }
        try model.path.assume(above <= length, named: "\(members.count) above \(name)")
    }

    /// A number that is known of each code of the library with those above it.
    private func ofTree(
        _ tree: [String: [String]], else other: Int64, _ number: ([String]) -> Int64?
    ) throws -> Number {
        let code = try first()
        return tree.sorted { $0.key < $1.key }.reduce(.constant(other)) { rest, entry in
            guard let value = number([entry.key] + entry.value) else { return rest }
            return .either(code.equals(.constant(model.texts.number(of: entry.key))), .constant(value), rest)
        }
    }

    /// The code at a place, 1 being the code itself.
    private func number(at place: Int64) throws -> Number {
        if place == 1 { return try first() }
        if let known = placed[place] { return known }
        let isFirst = placed.isEmpty
        let number: Number
        if let tree, place > 0 {
            number = try ofTree(tree, else: 0) { codes in
                Int(exactly: place).flatMap { $0 <= codes.count ? model.texts.number(of: codes[$0 - 1]) : nil }
            }
        } else {
            number = try variable(at: place)
        }
        placed[place] = number
        model.path.journal.note { [self] in placed[place] = nil }
        guard tree == nil else { return number }
        for (word, member) in try asked() {
            try relate(place, number, word, member)
            if isFirst { try relate(word, member) }
        }
        return number
    }

    private func variable(at place: Int64) throws -> Number {
        place == 1 ? try first() : try model.path.number("\(listName)[\(place)]", CaseModel.texts)
    }

    /// States that the code lies below the one that stands at a place, where there are so many.
    private func relate(_ place: Int64, _ number: Number, _ word: String, _ member: Condition) throws {
        let least = place < 0 ? List.rounds(of: listName) + 1 : place
        let isThere = try .constant(least) <= length()
        let isWord = number.equals(.constant(model.texts.number(of: word)))
        try model.path.assume((isThere && isWord).implies(member))
    }

    /// States that the code lies below another just where some code of the list is that, where they are looked at as well.
    private func relate(_ word: String, _ member: Condition) throws {
        let wanted = Number.constant(model.texts.number(of: word))
        let isThere = try model.path.isAny(of: listName) { try variable(at: $0).equals(wanted) }
        try model.path.assume(member.equals(isThere), named: "codes of \(listName) with \(word)")
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
            return try ofTree(tree, else: Self.far) { codes in codes.firstIndex(of: word).map(Int64.init) }
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
            listName, length: { [self] in try length() },
            element: { [self] index in
                if let (part, known) = fixed {
                    return try known.text(Int(clamping: index), part, on: model.path).map { .text($0) } ?? .null
                }
                return .text(.symbol(try number(at: index)))
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
        func depth(_ code: String) -> Int64 { assignment.numbers["\(name) depth of \(code)"] ?? .max }
        var above = asked.filter(\.value).map { String($0.key.dropFirst(prefix.count)) }.filter { $0 != word }
            .sorted { (depth($0), $0) < (depth($1), $1) }
        // Those that were looked at by their place stand there.
        let list = listName(of: name)
        guard let length = assignment.numbers["#\(list)"], length <= mostWritten else { return [word] + above }
        let placed = (2..<max(2, length + 1)).map { place in
            let isFirstBehind = place == List.rounds(of: list) + 1
            let number = assignment.numbers["\(list)[\(place)]"]
            return (number ?? (isFirstBehind ? assignment.numbers["\(list)\(List.standing)"] : nil)).map(texts.word)
        }
        above.removeAll(where: placed.contains)
        var codes = [word]
        for (index, code) in placed.enumerated() {
            let next = code ?? (above.isEmpty ? "\(word) \(index + 2)" : above.removeFirst())
            if !codes.contains(next) { codes.append(next) }
        }
        return codes + above
    }

    /// With more codes above it than this a case is not written as it is meant.
    private static let mostWritten: Int64 = 20
}
