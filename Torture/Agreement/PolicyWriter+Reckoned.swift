extension PolicyWriter {
    /// A function that divides one number of the case by another.
    mutating func quotient(_ name: String) -> String {
        func number() -> String {
            pick([
                "case.title.holds_waiting", "case.title.copies", "#case.patron.loans", "case.patron.holds", "k",
                "k - 1",
            ])
        }
        func test() -> String {
            let sign = pick(["<", "<=", ">", ">=", "==", "~="])
            let (one, other) = (number(), number())
            return pick([
                "\(one) // \(other) \(sign) \(whole(0...4))", "\(one) % \(other) \(sign) \(whole(0...2))",
                "\(one) / \(other) \(sign) \(pick(["1", "0.5", "2.5", "2.0", "0.333", "k"]))",
                "\(pick(["1", "0.25", "3"])) \(sign) \(one) / \(other)", "math.floor(\(one) / 3) \(sign) \(whole())",
                "(\(other) ~= 0 and math.ceil(\(one) / \(other)) \(sign) 2)",
                "(\(one) // \(other)) * \(other) + \(one) % \(other) == \(one)",
            ])
        }
        return """
            local function \(name)(case, k)
                return \(test()) \(pick(["and", "or"])) \(pick(["", "not "]))(\(test()))
            end
            """
    }

    /// A function about years and months, and about dates that are written with them.
    mutating func written(_ name: String) -> String {
        let year = pick(["d.year", "d.year + 1", "d.year - 1", "2028", "d.year + k"])
        let text = pick([
            "(\(year)) .. \"-06-30\"",
            "(\"%d-\(pick(["01-01", "02-28", "12-31", "07-15", "02-29"]))\"):format(\(year))",
            "string.format(\"%04d-%02d-\(pick(["01", "15", "28"]))\", \(year), d.month)",
            "string.format(\"%d-%02d-%02d\", \(year), \(pick(["3", "d.month", "k"])), \(pick(["1", "d.day", "30"])))",
        ])
        let sign = pick(["<", "<=", ">", ">=", "==", "~="])
        let test = pick([
            "date(\(text)) \(sign) d", "d + days(\(whole(0...40))) \(sign) date(\(text))",
            "d.month \(sign) \(whole(1...12))",
            "d.day \(sign) \(whole(1...31))", "d.yearday \(sign) \(pick(["1", "59", "60", "365", "366"]))",
            "d.year \(sign) \(pick(["2028", "2000", "2100"])) and d.month \(sign) 2",
            "(date(\(text)) - d).count \(sign) \(whole(0...9))",
        ])
        return """
            local function \(name)(case, k)
                local d = \(pick(["date(case.now)", "date(case.now)", "case.now.date", "date(case.now) + weeks(k)"]))
                return \(test)
            end
            """
    }

    /// A function about how a text begins.
    mutating func beginning(_ name: String) -> String {
        func test() -> String {
            pick([
                "t:match(\"^\(pick(["a", "ab", "abc", "b", "a%-", "ab?c", "a+", "m[ai]"]))\") ~= nil",
                "t:find(\"^\(pick(["a", "ab", "c", "ma", "main"]))\") == 1",
                "t:sub(1, \(whole(1...3))) == \(pick(["\"a\"", "\"ab\"", "\"ma\"", "\"mai\"", "\"b\""]))",
                "t:lower():sub(1, 1) == \"a\"", "t == \(word())", "#t > \(whole(0...4))",
            ])
        }
        let text = pick(["case.patron.language", "case.branch", "case.patron.category", "case.patron.extra.x"])
        return """
            local function \(name)(case, k)
                local t = tostring(\(text) or "")
                return \(test()) \(pick(["and", "or"])) \(pick(["", "not "]))(\(test()))
            end
            """
    }

    /// A function that goes through a list for several things at once.
    mutating func several(_ name: String) -> String {
        let sign = pick(["<", ">", "<=", ">="])
        let count = pick([
            "n = n + 1", "n = n + 2", "found = true", "n = n + (found and 1 or 0)", "n = n + (best and 1 or 0)",
        ])
        let keep = pick([
            "if not best or e.title \(sign) best then best = e.title end", "best = math.max(best or 0, e.title)",
            "local late = false if n > 1 then late = true end if late then best = e.title end",
        ])
        let test = pick(["e.on_site", "e.branch == case.branch", "e.item_type == \(word())", "e.title % 2 == 0"])
        let answer = pick(["n > k", "n == 2 and best", "found and (best or 0) > k", "best ~= nil and n ~= 1", "n == 0"])
        return """
            local function \(name)(case, k)
                local n, found, best = 0, false, nil
                for i, e in ipairs(case.patron.loans) do
                    if \(test) then
                        \(count)
                        \(keep)
                    end
                    \(pick(["", "if e.on_site then found = true end", "n = n + 1"]))
                end
                return \(answer)
            end
            """
    }
}
