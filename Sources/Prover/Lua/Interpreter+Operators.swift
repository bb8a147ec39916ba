import Circulation
import LuaSyntax

extension Interpreter {
    func evaluate(_ binary: BinaryExpression, _ scope: Scope) throws -> Value {
        if binary.isChoice, let condition = try summary(nil, { try self.value(of: binary, scope) }) {
            return .flag(condition)
        }
        return try value(of: binary, scope)
    }

    private func value(of binary: BinaryExpression, _ scope: Scope) throws -> Value {
        var value = try evaluate(binary.first, scope)
        for link in binary.links {
            let site = scope.site(link.operationRange)
            try count(site)
            switch link.operation {
            case .and: if try isTrue(value) { value = try evaluate(link.operand, scope) }
            case .or: if try !isTrue(value) { value = try evaluate(link.operand, scope) }
            default: value = try binaryValue(link.operation, value, evaluate(link.operand, scope), site)
            }
        }
        return value
    }

    func unary(_ operation: UnaryOperator, _ value: Value, _ site: Site) throws -> Value {
        switch (operation, value) {
        case (.not, .flag(let condition)): return .flag(condition.negated)
        case (.not, _): return .flag(value.isNull)
        case (.minus, .integer(let number)): return .integer(try checked(number * .constant(-1), site))
        case (.minus, .float(let number)): return .float(-number)
        case (.minus, .opaque(let name)): return .opaque("(- \(name))")
        case (.minus, .text):
            guard let plain = PlainValue(value) else {
                throw site.unsettled("a text of the case that is reckoned with")
            }
            return try library.reckoned("-", [.integer(0), plain], site).first ?? .null
        case (.minus, .money(let amount)): return .money(try checked(amount * .constant(-1), site))
        case (.minus, .period(let count, let unit)): return .period(try checked(count * .constant(-1), site), unit)
        case (.length, .list(let list)):
            let length = try list.length()
            if length.constant == nil { measured[length] = list }
            return .integer(length)
        case (.length, .table(let table)):
            return .integer(table.tail == nil ? .constant(try length(of: table, site)) : table.size)
        case (.length, .record), (.length, .calendar): return .integer(0)
        case (.length, .text(.known(let text))): return .integer(Int64(text.utf8.count))
        case (.length, .text(.symbol(let number))):
            library.note("length of \(number.smt)", "string.len", [value])
            return .integer(try path.number("length of \(number.smt)", 0...1_000_000))
        case (.minus, _): throw Raised("attempt to perform arithmetic on a \(value.kind) value", at: site)
        case (.length, _): throw Raised("attempt to get length of a \(value.kind) value", at: site)
        default: throw site.unsettled("the operator \(operation.rawValue) on values of the case")
        }
    }

    /// How many elements a table has.
    func length(of table: Table, _ site: Site) throws -> Int64 {
        if try table.whole(at: site).hasGaps { throw site.unsettled("the length of a table whose elements have gaps") }
        return table.length
    }

    private func binaryValue(_ operation: BinaryOperator, _ left: Value, _ right: Value, _ site: Site) throws -> Value {
        switch operation {
        case .equal: .flag(try equal(left, right, site))
        case .notEqual: .flag(try equal(left, right, site).negated)
        case .less: .flag(try isLess(left, right, orEqual: false, site))
        case .lessOrEqual: .flag(try isLess(left, right, orEqual: true, site))
        case .greater: .flag(try isLess(right, left, orEqual: false, site))
        case .greaterOrEqual: .flag(try isLess(right, left, orEqual: true, site))
        case .concatenate: try concatenated(left, right, site)
        default: try arithmetic(operation, left, right, site)
        }
    }

    /// A number that 64 bits hold for every case; Lua's would begin anew below.
    func checked(_ number: Number, _ site: Site) throws -> Number {
        guard number.bounds != nil else { throw site.unsettled("a number that 64 bits may not hold") }
        return number
    }

    // MARK: - Comparing

    func equal(_ left: Value, _ right: Value, _ site: Site) throws -> Condition {
        switch (left, right) {
        case (.null, .null), (.unlimited, .unlimited), (.nothing, .nothing), (.calendar, .calendar):
            return .constant(true)
        case (.flag(let one), .flag(let other)): return one.equals(other)
        case (.integer(let one), .integer(let other)), (.money(let one), .money(let other)),
            (.date(let one), .date(let other)):
            return one.equals(other)
        case (.instant(let one, let nature), .instant(let other, let another)):
            return nature == another ? one.equals(other) : .constant(false)
        case (.text(let one), .text(let other)): return texts.number(of: one).equals(texts.number(of: other))
        case (.float(let one), .float(let other)): return .constant(one == other)
        case (.integer(let number), .float(let value)), (.float(let value), .integer(let number)):
            return Int64(exactly: value).map { number.equals(.constant($0)) } ?? .constant(false)
        case (.opaque, .integer), (.opaque, .float), (.opaque, .opaque), (.integer, .opaque), (.float, .opaque):
            return try areEqual(fraction: left, right, site)
        case (.period(let one, let unit), .period(let other, let another)):
            return unit == another ? one.equals(other) : .constant(false)
        case (.percent(let one), .percent(let other)): return .constant(!(one < other) && !(other < one))
        case (.table(let one), .table(let other)): return .constant(one === other)
        case (.record(let one), .record(let other)):
            if one !== other, one.isOneOfSeveral || other.isOneOfSeveral {
                throw site.unsettled("whether two entries of a list are one")
            }
            return .constant(one === other)
        case (.list(let one), .list(let other)): return .constant(one === other)
        case (.function(let one), .function(let other)): return .constant(one === other)
        case (.word(let one), .word(let other)): return .constant(one.name == other.name)
        default: return .constant(false)
        }
    }

    private func isLess(_ left: Value, _ right: Value, orEqual: Bool, _ site: Site) throws -> Condition {
        func compared(_ one: Number, _ other: Number) -> Condition { orEqual ? one <= other : one < other }
        switch (left, right) {
        case (.integer(let one), .integer(let other)), (.money(let one), .money(let other)):
            return compared(one, other)
        case (.float(let one), .float(let other)): return .constant(orEqual ? one <= other : one < other)
        case (.integer(let number), .float(let value)):
            return bounded(value, below: !orEqual).map { number <= .constant($0) } ?? .constant(value > 0)
        case (.float(let value), .integer(let number)):
            return bounded(value, below: orEqual).map { .constant($0) < number } ?? .constant(value < 0)
        case (.opaque, .integer), (.opaque, .float), (.opaque, .opaque), (.integer, .opaque), (.float, .opaque):
            return try isLess(fraction: left, right, orEqual: orEqual, site)
        case (.unlimited, .unlimited): return .constant(orEqual)
        case (.unlimited, .integer), (.unlimited, .money), (.unlimited, .period), (.unlimited, .float),
            (.unlimited, .opaque):
            return .constant(false)
        case (.integer, .unlimited), (.money, .unlimited), (.period, .unlimited), (.float, .unlimited),
            (.opaque, .unlimited):
            return .constant(true)
        case (.instant(let one, _), .instant(let other, _)): return compared(one, other)
        case (.date, .date), (.date, .instant), (.instant, .date): return compared(try day(left), try day(right))
        case (.period(let one, let unit), .period(let other, let another)):
            guard let (first, second) = common(one, unit, other, another) else {
                throw Raised("periods of unlike units cannot be compared", at: site)
            }
            return compared(first, second)
        case (.percent(let one), .percent(let other)): return .constant(orEqual ? !(other < one) : one < other)
        case (.text(.known(let one)), .text(.known(let other))):
            let isLess = one.utf8.lexicographicallyPrecedes(other.utf8)
            return .constant(isLess || orEqual && one == other)
        case (.text, .text): return try unknown(orEqual ? "<=" : "<", left, right, site)
        default: throw Raised("attempt to compare \(left.kind) with \(right.kind)", at: site)
        }
    }

    /// The greatest whole number up to a value, or below it; nil for what lies beyond 64 bits.
    private func bounded(_ value: Double, below: Bool) -> Int64? {
        let floor = value.rounded(.down)
        return Int64(exactly: below && floor == value ? floor - 1 : floor)
    }

    func day(_ value: Value) throws -> Number {
        switch value {
        case .date(let day): day
        case .instant(let instant, _): instant.divided(by: ProofDomain.microsecondsPerDay)
        default: .constant(0)
        }
    }

    private func common(
        _ left: Number, _ unit: Period.Unit, _ right: Number, _ other: Period.Unit
    ) -> (Number, Number)? {
        func smallest(_ count: Number, _ unit: Period.Unit) -> (Number, Period.Unit) {
            switch unit {
            case .weeks: (count * .constant(7), .days)
            case .hours: (count * .constant(60), .minutes)
            default: (count, unit)
            }
        }
        let (one, another) = (smallest(left, unit), smallest(right, other))
        if unit == other { return (left, right) }
        return one.1 == another.1 ? (one.0, another.0) : nil
    }

    // MARK: - Texts

    private func concatenated(_ left: Value, _ right: Value, _ site: Site) throws -> Value {
        for value in [left, right] {
            switch value {
            case .text, .integer, .float, .opaque: continue
            default: throw Raised("attempt to concatenate a \(value.kind) value", at: site)
            }
        }
        if let one = PlainValue(left), let other = PlainValue(right) {
            return try library.reckoned("..", [one, other], site).first ?? .null
        }
        let isNeverEmpty = [left, right].contains { value in
            switch value {
            case .text(.known(let part)): !part.isEmpty
            case .integer, .float, .opaque: true
            default: false
            }
        }
        let made = "(.. \(name(of: left)) \(name(of: right)))"
        library.note(made, "..", [left, right])
        return try text(named: made, isNeverEmpty: isNeverEmpty, site)
    }

    /// A text of which it is known only what it is made of.
    ///
    /// - Parameter isNeverEmpty: whether a part of it is known to have letters.
    func text(named name: String, isNeverEmpty: Bool = false, _ site: Site) throws -> Value {
        path.approximate(site.unsettled("a text that is put together or taken apart"))
        let number = try path.number(name, CaseModel.texts)
        if isNeverEmpty { try path.assume(number.equals(.constant(texts.number(of: ""))).negated) }
        return .text(.symbol(number))
    }

    /// What a value is made of: two values of one name are equal.
    func name(of value: Value) -> String {
        switch value {
        case .null: "nil"
        case .flag(let condition): condition.smt
        case .integer(let number): number.smt
        case .money(let number): "money \(number.smt)"
        case .date(let number): "date \(number.smt)"
        case .instant(let number, let nature): "instant \(nature) \(number.smt)"
        case .float(let value): "\(value)"
        case .text(.known(let text)): "\"\(text.replacing("\"", with: "\\\""))\""
        case .text(.symbol(let number)): "text \(number.smt)"
        case .opaque(let name): name
        case .period(let count, let unit): "\(unit.rawValue) \(count.smt)"
        case .percent(let percent): percent.description
        // As texts they are their kinds, functions with their place.
        case .record(let record): "record \(record.name)"
        case .list: "list"
        case .function(let closure): "function \(closure.site.file):\(closure.site.line)"
        case .word: "builtin"
        default: value.kind
        }
    }

    // MARK: - Arithmetic

    func arithmetic(_ operation: BinaryOperator, _ left: Value, _ right: Value, _ site: Site) throws -> Value {
        switch (left, right) {
        case (.integer(let one), .integer(let other)): return try whole(operation, one, other, site)
        case (.float, .float), (.float, .integer(.constant)), (.integer(.constant), .float):
            guard let one = PlainValue(left), let other = PlainValue(right) else { break }
            return try library.reckoned(operation.rawValue, [one, other], site).first ?? .null
        case (.text, .text), (.text, .integer), (.text, .float), (.text, .opaque), (.integer, .text), (.float, .text),
            (.opaque, .text):
            // Lua reckons with texts that are numbers.
            guard let one = PlainValue(left), let other = PlainValue(right) else {
                throw site.unsettled("a text of the case that is reckoned with")
            }
            return try library.reckoned(operation.rawValue, [one, other], site).first ?? .null
        case (.integer, .opaque), (.integer, .float), (.float, .integer), (.float, .opaque), (.opaque, .integer),
            (.opaque, .float), (.opaque, .opaque):
            guard operation.isOfFractions else {
                throw site.unsettled("the operator \(operation.rawValue) on numbers of the case")
            }
            return .opaque("(\(operation.rawValue) \(name(of: left)) \(name(of: right)))")
        case (.money, .float), (.float, .money), (.period, .float), (.float, .period):
            // A number without a fraction is a whole one to amounts and periods.
            if let one = left.asWhole, let other = right.asWhole { return try arithmetic(operation, one, other, site) }
        case (.money, .opaque), (.opaque, .money), (.period, .opaque), (.opaque, .period):
            throw site.unsettled("an amount or a period that is reckoned with a fraction")
        case (.money, _), (_, .money): return try amounts(operation, left, right, site)
        case (.period, .period), (.period, .integer), (.integer, .period):
            return try periods(operation, left, right, site)
        case (.date, _), (_, .date), (.instant, _), (_, .instant): return try moments(operation, left, right, site)
        default: break
        }
        throw Raised("attempt to perform arithmetic on a \(left.kind) and a \(right.kind) value", at: site)
    }

    private func whole(_ operation: BinaryOperator, _ one: Number, _ other: Number, _ site: Site) throws -> Value {
        switch operation {
        case .add: return .integer(try checked(one + other, site))
        case .subtract: return .integer(try checked(one - other, site))
        case .multiply: return .integer(try checked(one * other, site))
        case .floorDivide, .modulo:
            guard let divisor = try resolved(other).constant, divisor > 0 else {
                return try divided(operation, one, by: resolved(other), site)
            }
            return .integer(operation == .modulo ? one.modulo(divisor) : one.divided(by: divisor))
        case .divide, .power:
            if let left = one.constant, let right = other.constant {
                return try library.reckoned(operation.rawValue, [.integer(left), .integer(right)], site).first ?? .null
            }
            if operation == .divide { return try ratio(one, other) }
            return .opaque("(\(operation.rawValue) \(one.smt) \(other.smt))")
        default: throw site.unsettled("the operator \(operation.rawValue) on numbers of the case")
        }
    }

    private func amounts(_ operation: BinaryOperator, _ left: Value, _ right: Value, _ site: Site) throws -> Value {
        switch (operation, left, right) {
        case (.add, .money(let one), .money(let other)): return .money(try checked(one + other, site))
        case (.subtract, .money(let one), .money(let other)): return .money(try checked(one - other, site))
        case (.multiply, .money(let amount), .integer(let factor)),
            (.multiply, .integer(let factor), .money(let amount)):
            return .money(try product(amount, factor, site))
        case (.multiply, .money(let amount), .percent(let percent)),
            (.multiply, .percent(let percent), .money(let amount)):
            return .money(try share(of: amount, percent.scaled, over: 100 * percent.power, site))
        case (.divide, .money(let amount), .integer(let divisor)):
            guard let divisor = try resolved(divisor).constant else {
                throw site.unsettled("a division by a number of the case")
            }
            if divisor == 0 { throw Raised("divide money by a whole number that is not zero", at: site) }
            return .money(try share(of: amount, divisor < 0 ? -1 : 1, over: abs(divisor), site))
        case (.divide, .money(let one), .money(let other)):
            if try path.holds(other.equals(.constant(0))) { throw Raised("attempt to divide by no money", at: site) }
            return try ratio(one, other)
        default: throw Raised("attempt to perform arithmetic on a \(left.kind) and a \(right.kind) value", at: site)
        }
    }

    /// A number where it has to be known: the way forks by which of several it is.
    func resolved(_ number: Number) throws -> Number {
        guard number.constant == nil, number.isOneOfConstants else { return number }
        switch number {
        case .choice(let condition, let one, let other):
            return try path.holds(condition) ? resolved(one) : resolved(other)
        case .sum(let parts): return try parts.map(resolved).reduce(.constant(0), +)
        case .scaled(let part, let factor): return try resolved(part) * .constant(factor)
        default: return number
        }
    }

    /// The same of a text or a whole number.
    func resolved(_ value: Value) throws -> Value {
        switch value {
        case .integer(let number): return .integer(try resolved(number))
        case .text(.symbol(let number)):
            let number = try resolved(number)
            return .text(number.constant.flatMap { texts.known($0) } ?? .symbol(number))
        default: return value
        }
    }

    /// An amount so many times. What is reckoned of one line of a sale comes to no more than a line comes to.
    private func product(_ amount: Number, _ factor: Number, _ site: Site) throws -> Number {
        let product = amount * factor
        guard case .product = product, let name = CaseModel.productOfLine(product) else {
            return try checked(product, site)
        }
        let value = try path.number(name, ProofDomain.amounts(of: "amount"))
        try path.assume(value.equals(product), named: name)
        for part in [amount, factor] {
            try path.assume(part.equals(.constant(0)).implies(value.equals(.constant(0))))
        }
        try path.assume((.constant(1) <= factor).implies(amount <= value))
        path.wish(factor.equals(.constant(1)))
        return value
    }

    /// A part of an amount, half a minor unit rounded away from zero.
    private func share(of amount: Number, _ factor: Int64, over divisor: Int64, _ site: Site) throws -> Number {
        let product = try checked(amount * .constant(factor) * .constant(2), site)
        let up = try checked(product + .constant(divisor), site).divided(by: 2 * divisor)
        let down = (try checked(product * .constant(-1) + .constant(divisor), site)).divided(by: 2 * divisor)
        return .either(.constant(0) <= product, up, down * .constant(-1))
    }

    private func periods(_ operation: BinaryOperator, _ left: Value, _ right: Value, _ site: Site) throws -> Value {
        switch (operation, left, right) {
        case (.multiply, .period(let count, let unit), .integer(let factor)),
            (.multiply, .integer(let factor), .period(let count, let unit)):
            return .period(try checked(count * factor, site), unit)
        case (.add, .period(let one, let unit), .period(let other, let another)) where unit == another:
            return .period(try checked(one + other, site), unit)
        case (.subtract, .period(let one, let unit), .period(let other, let another)) where unit == another:
            return .period(try checked(one - other, site), unit)
        case (.add, .period, .period), (.subtract, .period, .period):
            throw site.unsettled("a sum of periods of unlike units")
        default: throw Raised("attempt to perform arithmetic on a period", at: site)
        }
    }
}

extension Value {
    /// As amounts and periods take it: a float without a fraction is a whole number; nil where it has one.
    fileprivate var asWhole: Value? {
        guard case .float(let number) = self else { return self }
        return Int64(exactly: number).map { .integer($0) }
    }
}

extension BinaryOperator {
    /// Whether it takes numbers with fractions.
    fileprivate var isOfFractions: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .floorDivide, .modulo, .power: true
        default: false
        }
    }
}

extension Percent {
    /// 10 to the power of its decimals.
    fileprivate var power: Int64 { (0..<places).reduce(1) { power, _ in power * 10 } }
}
