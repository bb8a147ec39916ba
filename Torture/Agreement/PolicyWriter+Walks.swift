extension PolicyWriter {
    /// A function that goes through a list of the case: it counts, looks for an element, or stops at one.
    ///
    /// It is drawn from numbers of its own, so that the rest of a policy is as it would be without it.
    mutating func walk(_ name: String) -> String {
        swap(&random, &later)
        defer { swap(&random, &later) }
        if chance(0.3) { return chance(0.4) ? kept(name) : extreme(name) }
        switch whole(0...19) {
        case 0...2: return lookUp(name)
        case 3...4: return fraction(name)
        case 5...6: return calendar(name)
        case 7...8: return quotient(name)
        case 9...10: return written(name)
        case 11...12: return beginning(name)
        case 13...14: return several(name)
        case 15...16: return built(name)
        default: break
        }
        let isOfLoans = chance(0.65)
        let list = isOfLoans ? "case.patron.loans" : "case.patron.blocks"
        let steps = (0..<whole(1...2)).map { _ in "        " + step(isOfLoans) }
        let head: String
        var end = "end"
        if chance(0.25) {
            (head, end) = counting(list)
        } else {
            head = chance(0.4) ? "for i = 1, #\(list) do local e = \(list)[i]" : "for i, e in ipairs(\(list)) do"
        }
        return """
            local function \(name)(case, k)
                local n, found = 0, false
                \(head)
            \(steps.joined(separator: "\n"))
                \(end)
                return \(pick(["n == k", "n > k", "found", "n == 1", "found and n < 3", "n >= 5 or found", "n % 2 == 1"]))
            end
            """
    }

    /// The beginning and the end of a loop that counts the places of a list itself, or does what is close to it.
    private mutating func counting(_ list: String) -> (head: String, end: String) {
        let step = pick(["i = i + 1", "i = i + 1", "i = 1 + i", "i = i + 1; n = n + 0 * i", "i = i + 2"])
        let start = pick(["1", "1", "1", "1", "2"])
        switch whole(0...5) {
        case 0: return ("local i = \(start) while \(list)[i] do local e = \(list)[i]", "\(step) end")
        case 1: return ("local i = \(start) while \(list)[i] ~= nil do local e = \(list)[i]", "\(step) end")
        case 2: return ("local i, l = \(start), \(list) while #l >= i do local e = l[i]", "\(step) end")
        case 3:
            return ("local i = \(start) repeat local e = \(list)[i] if e then", "end \(step) until i > #\(list)")
        case 4:
            return (
                "local i = 0 for e in function() i = i + 1 return \(list)[i] end do", pick(["end", "end", "n = i end"])
            )
        default: return ("local i = \(start) while i <= #\(list) do local e = \(list)[i]", "\(step) end")
        }
    }

    /// A function that looks for the least or the greatest of a list, or for something that is close to it.
    private mutating func extreme(_ name: String) -> String {
        let kept: (list: String, value: String, other: String) = pick([
            ("loans", "e.title", "k"), ("loans", "e.title % 7", "k"), ("loans", "e.due_at", "case.now"),
            ("loans", "(e.due_at and (date(case.now) - date(e.due_at)).count or 0)", "k"),
            ("blocks", "e.ends", "date(case.now)"), ("blocks", "#e.actions", "k"),
        ])
        let isNumber = kept.other == "k"
        let start = pick(isNumber ? ["nil", "0", "k", "math.huge", "-math.huge", "case.patron.holds"] : ["nil"])
        let sign = pick(["<", ">", "<=", ">="])
        let keep =
            switch whole(0...9) {
            case 0 where isNumber: "best = math.\(pick(["max", "min"]))(best or k, v)"
            case 1: "best = v"
            case 2: "if best ~= v then best = v end"
            case 3 where isNumber: "if not best or v \(sign) best + 1 then best = v end"
            case 4: "best = (best == nil or v \(sign) best) and v or best"
            default: "if best == nil or v \(sign) best then best = v end"
            }
        let isMeant = chance(0.5) ? "" : " and \(kept.list == "loans" ? testOfLoan() : testOfBlock())"
        let answer = pick([
            "best ~= nil and best < \(kept.other)", "best and best >= \(kept.other)", "best == nil",
            "best == \(kept.other)", "not best or best > \(kept.other)",
        ])
        return """
            local function \(name)(case, k)
                local best = \(start)
                for i, e in ipairs(case.patron.\(kept.list)) do
                    local v = \(kept.value)
                    if v\(isMeant) then \(keep) end
                end
                return \(answer)
            end
            """
    }

    /// A function that keeps the element with the least or the greatest of something, or does what is close to it.
    private mutating func kept(_ name: String) -> String {
        let isOfLoans = chance(0.6)
        let value: (element: String, other: String) =
            isOfLoans ? pick([("title", "k"), ("due_at", "case.now")]) : ("ends", "date(case.now)")
        let sign = pick(["<", ">", "<=", ">="])
        let isBeside = chance(0.4)
        let best = isBeside ? "most" : "best.\(value.element)"
        let take = isBeside ? "best, most = e, v" : "best = e"
        let start = isBeside && value.other == "k" ? pick(["nil", "0", "k", "math.huge", "-math.huge"]) : "nil"
        let isFirst = start == "nil" || chance(0.3) ? "not best or " : ""
        let keep =
            switch whole(0...9) {
            case 0: take
            case 1: "if \(isFirst)v ~= \(best) then \(take) end"
            case 2 where value.other == "k": "if \(isFirst)v \(sign) \(best) + 1 then \(take) end"
            case 3: "if \(isFirst)best == e or v \(sign) \(best) then \(take) end"
            default: "if \(isFirst)v \(sign) \(best) then \(take) end"
            }
        func test(_ element: String) -> String { isOfLoans ? testOfLoan(element) : testOfBlock(element) }
        let isMeant = chance(0.5) ? "" : " and \(test("e"))"
        let answer = pick([
            "best ~= nil and \(test("best"))", "best and best.\(value.element) < \(value.other)", "best == nil",
            "not best or not (\(test("best")))",
            isBeside ? "best ~= nil and most == best.\(value.element)" : "not best",
        ])
        return """
            local function \(name)(case, k)
                local best, most = nil, \(start)
                for i, e in ipairs(case.patron.\(isOfLoans ? "loans" : "blocks")) do
                    local v = e.\(value.element)
                    if v\(isMeant) then \(keep) end
                end
                return \(answer)
            end
            """
    }

    /// What is done with an element.
    private mutating func step(_ isOfLoan: Bool) -> String {
        let effect = effect()
        if !isOfLoan, chance(0.4) {
            let test = pick(["a == \"borrow\"", "\"renew\" == a", "a == \"hold\" or a == \"cart\"", "a ~= \"borrow\""])
            return "for j, a in ipairs(e.actions) do if \(test) then \(effect) end end"
        }
        var test = isOfLoan ? testOfLoan() : testOfBlock()
        if chance(0.3) { test = "\(testOfPlace()) \(pick(["and", "or"])) \(test)" }
        if chance(0.2) { test = "not (\(test))" }
        if chance(0.15) { test = "\(test) and case.patron.holds > \(whole(0...2))" }
        return "if \(test) then \(effect) end"
    }

    private mutating func effect() -> String {
        pick([
            "n = n + 1", "n = n + 1", "n = n + 1", "n = n + 2", "n = n + i", "found = true", "found = true",
            "found = not found", "n = 0", "found = true; break", "do return true end", "do return n > 1 end",
        ])
    }

    private mutating func testOfPlace() -> String {
        pick(["i == \(whole(1...8))", "i > \(whole(1...6))", "i % 2 == 0", "i <= k"])
    }

    mutating func testOfLoan(_ e: String = "e") -> String {
        pick([
            "\(e).item_type == \(word())", "has(\(e).item_types, \(word()))", "\(e).branch ~= case.branch",
            "\(e).on_site",
            "\(e).channel == \"web\"", "\(e).due_at and \(e).due_at < case.now", "#(\(e).location or \"\") == 1",
            "(\(e).location or \"a\") < \"b\"", "string.sub(\(e).location or \"\", 1, 1) == \"a\"",
            "\(e).title % 2 == 0",
        ])
    }

    mutating func testOfBlock(_ e: String = "e") -> String {
        pick([
            "\(e).kind == \(word())", "\(e).kind == \"suspension\"", "has(\(e).actions, \"borrow\")",
            "#\(e).actions > 1",
            "\(e).ends == nil",
            "\(e).ends and \(e).ends > date(case.now)",
        ])
    }
}
