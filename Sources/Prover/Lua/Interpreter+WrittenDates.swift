import Circulation

/// Dates that are written with numbers of the case, such as `date(("%d-06-30"):format(today.year + 1))`.
extension Interpreter {
    /// A part of a text that is put together.
    private enum Piece {
        case letters(String)
        /// With zeros before it up to a width.
        case number(Number, width: Int)
    }

    /// The date that a text is; nil where that is not known.
    func date(written text: Text, _ site: Site) throws -> Value? {
        guard let pieces = pieces(of: .text(text)), let fields = Self.fields(pieces), fields.count == 3 else {
            return nil
        }
        let noDate = Raised("date: a text that is put together is no date", at: site)
        guard let year = try number(fields[0], digits: 4, site), let month = try number(fields[1], digits: 2, site),
            let day = try number(fields[2], digits: 2, site)
        else { throw noDate }
        guard try path.holds(.constant(1) <= year) else { throw noDate }
        var known: Int64?
        for candidate in 1...12 where known == nil {
            if try path.holds(month.equals(.constant(Int64(candidate)))) { known = Int64(candidate) }
        }
        guard let known else { throw noDate }
        let length = Number.days(ofMonth: known, in: year)
        guard try path.holds(.constant(1) <= day && day <= length) else { throw noDate }
        return .date(.day(year: year, month: known, day: day))
    }

    /// The year that a day lies in.
    func year(of day: Number) throws -> Number {
        if let day = day.constant, let date = try? CivilDate(dayNumber: day) { return .constant(Int64(date.year)) }
        func year(_ day: Int64?, otherwise year: Int64) -> Int64 {
            day.flatMap { try? CivilDate(dayNumber: $0) }.map { Int64($0.year) } ?? year
        }
        let name = "year of \(day.smt)"
        let bounds = year(day.bounds?.lowerBound, otherwise: -3_000)...year(day.bounds?.upperBound, otherwise: 9_999)
        let number = try path.number(name, bounds)
        library.years[name] = day
        let first = Number.firstDay(ofYear: number)
        try path.assume(first <= day && day < first + .length(ofYear: number), named: name)
        return number
    }

    /// What a text is put together of; nil where that is not known.
    private func pieces(of value: Value) -> [Piece]? {
        switch value {
        case .text(.known(let text)): return [.letters(text)]
        case .integer(let number): return [.number(number, width: 0)]
        case .text(.symbol(.variable(let variable))):
            guard let call = library.calls[variable.name] else { return nil }
            switch call.function {
            case "..", "tostring":
                let pieces = call.arguments.map(pieces)
                return pieces.contains { $0 == nil } ? nil : pieces.flatMap { $0 ?? [] }
            case "string.format": return formatted(call.arguments)
            default: return nil
            }
        default: return nil
        }
    }

    private func formatted(_ arguments: [Value]) -> [Piece]? {
        guard case .text(.known(let format))? = arguments.first else { return nil }
        var (rest, values, pieces) = (Substring(format), arguments.dropFirst(), [Piece]())
        while let character = rest.popFirst() {
            guard character == "%" else {
                pieces.append(.letters(String(character)))
                continue
            }
            let width = rest.prefix(while: \.isNumber)
            rest.removeFirst(width.count)
            switch rest.popFirst() {
            case "%": pieces.append(.letters("%"))
            case "s" where width.isEmpty:
                guard let value = values.popFirst(), let parts = self.pieces(of: value) else { return nil }
                pieces += parts
            case "d" where width.isEmpty || width.first == "0":
                guard case .integer(let number)? = values.popFirst() else { return nil }
                pieces.append(.number(number, width: Int(width) ?? 0))
            default: return nil
            }
        }
        return pieces
    }

    /// What stands between the hyphens, each a number or digits alone; nil where one is more than that.
    private static func fields(_ pieces: [Piece]) -> [Piece]? {
        var fields: [[Piece]] = [[]]
        for piece in pieces {
            guard case .letters(let letters) = piece else {
                fields[fields.count - 1].append(piece)
                continue
            }
            for character in letters {
                if character == "-" {
                    fields.append([])
                } else {
                    fields[fields.count - 1].append(.letters(String(character)))
                }
            }
        }
        var found: [Piece] = []
        for field in fields {
            if field.count == 1, case .number = field[0] {
                found.append(field[0])
                continue
            }
            var letters = ""
            for piece in field {
                guard case .letters(let more) = piece else { return nil }
                letters += more
            }
            found.append(.letters(letters))
        }
        return found
    }

    /// A field of a date, which has so many digits; nil where it has others.
    private func number(_ field: Piece, digits: Int, _ site: Site) throws -> Number? {
        let (least, most): (Int64, Int64) = digits == 4 ? (1_000, 9_999) : (10, 99)
        switch field {
        case .letters(let letters):
            let areDigits = letters.allSatisfy { ("0"..."9").contains($0) }
            guard letters.count == digits, areDigits else { return nil }
            return Int64(letters).map { .constant($0) }
        case .number(let number, let width):
            guard width <= digits else { return nil }
            let first = width == digits ? 0 : least
            return try path.holds(.constant(first) <= number && number <= .constant(most)) ? number : nil
        }
    }
}
