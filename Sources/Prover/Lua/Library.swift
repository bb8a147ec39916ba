import Circulation

/// The functions that a policy finds ready.
final class Library {
    /// By name, members with the name of their table: `string.lower`.
    private(set) var words: [String: Value] = [:]
    /// Reckons a function of Lua's libraries, or an operator, on values that are all known.
    let reckon: (String, [PlainValue]) throws -> [PlainValue]
    let currency: Currency
    /// What was stated of texts that stand in the sources, by the function.
    private var relations: [String: Relation] = [:]
    /// Calls of which the results are variables, by their names.
    private(set) var calls: [String: (function: String, arguments: [Value])] = [:]
    let gathered = GatheredNumbers()
    /// What functions tell of the beginnings of texts of the case, by the function with its arguments.
    var beginnings: [Number: [String: [Beginning]]] = [:]
    /// Days of which the year is a variable, by its name.
    var years: [String: Number] = [:]
    /// Quotients of whole numbers, by their names.
    var ratios: [String: (one: Number, other: Number)] = [:]
    /// The places of elements behind those that are looked at one by one, by what tells them from others.
    private var witnesses: [String: Int64] = [:]

    /// The place of an element behind those that are looked at one by one, the same for the same name.
    ///
    /// - Parameter isAny: whether it stands for all of them, as against one that is known by itself.
    func witness(_ name: String, isAny: Bool = false) -> Int64 {
        if let known = witnesses[name] { return known }
        let place = (isAny ? List.firstOfRounds : List.firstWitness) - Int64(witnesses.count)
        witnesses[name] = place
        return place
    }

    /// What rounds of loops change, by the loop.
    var rounds: [String: Round] = [:]
    /// Conditions that depend on nothing but the case, by what they were put together of.
    let summaries = Explorer.Summaries()

    /// - Parameter reckon: by Lua itself; it throws ``LibraryFault`` for an error that Lua raises.
    init(_ currency: Currency, reckon: @escaping (String, [PlainValue]) throws -> [PlainValue]) {
        self.currency = currency
        self.reckon = reckon
        defineBase()
        defineTables()
        defineLua()
        defineValues()
        defineCalendar()
        for table in ["string", "math", "table", "utf8"] {
            let members = words.filter { $0.key.hasPrefix("\(table).") }
            let functions = Table(members.map { (String($0.key.dropFirst(table.count + 1)), $0.value) })
            (functions.isOfLibrary, functions.isFrozen) = (true, true)
            words[table] = .table(functions)
        }
    }

    func define(_ name: String, _ call: @escaping (Interpreter, [Value], Site) throws -> [Value]) {
        words[name] = .word(Word(name: name, call: call))
    }

    func set(_ name: String, _ value: Value) { words[name] = value }

    /// Notes which call a variable is the result of.
    func note(_ name: String, _ function: String, _ arguments: [Value]) {
        calls[name] = calls[name] ?? (function, arguments)
    }

    /// A word that gives one value of its first argument.
    private func defineOne(_ name: String, _ call: @escaping (Interpreter, Value, Site) throws -> Value) {
        define(name) { interpreter, arguments, site in
            guard let first = arguments.first else {
                throw Raised("bad argument #1 to '\(name)' (value expected)", at: site)
            }
            return [try call(interpreter, first, site)]
        }
    }

    /// What `ipairs` hands out to go on with.
    static let stepOfIpairs = "a step of ipairs"

    private func defineBase() {
        defineOne("type") { _, value, _ in .text(value.kind) }
        define("error") { _, arguments, site in throw Raised(arguments.first ?? .null, at: site) }
        define("assert") { interpreter, arguments, site in
            if try interpreter.isTrue(arguments.first ?? .null) { return arguments }
            throw Raised(arguments.count > 1 ? arguments[1] : .text("assertion failed!"), at: site)
        }
        define("pcall") { interpreter, arguments, site in
            do {
                return [.flag(true)]
                    + (try interpreter.call(arguments.first ?? .null, Array(arguments.dropFirst()), at: site))
            } catch let raised as Raised {
                // Of its words only the place is known.
                guard case .text = raised.value else { return [.flag(false), raised.value] }
                let name = "(error \(raised.site.file):\(raised.site.line) \(interpreter.name(of: raised.value)))"
                return [.flag(false), try interpreter.text(named: name, site)]
            }
        }
        define("print") { _, _, _ in [] }
        define("select") { interpreter, arguments, site in
            let rest = Array(arguments.dropFirst())
            switch arguments.first {
            case .text(.known("#"))?: return [.integer(Int64(rest.count))]
            case .integer(.constant(let index))? where index > 0: return Array(rest.dropFirst(Int(clamping: index - 1)))
            default: throw site.unsettled("select of what is not known")
            }
        }
        define("ipairs") { _, arguments, _ in
            [
                .word(Word(name: Self.stepOfIpairs) { _, _, site in throw site.unsettled("a step of ipairs") }),
                arguments.first ?? .null, .integer(0),
            ]
        }
        define("pairs") { _, arguments, site in
            guard case .table? = arguments.first else { throw site.unsettled("a loop over the fields of a record") }
            return [
                .word(Word(name: "next") { _, _, site in throw site.unsettled("a step of pairs") }), arguments[0],
                .null,
            ]
        }
        define("next") { _, arguments, site in
            guard case .table(let table)? = arguments.first, arguments.count < 2 || arguments[1].isNull else {
                throw site.unsettled("a step of next")
            }
            return try table.whole(at: site).keysInOrder.first.map { [$0.value, table[$0]] } ?? [.null]
        }
        defineOne("tostring") { try $0.text(of: $1, $2) }
        define("tonumber") { interpreter, arguments, site in
            if let known = self.plain(arguments) { return try self.reckoned("tonumber", known, site) }
            if arguments.count > 1 { throw site.unsettled("a number of a base of its own") }
            return [try interpreter.number(of: arguments.first ?? .null, site)]
        }
        define("has") { interpreter, arguments, site in
            [.flag(try interpreter.has(arguments.first ?? .null, arguments.count > 1 ? arguments[1] : .null, site))]
        }
    }

    private func defineTables() {
        define("table.insert") { interpreter, arguments, site in
            guard case .table(let table)? = arguments.first, !table.isFrozen, arguments.count == 2 else {
                throw site.unsettled("table.insert")
            }
            try interpreter.append(arguments[1], to: table, site)
            return []
        }
        define("table.remove") { interpreter, arguments, site in
            guard case .table(let table)? = arguments.first, !table.isFrozen, arguments.count == 1 else {
                throw site.unsettled("table.remove")
            }
            let last = Table.Key.integer(try interpreter.length(of: table, site))
            let value = table[last]
            try interpreter.set(table, last, .null, site)
            return [value]
        }
        define("table.unpack") { interpreter, arguments, site in
            guard case .table(let table)? = arguments.first, arguments.count == 1 else {
                throw site.unsettled("table.unpack")
            }
            _ = try interpreter.length(of: table, site)
            return table.elements
        }
        define("table.concat") { interpreter, arguments, site in
            guard case .table(let table)? = arguments.first, arguments.count < 3 else {
                throw site.unsettled("table.concat")
            }
            if table.tail == nil { _ = try interpreter.length(of: table, site) }
            let behind = try table.tail.flatMap { tail in
                try interpreter.path.holds(.constant(1) <= tail.count) ? tail.element() : nil
            }
            let after = (behind.map { [$0.value] } ?? []) + (table.tail?.after ?? [])
            for value in table.elements + after {
                switch value {
                case .text, .integer, .float, .opaque: continue
                default: throw Raised("invalid value in table for 'concat'", at: site)
                }
            }
            let separator = arguments.count > 1 ? arguments[1] : .text("")
            if after.isEmpty, let parts = self.plain(table.elements), let between = PlainValue(separator) {
                return try self.reckoned("table.concat", [between] + parts, site)
            }
            let names = (table.elements + after).map { interpreter.name(of: $0) }.joined(separator: " ")
            let others = behind.map { " and others like \($0.origin.name)" } ?? ""
            return [try interpreter.text(named: "(concat \(names)\(others))", site)]
        }
    }

    // MARK: - Lua's own functions

    /// Functions of texts: what they give where the text is not known.
    private enum Result { case text, number, found }

    private func defineLua() {
        for name in ["lower", "upper", "sub", "reverse", "format", "gsub", "char", "rep"] { defineText(name, .text) }
        for name in ["len", "byte"] { defineText(name, .number) }
        for name in ["find", "match"] { defineText(name, .found) }
        for name in ["floor", "ceil", "abs", "max", "min", "tointeger", "type", "fmod", "sqrt", "ult"] {
            define("math.\(name)") { interpreter, arguments, site in
                if let known = self.plain(arguments) { return try self.reckoned("math.\(name)", known, site) }
                return [try interpreter.mathematics(name, arguments, site)]
            }
        }
        set("math.huge", .float(.infinity))
        set("math.maxinteger", .integer(.max))
        set("math.mininteger", .integer(.min))
        set("math.pi", .float(.pi))
    }

    private func defineText(_ name: String, _ result: Result) {
        define("string.\(name)") { interpreter, arguments, site in
            var arguments = arguments
            // What a text is made of need not be known where it is only put together.
            if name != "format", name != "rep" { arguments = try arguments.map(interpreter.resolved) }
            if let known = self.plain(arguments) { return try self.reckoned("string.\(name)", known, site) }
            // A number is a text to these functions, anything else an error.
            switch arguments.first ?? .null {
            case .text, .integer, .float, .opaque: break
            case let first: throw Raised("bad argument #1 to '\(name)' (string expected, got \(first.kind))", at: site)
            }
            guard TextArguments.areSettled(name, arguments) else {
                throw site.unsettled("what `\(name)` makes of a text of the case")
            }
            let made = "(\(name) \(arguments.map { interpreter.name(of: $0) }.joined(separator: " ")))"
            self.note(made, "string.\(name)", arguments)
            switch result {
            case .text:
                let isNeverEmpty = name == "format" && TextArguments.isNeverEmpty(format: arguments.first)
                let text = try interpreter.text(named: made, isNeverEmpty: isNeverEmpty, site)
                try self.relate("string.\(name)", arguments, interpreter) { found in
                    guard case .text(let one)? = found.first, case .text(let other) = text else { return nil }
                    return interpreter.texts.number(of: one).equals(interpreter.texts.number(of: other))
                }
                if case .text(.symbol(let number)) = text {
                    try interpreter.relate(beginningBy: made, name, arguments, .text(number))
                }
                guard name == "gsub" else { return [text] }
                return [text, .integer(try interpreter.path.number("changes of \(made)", 0...1_000_000))]
            case .number:
                interpreter.path.approximate(site.unsettled("a text that is taken apart"))
                let number = try interpreter.path.number(made, 0...1_000_000)
                if name == "byte" {
                    // An empty text has none.
                    let isThere = try interpreter.path.condition("\(made) is there")
                    try self.relate("string.\(name)", arguments, interpreter) { found in
                        guard case .integer(let known)? = found.first else { return isThere.negated }
                        return isThere && number.equals(known)
                    }
                    return try interpreter.path.holds(isThere) ? [.integer(number)] : []
                }
                try self.relate("string.\(name)", arguments, interpreter) { found in
                    guard case .integer(let known)? = found.first else { return nil }
                    return number.equals(known)
                }
                return [.integer(number)]
            case .found: return try self.found(name, made, arguments, interpreter, site)
            }
        }
    }

    /// What `find` and `match` give of a text of the case.
    private func found(
        _ name: String, _ made: String, _ arguments: [Value], _ interpreter: Interpreter, _ site: Site
    ) throws -> [Value] {
        let (path, texts) = (interpreter.path, interpreter.texts)
        path.approximate(site.unsettled("a text that is taken apart"))
        let isThere = try path.condition("\(made) is there")
        try interpreter.relate(beginningBy: made, name, arguments, .isFound(isThere))
        let number = try path.number(made, name == "match" ? CaseModel.texts : 1...1_000_000)
        try relate("string.\(name)", arguments, interpreter) { found in
            switch found.first {
            case .null?, nil: isThere.negated
            case .text(let text)?: isThere && number.equals(texts.number(of: text))
            case .integer(let known)? where name == "find": isThere && number.equals(known)
            default: isThere
            }
        }
        guard try path.holds(isThere) else { return [.null] }
        if name == "match" {
            let count = TextArguments.captures(ofPattern: arguments.dropFirst().first) ?? 1
            return try [.text(.symbol(number))]
                + (1..<max(1, count)).map { try capture($0, of: made, arguments, interpreter) }
        }
        return [.integer(number), .integer(try path.number("end of \(made)", 0...1_000_000))]
    }

    /// What `match` gives behind the first capture.
    ///
    /// - Parameter place: how many captures are before it.
    private func capture(
        _ place: Int, of made: String, _ arguments: [Value], _ interpreter: Interpreter
    ) throws -> Value {
        let name = "capture \(place + 1) of \(made)"
        let number = try interpreter.path.number(name, CaseModel.texts)
        try relate("string.match", arguments, interpreter, as: name) { found in
            guard found.indices.contains(place), case .text(let text) = found[place] else { return nil }
            return number.equals(interpreter.texts.number(of: text))
        }
        return .text(.symbol(number))
    }

    /// States what a function gives where its first argument is one of the texts that stand in the sources.
    ///
    /// - Parameters:
    ///   - part: tells what is stated of a part of what it gives from the rest.
    ///   - result: what holds where the function gives these values; nil: nothing.
    func relate(
        _ name: String, _ arguments: [Value], _ interpreter: Interpreter, as part: String = "",
        _ result: ([Value]) -> Condition?
    ) throws {
        guard case .text(.symbol(let number))? = arguments.first, let rest = plain(Array(arguments.dropFirst())) else {
            return
        }
        let made = "\(name) \(number.smt) \(rest) \(part)"
        try state(made, interpreter.path) {
            var cases: [Int64: Condition] = [:]
            for word in interpreter.texts.literals {
                guard let values = try? reckon(name, [.text(word)] + rest).map(\.value), let fact = result(values)
                else {
                    continue
                }
                cases[interpreter.texts.number(of: word)] = fact
            }
            return Relation(of: number, cases)
        }
    }

    /// States what is made once.
    func state(_ name: String, _ path: Path, _ make: () -> Relation) throws {
        let relation = relations[name] ?? make()
        relations[name] = relation
        try path.assume(.relation(relation), named: name)
    }

    private func plain(_ values: [Value]) -> [PlainValue]? {
        let plain = values.compactMap { PlainValue($0) }
        return plain.count == values.count ? plain : nil
    }

    /// The same as Lua itself would give, or raise.
    func reckoned(_ name: String, _ values: [PlainValue], _ site: Site) throws -> [Value] {
        do {
            return try reckon(name, values).map(\.value)
        } catch let fault as LibraryFault {
            throw Raised(fault.message, at: site)
        }
    }
}

/// An error that a function of Lua's libraries raises.
package struct LibraryFault: Error {
    package let message: String

    package init(_ message: String) { self.message = message }
}

extension Interpreter {
    func mathematics(_ name: String, _ arguments: [Value], _ site: Site) throws -> Value {
        switch (name, arguments.first) {
        case ("floor", .integer?), ("ceil", .integer?), ("tointeger", .integer?): return arguments[0]
        case ("floor", let value?), ("ceil", let value?):
            if let whole = try rounded(value, up: name == "ceil", site) { return whole }
        case ("abs", .integer(let number)?):
            return .integer(.either(.constant(0) <= number, number, number * .constant(-1)))
        case ("type", let value?):
            if case .opaque(let number) = value, let kind = try kind(ofNumber: number, site) { return kind }
            if let kind = value.numberKind { return kind.isEmpty ? .null : .text(kind) }
            throw site.unsettled("what `math.type` makes of a number of the case")
        case ("tointeger", .opaque(let number)?):
            if let whole = try whole(ofNumber: number, site) { return whole }
            throw site.unsettled("what `math.tointeger` makes of a value of the case")
        case ("tointeger", .null?), ("tointeger", .flag?), ("tointeger", .table?), ("tointeger", .record?): return .null
        case ("tointeger", _), ("ult", _), ("fmod", _):
            throw site.unsettled("what `math.\(name)` makes of a value of the case")
        case ("max", .integer?), ("min", .integer?):
            var result = Number.constant(0)
            for (index, argument) in arguments.enumerated() {
                guard case .integer(let number) = argument else { break }
                result = index == 0 ? number : name == "max" ? result.greatest(number) : result.least(number)
                if index == arguments.count - 1 { return .integer(result) }
            }
        default: break
        }
        for argument in arguments {
            switch argument {
            case .integer, .float, .opaque: continue
            case .text: throw site.unsettled("a text that is reckoned with")
            default: throw Raised("bad argument to '\(name)' (number expected, got \(argument.kind))", at: site)
            }
        }
        if arguments.isEmpty { throw Raised("bad argument #1 to '\(name)' (number expected, got no value)", at: site) }
        path.approximate(site.unsettled("a number with a fraction"))
        return .opaque("(\(name) \(arguments.map { self.name(of: $0) }.joined(separator: " ")))")
    }
}
