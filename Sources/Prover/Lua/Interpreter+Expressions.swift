import Circulation
import LuaSyntax

extension Interpreter {
    func evaluate(_ expression: Expression, _ scope: Scope) throws -> Value {
        try evaluateAll(expression, scope).first ?? .null
    }

    /// So many values, as an assignment or a declaration takes them.
    func evaluate(_ expressions: [Expression], count: Int, _ scope: Scope) throws -> [Value] {
        var values = try evaluateAll(expressions, scope)
        while values.count < count { values.append(.null) }
        return values
    }

    /// All values; the last expression may give several.
    func evaluateAll(_ expressions: [Expression], _ scope: Scope) throws -> [Value] {
        var values: [Value] = []
        for (index, expression) in expressions.enumerated() {
            let found = try evaluateAll(expression, scope)
            if index == expressions.count - 1 { values += found } else { values.append(found.first ?? .null) }
        }
        return values
    }

    func evaluateAll(_ expression: Expression, _ scope: Scope) throws -> [Value] {
        let site = scope.site(expression.range)
        switch expression.kind {
        case .nil: return [.null]
        case .boolean(let value): return [.flag(value)]
        case .integer(let value): return [.integer(value)]
        case .number(let value): return [.float(value)]
        case .string(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw site.unsettled("a text that is not UTF-8")
            }
            return [.text(text)]
        case .vararg: return scope.extra
        case .variable(let variable): return [try value(of: variable, scope, site)]
        case .function(let body): return [.function(made(body, scope))]
        case .table(let constructor): return [.table(try table(constructor, scope))]
        case .parenthesized(let inner): return [try evaluate(inner, scope)]
        case .unary(let operation, let operand): return [try unary(operation, evaluate(operand, scope), site)]
        case .suffixed(let suffixed): return try evaluate(suffixed.base, suffixed.suffixes[...], scope)
        case .binary(let binary): return [try evaluate(binary, scope)]
        }
    }

    private func value(of variable: Variable, _ scope: Scope, _ site: Site) throws -> Value {
        if let id = variable.declaration { return scope.boxes[id]?.value ?? .null }
        guard let word = words[variable.name] ?? library.words[variable.name] else {
            throw site.unsettled("`\(variable.name)`, which a proof does not know")
        }
        return word
    }

    private func table(_ constructor: TableConstructor, _ scope: Scope) throws -> Table {
        let table = Table()
        table.age = age
        table.depth = path.journal.depth
        for (index, entry) in constructor.entries.enumerated() {
            let site = scope.site(entry.range)
            switch entry.key {
            case .position(let position):
                let isLast = index == constructor.entries.count - 1
                let values = isLast ? try evaluateAll(entry.value, scope) : [try evaluate(entry.value, scope)]
                for (offset, value) in values.enumerated() { table[.integer(Int64(position + offset))] = value }
            case .name(let name): table[.text(name.name)] = try evaluate(entry.value, scope)
            case .expression(let key):
                table[try self.key(evaluate(key, scope), site)] = try evaluate(entry.value, scope)
            }
        }
        return table
    }

    /// A value as a key of a table. Of a text of the case the tables' keys are told apart by ``index(_:by:_:)``.
    func key(_ value: Value, _ site: Site) throws -> Table.Key {
        switch value {
        case .text(.known(let text)): return .text(text)
        case .integer(let number):
            guard let known = number.constant else { throw site.unsettled("a table whose key is a number of the case") }
            return .integer(known)
        case .flag(let condition): return .flag(try path.holds(condition))
        case .float(let number) where Int64(exactly: number) != nil: return .integer(Int64(number))
        case .null: throw Raised("index is nil", at: site)
        default: throw site.unsettled("a table whose key is a \(value.kind) of the case")
        }
    }

    // MARK: - Fields and calls

    func evaluate(_ base: Expression, _ suffixes: ArraySlice<Suffix>, _ scope: Scope) throws -> [Value] {
        var values = suffixes.isEmpty ? try evaluateAll(base, scope) : [try evaluate(base, scope)]
        for suffix in suffixes {
            let site = scope.site(suffix.range)
            try count(site)
            let value = values.first ?? .null
            switch suffix.kind {
            case .field(let name): values = [try field(name.name, of: value, site)]
            case .index(let index): values = [try self.index(value, by: evaluate(index, scope), site)]
            case .call(let arguments):
                values = try call(value, evaluateAll(arguments, scope), at: site)
                if case .variable(let variable) = base.kind {
                    if case .flag(let condition)? = values.first { path.name(condition, variable.name) }
                    if values.count == 1 { say(values[0], variable.name) }
                }
            case .method(let name, let arguments):
                values = try call(method(name.name, of: value, site), [value] + evaluateAll(arguments, scope), at: site)
            }
        }
        return values
    }

    private func method(_ name: String, of value: Value, _ site: Site) throws -> Value {
        try field(name, of: value, site)
    }

    func field(_ name: String, of value: Value, _ site: Site) throws -> Value {
        switch value {
        case .table(let table):
            let found = table[.text(name)]
            if found.isNull, table.isOfLibrary { throw site.unsettled("`\(name)`, which a proof does not know") }
            return found
        case .record(let record):
            guard let found = try record.value(name) else {
                throw Raised("'\(record.name)' has no field '\(name)'", at: site)
            }
            return found
        case .calendar:
            guard let word = library.words["calendar.\(name)"] else {
                throw Raised("'case.calendar' has no field '\(name)'", at: site)
            }
            return word
        case .money, .date, .instant, .period: return try part(name, of: value, site)
        case .text:
            guard let word = library.words["string.\(name)"] else {
                throw site.unsettled("`\(name)`, which a proof does not know")
            }
            return word
        case .unlimited, .nothing, .percent: throw Raised("\(value.kind) has no field '\(name)'", at: site)
        default: throw Raised("attempt to index a \(value.kind) value (field '\(name)')", at: site)
        }
    }

    func index(_ value: Value, by key: Value, _ site: Site) throws -> Value {
        if case .table(let table) = value, case .integer(let number) = key,
            table.tail != nil, number.constant.map({ table[.integer($0)].isNull }) ?? true
        {
            _ = try table.whole(at: site)
        }
        switch (value, key) {
        case (.table(let table), .text(.symbol(let number))):
            return try lookUp(
                table.order.compactMap { key in
                    guard case .text(let word) = key else { return nil }
                    return (number.equals(.constant(texts.number(of: word))), table[key])
                })
        case (.table(let table), .integer(let number)) where number.constant == nil:
            return try lookUp(
                table.order.compactMap { key in
                    guard case .integer(let place) = key else { return nil }
                    return (number.equals(.constant(place)), table[key])
                })
        case (.table(let table), _) where table.isOfLibrary: throw site.unsettled("a function that is looked up")
        case (.table(let table), .opaque):
            _ = try table.whole(at: site)
            for case .integer(let place) in table.order where try path.holds(equal(key, .integer(place), site)) {
                return table[.integer(place)]
            }
            return .null
        case (.table(let table), .text), (.table(let table), .integer), (.table(let table), .flag):
            return table[try self.key(key, site)]
        case (.table, .float(let number)):
            return try Int64(exactly: number).map { try index(value, by: .integer($0), site) } ?? .null
        // Nothing stands in a table by any other key.
        case (.table, _): return .null
        case (.list, .float(let number)):
            return try Int64(exactly: number).map { try index(value, by: .integer($0), site) } ?? .null
        case (.list(let list), .opaque(let name)):
            guard let place = list.place(called: name) else {
                throw site.unsettled("an element at a place that is not known")
            }
            return try list.element(place)
        case (.list(let list), .integer(let number)):
            guard let place = try resolved(number).constant else {
                throw site.unsettled("an element at a place that is not known")
            }
            guard place > 0, try path.holds(.constant(place) <= list.length()) else { return .null }
            return try list.element(place)
        case (.record, .text(.known(let name))), (.calendar, .text(.known(let name))):
            return try field(name, of: value, site)
        case (.text, .text(.known(let name))), (.money, .text(.known(let name))), (.date, .text(.known(let name))),
            (.instant, .text(.known(let name))), (.period, .text(.known(let name))):
            return try field(name, of: value, site)
        case (.text, _), (.money, _), (.date, _), (.instant, _), (.period, _):
            throw site.unsettled("a field whose name is not known")
        case (.record, _), (.calendar, _): throw site.unsettled("a field of the case whose name is not known")
        default: throw Raised("attempt to index a \(value.kind) value", at: site)
        }
    }

    /// Which of the values of a table a key has that the case decides, or nothing.
    ///
    /// - Parameter entries: what makes the key the one of an entry, and its value.
    private func lookUp(_ entries: [(way: Condition, value: Value)]) throws -> Value {
        if joinsLookUps, entries.count > 1, let value = Value.joined(entries, from: .null, texts) {
            return try path.holds(.some(entries.map(\.way))) ? value : .null
        }
        return try entries.first { try path.holds($0.way) }?.value ?? .null
    }

    private func part(_ name: String, of value: Value, _ site: Site) throws -> Value {
        switch (value, name) {
        case (.money(let amount), "minor_units"): return .integer(amount)
        case (.money, "currency"): return .text(currency.code)
        case (.period(let count, _), "count"): return .integer(count)
        case (.period(_, let unit), "unit"): return .text(unit.rawValue)
        case (.instant(let instant, _), "date"): return .date(instant.divided(by: ProofDomain.microsecondsPerDay))
        case (.instant(let instant, _), "hour"):
            return .integer(instant.modulo(ProofDomain.microsecondsPerDay).divided(by: 3_600_000_000))
        case (.instant(let instant, _), "minute"):
            return .integer(instant.modulo(3_600_000_000).divided(by: 60_000_000))
        case (.instant(let instant, _), "second"):
            return .integer(instant.modulo(60_000_000).divided(by: 1_000_000))
        case (.date, _), (.instant, _):
            let day = try day(value)
            guard let number = try name == "weekday" ? day.weekday : day.part(name, in: year(of: day)) else { break }
            path.say(number, .text("the \(name) of"), .date(day), isDate: false)
            return .integer(number)
        default: break
        }
        throw Raised("\(value.kind) has no field '\(name)'", at: site)
    }
}
