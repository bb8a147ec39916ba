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

    private func number(at index: Int64) throws -> Number {
        if let known = elements[index] { return known }
        let number = try model.path.number("\(path)[\(index)]", CaseModel.texts)
        elements[index] = number
        model.path.journal.note { [self] in elements[index] = nil }
        if let words {
            try model.path.assume(.some(words.map { number.equals(.constant(model.texts.number(of: $0))) }))
        }
        for (word, member) in members.sorted(by: { $0.key < $1.key }) {
            try model.path.assume(number.equals(.constant(word)).implies(member))
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
        let length = try model.path.number("#\(path)", ProofDomain.listLength)
        try model.path.assume(member.implies(.constant(1) <= length))
        for number in elements.sorted(by: { $0.key < $1.key }).map(\.value) {
            try model.path.assume(number.equals(.constant(word)).implies(member))
        }
        return member
    }
}
