extension PolicyWriter {
    /// A function that looks codes and texts of the case up in a table, one after the other.
    mutating func lookUp(_ name: String) -> String {
        let list = pick([
            "case.patron.categories", "case.patron.categories", "case.branches", "case.patron.home_branches",
            "{ case.patron.category, case.branch }",
        ])
        let use = pick([
            "if v then return v > k end", "if v and v % 2 == 1 then n = n + v end", "if v == k then return true end",
            "if not v then n = n + 1 end", "if v and STEPS[v] then return STEPS[v] == k end",
            "if c == \(word()) then return n == 0 end", "n = math.max(n, v or 0)",
        ])
        let answer = pick(["n > k", "n == 0", "n == k", "has(case.patron.categories, \(word()))", "n < 3"])
        return """
            local function \(name)(case, k)
                local levels = { a = 1, b = 2, child = 3, adult = 4, dvd = 5, north = 6, main = \(whole(0...7)) }
                local n = 0
                for i, c in ipairs(\(list)) do
                    local v = levels[c]
                    \(use)
                end
                return \(answer)
            end
            """
    }

    /// A function about a number that need not be whole.
    mutating func fraction(_ name: String) -> String {
        let x = pick([
            "case.patron.extra.x", "case.patron.extra.y", "tonumber(case.patron.extra.x)",
            "tonumber(case.patron.language)",
        ])
        func test() -> String {
            let sign = pick(["<", "<=", ">", ">=", "==", "~="])
            return pick([
                "x \(sign) \(pick(["2.5", "2", "18", "0.5", "2.0", "-0.25", "2.50001", "k"]))",
                "\(pick(["k", "2.5", "case.patron.holds"])) \(sign) x", "math.floor(x) \(sign) k",
                "math.ceil(x) \(sign) \(whole())", "tostring(x) == \(pick(["\"2.5\"", "\"18\"", "\"18.0\"", "\"1\""]))",
                "x \(sign) (tonumber(case.patron.extra.y) or 2)",
            ])
        }
        return """
            local function \(name)(case, k)
                local x = \(x)
                if type(x) ~= "number" then return tostring(x) == \(word()) end
                return \(test()) \(pick(["and", "or"])) \(pick(["", "not "]))(\(test()))
            end
            """
    }

    /// A function that asks for open days, close to each other.
    mutating func calendar(_ name: String) -> String {
        func day() -> String {
            pick(["d", "d + days(k)", "d + days(\(whole(0...4)))", "d - days(\(whole(0...3)))", "d + weeks(2)"])
        }
        func open() -> String {
            "case.calendar.\(pick(["next_open", "next_open", "next_open_after", "previous_open"]))(\(day()))"
        }
        let sign = pick(["<", "<=", ">", ">=", "==", "~="])
        let test = pick([
            "\(open()) \(sign) \(open())", "case.calendar.is_open(\(day())) and \(open()) \(sign) \(day())",
            "case.calendar.is_open(\(open()))", "\(open()) \(sign) \(day())",
            "case.calendar.is_open(\(day())) == case.calendar.is_open(\(day()))",
        ])
        return """
            local function \(name)(case, k)
                local d = date(case.now)
                return \(test)
            end
            """
    }
}
