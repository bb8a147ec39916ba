extension Interpreter {
    /// What `tostring` gives.
    func text(of value: Value, _ site: Site) throws -> Value {
        switch value {
        case .text: return value
        case .null: return .text("nil")
        case .flag(let condition): return .text(try path.holds(condition) ? "true" : "false")
        case .integer(.constant), .float:
            return try PlainValue(value).map { try library.reckoned("tostring", [$0], site).first ?? .null } ?? .null
        case .integer(let number):
            let text = try text(named: "(tostring \(number.smt))", site)
            library.note("(tostring \(number.smt))", "tostring", [value])
            guard case .text(let made) = text else { return text }
            // A text that stands in the sources is the text of one number, or of none.
            let name = "tostring \(number.smt)"
            var (ofText, ofNumber): ([Int64: Condition], [Int64: Condition]) = ([:], [:])
            for word in texts.literals {
                let known = Int64(word).flatMap { "\($0)" == word ? $0 : nil }
                ofText[texts.number(of: word)] = known.map { number.equals(.constant($0)) } ?? .constant(false)
                if let known { ofNumber[known] = texts.number(of: made).equals(.constant(texts.number(of: word))) }
            }
            try library.state(name, path) { Relation(of: texts.number(of: made), ofText) }
            try library.state("\(name) back", path) { Relation(of: number, ofNumber) }
            return text
        default:
            let text = try text(named: "(tostring \(name(of: value)))", site)
            if case .opaque(let name) = value, case .text(let made) = text { try relate(text: made, toNumber: name) }
            return text
        }
    }

    /// The whole numbers that are told apart where a text is read as one.
    static let readNumbers: ClosedRange<Int64> = -1_000_000_000...1_000_000_000

    /// What `math.type` answers of a number of the case; nil where that is not known.
    func kind(ofNumber name: String, _ site: Site) throws -> Value? {
        if let kind = Value.opaque(name).numberKind { return .text(kind) }
        guard library.calls[name]?.function == "tonumber" else { return nil }
        // It has a fraction, or is too great to be told from others.
        path.approximate(site.unsettled("a text that is read as a number"))
        return .text(try path.holds(path.condition("\(name) is whole and great")) ? "integer" : "float")
    }

    /// What `math.tointeger` gives of a number of the case that need not be whole; nil where that is not known.
    func whole(ofNumber name: String, _ site: Site) throws -> Value? {
        guard let place = try place(ofNumber: name), let kind = try kind(ofNumber: name, site) else { return nil }
        guard case .text(.known("float")) = kind else {
            let number = try path.number("\(name)\(Self.great)", -Self.greatest...Self.greatest)
            try path.assume(
                (.constant(Self.readNumbers.upperBound) < number) || (number < .constant(Self.readNumbers.lowerBound)),
                named: "\(name)\(Self.great)")
            return .integer(number)
        }
        guard try path.holds(place.modulo(Fraction.steps).equals(.constant(0))) else { return .null }
        return .integer(place.divided(by: Fraction.steps))
    }

    /// Ends what a number is called that is too great to be told from others.
    static let great = " as a great number"
    private static let greatest: Int64 = 4_000_000_000_000_000_000

    /// What `tonumber` gives of a text of the case: nothing, a whole number, or another.
    func number(of value: Value, _ site: Site) throws -> Value {
        switch value {
        case .integer, .float, .opaque: return value
        case .text(.symbol(let number)):
            path.approximate(site.unsettled("a text that is read as a number"))
            let made = "(tonumber \(number.smt))"
            library.note(made, "tonumber", [value])
            let (isThere, isWhole) = (try path.condition("\(made) is there"), try path.condition("\(made) is whole"))
            let bounds = Self.readNumbers
            let (whole, place) = (try path.number(made, bounds), try place(ofNumber: made))
            try library.relate("tonumber", [value], self) { found in
                switch found.first {
                case .null?, nil: isThere.negated
                // One beyond the bounds is a number of which no more is known.
                case .integer(.constant(let known))? where bounds.contains(known):
                    isThere && isWhole && whole.equals(.constant(known))
                case .float(let known)?:
                    isThere && isWhole.negated
                        && (Fraction.place(of: known).flatMap { place?.equals(.constant($0)) } ?? .constant(true))
                default: isThere && isWhole.negated
                }
            }
            guard try path.holds(isThere) else { return .null }
            return try path.holds(isWhole) ? .integer(whole) : .opaque(made)
        default: return .null
        }
    }
}
