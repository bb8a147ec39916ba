import LuaSyntax

/// What it means for a text of the case to begin with a word, however functions ask for that: `match("^REF")`,
/// `find("^REF%-%d")`, `sub(1, 3) == "REF"`.
struct Beginning {
    let letters: String
    /// What is so only where the text begins with them.
    let condition: Condition
    /// Whether it is so of each such text.
    let isExact: Bool

    /// What is so of each text, of this and another.
    fileprivate func relation(to other: Beginning) -> Condition {
        let (one, another) = (letters.utf8, other.letters.utf8)
        var relation = Condition.constant(true)
        if one.starts(with: another), other.isExact { relation = relation && condition.implies(other.condition) }
        if another.starts(with: one), isExact { relation = relation && other.condition.implies(condition) }
        if !one.starts(with: another), !another.starts(with: one) {
            relation = relation && (condition && other.condition).negated
        }
        return relation
    }

    /// Of a pattern that begins with letters; nil for another.
    init?(pattern: String, condition: Condition) {
        var rest = pattern.unicodeScalars[...]
        guard rest.popFirst() == "^" else { return nil }
        var letters = String.UnicodeScalarView()
        var isExact = true
        while isExact, let character = rest.popFirst() {
            if character == "%", let next = rest.first, !next.isLetterOrDigit {
                letters.append(next)
                rest.removeFirst()
            } else if "^$*+?.([%-)".unicodeScalars.contains(character) {
                isExact = false
                break
            } else {
                letters.append(character)
            }
            guard let next = rest.first, "*+?-".unicodeScalars.contains(next) else { continue }
            isExact = false
            // It may be missing.
            if next != "+" { letters.removeLast() }
        }
        self.init(letters: String(letters), condition: condition, isExact: isExact)
    }

    init(letters: String, condition: Condition, isExact: Bool) {
        (self.letters, self.condition, self.isExact) = (letters, condition, isExact)
    }
}

extension Unicode.Scalar {
    /// As classes of patterns are named.
    fileprivate var isLetterOrDigit: Bool { isASCII && (properties.isAlphabetic || ("0"..."9").contains(self)) }
}

extension Interpreter {
    /// States how what a function tells of the beginning of a text goes together with what others do.
    ///
    /// - Parameters:
    ///   - name: the function, with its arguments.
    ///   - result: whether it finds anything, or what it gives.
    func relate(beginningBy name: String, _ function: String, _ arguments: [Value], _ result: BeginningResult) throws {
        guard case .text(.symbol(let subject))? = arguments.first else { return }
        var beginnings: [Beginning] = []
        switch (function, result) {
        case ("match", .isFound(let condition)), ("find", .isFound(let condition)):
            guard arguments.count == 2, case .text(.known(let pattern)) = arguments[1],
                let beginning = Beginning(pattern: pattern, condition: condition)
            else { return }
            beginnings = [beginning]
        case ("sub", .text(let number)):
            guard arguments.count == 3, case .integer(.constant(1)) = arguments[1],
                case .integer(.constant(let count)) = arguments[2], count > 0
            else { return }
            beginnings = texts.literals.filter { $0.utf8.count == count }.map {
                Beginning(letters: $0, condition: number.equals(.constant(texts.number(of: $0))), isExact: true)
            }
        default: return
        }
        let others = library.beginnings[subject] ?? [:]
        for (other, known) in others.sorted(by: { $0.key < $1.key }) where other != name {
            let pairs = beginnings.flatMap { one in known.map { one.relation(to: $0) } }
            try path.assume(.every(pairs), named: "\(min(name, other)) and \(max(name, other))")
        }
        library.beginnings[subject, default: [:]][name] = beginnings
    }

    enum BeginningResult {
        case isFound(Condition)
        case text(Number)
    }
}
