/// Which calls of functions of texts a proof knows all results of, where a text of the case is among the arguments: how many
/// there are, and that no error is raised.
enum TextArguments {
    /// - Parameter arguments: the first is a text or a number.
    static func areSettled(_ name: String, _ arguments: [Value]) -> Bool {
        let rest = arguments.dropFirst()
        switch name {
        case "lower", "upper", "reverse", "len": return rest.isEmpty
        case "sub": return (1...2).contains(rest.count) && rest.allSatisfy(\.isWhole)
        case "byte": return rest.isEmpty
        case "rep":
            guard rest.count == 1, case .integer(.constant(let count))? = rest.first else { return false }
            return count <= 100
        case "format": return isSettled(format: arguments)
        case "find":
            if rest.count == 3, case .flag(.constant(true))? = rest.last {
                return rest.first?.isText ?? false && rest.dropFirst().first?.isWhole ?? false
            }
            return rest.count == 1 && isSettled(pattern: rest.first, captures: 0...0)
        case "match": return rest.count == 1 && isSettled(pattern: rest.first, captures: 0...mostCaptures)
        case "gsub":
            guard rest.count == 2, case .text(.known(let replacement))? = rest.last else { return false }
            return isSettled(pattern: rest.first, captures: 0...1) && !replacement.contains("%")
        default: return false
        }
    }

    /// How many texts `match` gives at most.
    private static let mostCaptures = 8

    /// Whether a pattern is one that never fails, with so many captures.
    private static func isSettled(pattern: Value?, captures: ClosedRange<Int>) -> Bool {
        self.captures(ofPattern: pattern).map(captures.contains) ?? false
    }

    /// How many captures a pattern has that never fails; nil where it may fail, or captures a place.
    static func captures(ofPattern pattern: Value?) -> Int? {
        guard case .text(.known(let pattern))? = pattern else { return nil }
        var (isOpen, count) = (false, 0)
        var rest = Substring(pattern)
        while let character = rest.popFirst() {
            switch character {
            case "%":
                // Not a balance, a frontier or what was captured before.
                guard let of = rest.popFirst(), of != "b", of != "f", !of.isNumber else { return nil }
            case "[":
                if rest.first == "^" { rest.removeFirst() }
                if rest.first == "]" { rest.removeFirst() }
                var isClosed = false
                while !isClosed, let inside = rest.popFirst() {
                    if inside == "%", rest.popFirst() == nil { return nil }
                    isClosed = inside == "]"
                }
                if !isClosed { return nil }
            case "(":
                // An empty one captures a place.
                if isOpen || rest.first == ")" { return nil }
                (isOpen, count) = (true, count + 1)
            case ")":
                if !isOpen { return nil }
                isOpen = false
            default: break
            }
        }
        return isOpen ? nil : count
    }

    /// Whether what a format makes has letters whatever it is given: something stands in it besides texts.
    static func isNeverEmpty(format: Value?) -> Bool {
        guard case .text(.known(let format))? = format else { return false }
        var rest = Substring(format)
        while rest.hasPrefix("%"), let kind = rest.firstIndex(where: \.isLetter), rest[kind] == "s" {
            rest = rest[rest.index(after: kind)...]
        }
        return !rest.isEmpty
    }

    /// Whether each part of a format fits its argument.
    private static func isSettled(format arguments: [Value]) -> Bool {
        guard case .text(.known(let format))? = arguments.first else { return false }
        var (rest, values) = (Substring(format), arguments.dropFirst())
        while let character = rest.popFirst() {
            guard character == "%" else { continue }
            let flags = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" }
            rest.removeFirst(flags.count)
            guard flags.count < 5, let kind = rest.popFirst() else { return false }
            if kind == "%" { continue }
            guard let value = values.popFirst() else { return false }
            switch kind {
            case "s": continue
            case "d": guard value.isWhole else { return false }
            case "f", "g": guard value.isNumber else { return false }
            default: return false
            }
        }
        return true
    }
}

extension Value {
    fileprivate var isWhole: Bool { if case .integer = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .float, .opaque: true
        default: false
        }
    }
}
