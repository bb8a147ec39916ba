import Circulation

/// A list of texts: which it has, and which stand where.
final class TextList {
    private let path: String
    private unowned let model: CaseModel
    private var members: [Int64: Condition] = [:]
    private var elements: [Int64: Number] = [:]
    private let words: [String]?

    init(_ path: String, _ model: CaseModel, _ words: [String]?) {
        self.path = path
        self.model = model
        self.words = words
    }

    func element(_ index: Int64) throws -> Value {
        let value = Value.text(.symbol(try number(at: index)))
        model.note("\(path)[\(index)]", value)
        return value
    }

    private func length() throws -> Number { try model.path.number("#\(path)", ProofDomain.listLength) }

    private func number(at index: Int64) throws -> Number {
        if let known = elements[index] { return known }
        let isFirst = elements.isEmpty
        let number = try variable(at: index)
        elements[index] = number
        model.path.journal.note { [self] in elements[index] = nil }
        // What it was asked to have on this way, also by what was put together of several.
        for text in model.path.declared.words(behind: "\(path) has ").sorted() {
            let (word, member) = (model.texts.number(of: text), try model.path.condition("\(path) has \(text)"))
            try relate(index, number, word, member)
            if isFirst { try relate(word, member) }
        }
        return number
    }

    private func variable(at index: Int64) throws -> Number {
        let number = try model.path.number("\(path)[\(index)]", CaseModel.texts)
        if let words {
            try model.path.assume(.some(words.map { number.equals(.constant(model.texts.number(of: $0))) }))
        }
        return number
    }

    func contains(_ text: Text) throws -> Condition {
        let wanted = model.texts.number(of: text)
        guard let word = wanted.constant else { return try model.path.condition("\(path) has \(wanted.smt)") }
        if let member = members[word] { return member }
        let member = try model.path.condition("\(path) has \(model.texts.word(word))")
        members[word] = member
        model.path.journal.note { [self] in members[word] = nil }
        // Such a list is not empty.
        try model.path.assume(member.implies(.constant(1) <= length()))
        for (index, number) in elements.sorted(by: { $0.key < $1.key }) { try relate(index, number, word, member) }
        if isLookedThrough { try relate(word, member) }
        return member
    }

    /// Whether elements are looked at one by one on this way, also by what was put together of several.
    private var isLookedThrough: Bool {
        !elements.isEmpty || [1, List.any].contains { model.path.declared.contains("\(path)[\($0)]") }
    }

    /// States that the list has a text that stands at a place, where it is so long.
    private func relate(_ index: Int64, _ number: Number, _ word: Int64, _ member: Condition) throws {
        let least = index < 0 ? Interpreter.mostRounds + 1 : index
        try model.path.assume((.constant(least) <= length() && number.equals(.constant(word))).implies(member))
    }

    /// States that the list has a text just where some element is it, where elements are looked at as well.
    private func relate(_ word: Int64, _ member: Condition) throws {
        let isThere = try model.path.isAny(of: path) { try variable(at: $0).equals(.constant(word)) }
        try model.path.assume(member.equals(isThere), named: "elements of \(path) with \(word)")
    }
}
