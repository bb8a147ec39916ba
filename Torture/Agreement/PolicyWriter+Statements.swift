import Circulation

extension PolicyWriter {
    /// Statements, and behind them what `last` writes.
    mutating func block(_ depth: Int, indent: String, last: (inout Self) -> String) -> String {
        var lines: [String] = []
        for _ in 0..<whole(0...(depth + 1)) { lines.append(statement(depth, indent, last)) }
        lines.append(indent + last(&self))
        return lines.joined(separator: "\n")
    }

    private mutating func statement(_ depth: Int, _ indent: String, _ last: (inout Self) -> String) -> String {
        let choice = whole(0...19)
        if depth > 0 {
            switch choice {
            case 0...4: return conditional(depth, indent, last)
            case 5...6: return loop(depth, indent, last)
            case 7: return closure(indent)
            case 8: return whileLoop(indent)
            default: break
            }
        }
        switch choice {
        case 9...10: return changed(indent)
        case 11: return table(indent)
        case 12: return severalNames(indent)
        case 13: return protected(indent)
        default: return declaration(indent)
        }
    }

    private mutating func declaration(_ indent: String) -> String {
        let kind = pick([Kind.whole, .whole, .truth, .truth, .text, .money, .date, .period, .instant, .any])
        let value = expression(kind, 2)
        let name = name("v")
        forget(name)
        variables[kind, default: []].append(name)
        changeable.append((name, kind))
        return "\(indent)local \(name) = \(value)"
    }

    /// A new variable of that name hides the one before.
    private mutating func forget(_ name: String) {
        for kind in Kind.allCases { variables[kind]?.removeAll { $0 == name } }
        changeable.removeAll { $0.name == name }
    }

    private mutating func severalNames(_ indent: String) -> String {
        let values = (0..<whole(1...3)).map { _ in expression(.whole, 1) }
        let (one, other) = (name("p"), name("q"))
        forget(one)
        forget(other)
        variables[.whole, default: []] += [one, other].map { "(\($0) or 0)" }
        return "\(indent)local \(one), \(other) = \(values.joined(separator: ", "))"
    }

    private mutating func changed(_ indent: String) -> String {
        guard !changeable.isEmpty else { return declaration(indent) }
        let (name, kind) = pick(changeable)
        let others = changeable.filter { $0.kind == kind && $0.name != name }
        if let other = others.first, chance(0.3) { return "\(indent)\(name), \(other.name) = \(other.name), \(name)" }
        return "\(indent)\(name) = \(expression(kind, 2))"
    }

    private mutating func conditional(_ depth: Int, _ indent: String, _ last: (inout Self) -> String) -> String {
        var text = "\(indent)if \(truth(2)) then\n" + inner(depth, indent, last)
        if chance(0.3) { text += "\n\(indent)elseif \(truth(2)) then\n" + inner(depth, indent, last) }
        if chance(0.4) { text += "\n\(indent)else\n" + inner(depth, indent, last) }
        return text + "\n\(indent)end"
    }

    /// A block that ends with an answer, or with a statement.
    private mutating func inner(_ depth: Int, _ indent: String, _ last: (inout Self) -> String) -> String {
        let deeper = indent + "    "
        return inside { writer in
            writer.block(depth - 1, indent: deeper) { writer in
                writer.chance(0.55) ? last(&writer) : String(writer.changed("").drop { $0 == " " })
            }
        }
    }

    private mutating func loop(_ depth: Int, _ indent: String, _ last: (inout Self) -> String) -> String {
        let (index, value) = (name("i"), name("e"))
        let head: String
        var kinds: [(String, Kind)] = [(index, .whole), (value, .any)]
        switch whole(0...5) {
        case 0: (head, kinds) = ("for \(index) = \(whole()), \(whole(0...4))", [(index, .whole)])
        case 1: (head, kinds) = ("for \(index) = \(whole(1...4)), 1, -\(whole(1...2))", [(index, .whole)])
        case 2: (head, kinds) = ("for \(index), \(value) in ipairs(WORDS)", [(index, .whole), (value, .text)])
        case 3: (head, kinds) = ("for \(index), \(value) in pairs(STEPS)", [(index, .any), (value, .whole)])
        case 4:
            (head, kinds) = (
                "for \(index), \(value) in ipairs({ \(list(.whole)) })", [(index, .whole), (value, .whole)]
            )
        default:
            let member = pick(["on_site", "channel == \"web\"", "item_type == \"dvd\""])
            let break_ = chance(0.6) ? "if \(index) >= \(whole(1...2)) then break end " : ""
            let effect =
                changeable.first { $0.kind == .whole }.map { "\($0.name) = \($0.name) + \(index)" } ?? last(&self)
            return "\(indent)for \(index), \(value) in ipairs(case.patron.loans) do\n\(indent)    "
                + "\(break_)if \(value).\(member) then \(effect) end\n\(indent)end"
        }
        let body = inside { writer in
            for (name, kind) in kinds {
                writer.forget(name)
                writer.variables[kind, default: []].append(name)
            }
            return writer.inner(depth, indent, last)
        }
        // A loop's block may not answer in the middle of its statements; what stands last may.
        return "\(indent)\(head) do\n\(body)\n\(indent)end"
    }

    private mutating func whileLoop(_ indent: String) -> String {
        let counter = name("w")
        forget(counter)
        let test = truth(1)
        let body = inside { $0.changed(indent + "    ") }
        variables[.whole, default: []].append(counter)
        if chance(0.3) {
            return "\(indent)local \(counter) = 0\n\(indent)repeat\n\(body)\n\(indent)    \(counter) = \(counter) + 1\n"
                + "\(indent)until \(counter) > \(whole(0...3)) or \(test)"
        }
        return "\(indent)local \(counter) = 0\n\(indent)while \(counter) < \(whole(0...3)) and not (\(test)) do\n"
            + "\(body)\n\(indent)    \(counter) = \(counter) + 1\n\(indent)end"
    }

    /// A function inside, which sees the variables around it and may change them.
    private mutating func closure(_ indent: String) -> String {
        let (kind, name) = (pick([Kind.truth, .truth, .whole]), name("h"))
        forget(name)
        let deeper = indent + "    "
        let body = inside { writer in
            writer.variables[.whole, default: []].append("n")
            // A policy's functions change no variables around them.
            writer.changeable = []
            return writer.block(1, indent: deeper) { "return \($0.expression(kind, 2))" }
        }
        variables[kind, default: []] += ["\(name)(\(whole()))", "\(name)(\(whole()))"]
        let table = variables[.any, default: []].first {
            $0.hasPrefix("t") && $0.allSatisfy { $0.isLetter || $0.isNumber }
        }
        let effect = table.map { "\(deeper)\($0).x = (\($0).x or 0) + 1\n" }
        return "\(indent)local function \(name)(n)\n\(chance(0.6) ? effect ?? "" : "")\(body)\n\(indent)end"
    }

    private mutating func table(_ indent: String) -> String {
        let name = name("t")
        forget(name)
        let members = [
            "x = \(expression(.whole, 1))", "s = \(expression(.text, 1))", "m = \(truth(1))", "[1] = \(whole())",
            "\(expression(.whole, 1))", "nil", "\(expression(.any, 1))",
        ]
        var shown = members.filter { _ in chance(0.5) }
        if shown.isEmpty { shown = ["x = 1"] }
        var text = "\(indent)local \(name) = { \(shown.joined(separator: ", ")) }"
        if chance(0.5) { text += "\n\(indent)\(name).x = (\(name).x or 0) + \(whole())" }
        if chance(0.3) { text += "\n\(indent)\(name)[#\(name) + 1] = \(expression(.any, 1))" }
        if chance(0.2) { text += "\n\(indent)table.insert(\(name), \(whole()))" }
        if chance(0.15) { text += "\n\(indent)table.remove(\(name))" }
        variables[.whole, default: []] += ["(\(name).x or \(whole()))", "#\(name)"]
        variables[.any, default: []] += ["\(name)[\(whole(1...2))]", "\(name).s", name]
        variables[.truth, default: []] += ["(\(name).m == true)"]
        return text
    }

    private mutating func protected(_ indent: String) -> String {
        let (ok, value) = (name("ok"), name("got"))
        let inner = expression(.any, 2)
        forget(ok)
        forget(value)
        variables[.truth, default: []].append(ok)
        variables[.any, default: []].append(value)
        return "\(indent)local \(ok), \(value) = pcall(function() return \(inner) end)"
    }
}
