extension PolicyWriter {
    /// A function that puts a list together and asks what has come of it, or does what is close to that.
    mutating func built(_ name: String) -> String {
        let isOfLoans = chance(0.7)
        let list = isOfLoans ? "case.patron.loans" : "case.patron.blocks"
        func test(_ element: String) -> String { isOfLoans ? testOfLoan(element) : testOfBlock(element) }
        let element = pick([
            "e", "e", isOfLoans ? "e.item_type" : "e.kind", "{ i = i, of = e }",
            isOfLoans ? "(e.on_site and 2 or 1)" : "#e.actions", "i", "n", "f",
        ])
        let head = chance(0.3) ? "for i = 1, #\(list) do local e = \(list)[i]" : "for i, e in ipairs(\(list)) do"
        let isAdded =
            chance(0.6) ? "if \(test("e")) then \(addition("kept", element, "i")) end" : addition("kept", element, "i")
        let besides = pick(["", "", "n = n + 1", "if e.on_site then n = n + 1 end", "n = #kept", "n = #same"])
        let answer =
            switch element {
            case "e":
                pick([
                    "local m = 0 for _, o in ipairs(kept) do if \(test("o")) then m = m + 1 end end return m > k",
                    "return #kept > 0 and \(test("kept[1]"))", "return #kept == k", "return #kept >= n",
                ])
            case "{ i = i, of = e }":
                pick(["return #kept > k", "local m = 0 for j, o in ipairs(kept) do m = m + (o.i - j) end return m > k"])
            default:
                pick([
                    "return #kept > k", "return has(kept, \(pick(["k", word(), "2"])))",
                    "local m = 0 for _, o in ipairs(kept) do m = m + (tonumber(o) or 0) end return m >= 3",
                    "return table.concat(kept, \",\") == \(pick(["\"\"", "\"1\"", "\"1,2\"", "\"a,a\""]))",
                    "local t = \"\" for _, o in ipairs(kept) do t = t .. o end return #t > k",
                ])
            }
        return """
            local function \(name)(case, k)
                local kept, n, f = {}, 0, 2
                local same = kept
                \(head)
                    \(isAdded)
                    \(besides)
                end
                \(pick(["", "", "f = 3", "same[#same + 1] = 1"]))
                \(answer)
            end
            """
    }

    /// What adds an element to a list.
    private mutating func addition(_ list: String, _ element: String, _ place: String) -> String {
        pick([
            "\(list)[#\(list) + 1] = \(element)", "\(list)[#\(list) + 1] = \(element)",
            "table.insert(\(list), \(element))", "\(list)[\(place)] = \(element)",
        ])
    }

    /// The statements of a function that says what is to be paid for line by line, from the lines of the case.
    mutating func pricedLines() -> String {
        swap(&random, &later)
        defer { swap(&random, &later) }
        let amount = pick([
            "line.amount", "line.price", "line.quantity > 2 and line.price or line.amount",
            "line.amount * percent \"50\"", "money \"1.00\"", "line.price * line.quantity",
            "line.amount > money \"2.00\" and money \"2.00\" or line.amount",
        ])
        let element = pick([
            "{ label = line.label, amount = a }", "{ label = line.label, amount = a }",
            "{ label = \"l\" .. i, amount = a }",
            "{ label = line.label, amount = a, to = \(pick(["\"seller\"", "nil"])) }",
            "{ label = #lines .. \"\", amount = a }",
            "{ label = line.label, amount = sum }", "line",
        ])
        let add = addition("lines", element, "i")
        let isAdded = pick([
            add, add, "if line.kind ~= \"loan\" then \(add) end", "if a > money \"1.00\" then \(add) end",
            "if line.quantity > 1 then \(add) else \(addition("lines", "{ label = \"one\", amount = line.price }", "i")) end",
        ])
        let end = pick([
            "", "",
            "if #lines > \(whole()) then lines[#lines + 1] = { label = \"all\", amount = -(sum * percent \"10\") } end",
            "for _, l in ipairs(lines) do sum = sum - l.amount end if sum > money \"0.00\" then "
                + "table.insert(lines, { label = \"rest\", amount = sum }) end",
            "local others = {} for i, l in ipairs(lines) do others[#others + 1] = { label = l.label, amount = l.amount * 2 } end "
                + "lines = others",
        ])
        return """
                    if not case.lines then return standard() end
                    local lines, sum = {}, money "0.00"
                    for i, line in ipairs(case.lines) do
                        local a = \(amount)
                        \(isAdded)
                        \(pick(["", "sum = sum + line.amount", "sum = sum + a"]))
                    end
                    \(end)
                    return lines
            """
    }

    /// What may be so of lines to be paid for.
    mutating func testOfLines() -> String {
        swap(&random, &later)
        defer { swap(&random, &later) }
        return pick([
            "#(decision.lines or {}) > \(whole())",
            "(decision.lines ~= nil and #decision.lines == #(case.lines or {}))",
            "(decision.total or money \"0.00\") > sum", "(decision.total or money \"0.00\") == sum",
            "(decision.total or money \"0.00\") >= money \"\(pick(["1.00", "4.00"]))\"",
        ])
    }
}
