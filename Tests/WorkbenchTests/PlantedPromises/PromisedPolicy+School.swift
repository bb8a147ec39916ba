extension PromisedPolicy {
    /// A school's library, whose rules count the pupil's loans one by one.
    static let school = PromisedPolicy(
        name: "school",
        source: """
            local LIMITS = { year7 = 2, year8 = 3, teacher = 40 }

            local function count(loans, item_type)
                local n = 0
                for _, loan in ipairs(loans) do
                    if loan.item_type == item_type then n = n + 1 end
                end
                return n
            end

            local function late(case)
                local n = 0
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then n = n + 1 end
                end
                return n
            end

            local function has_elsewhere(case)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.branch ~= case.branch then return true end
                end
                return false
            end

            return policy {
                api = 1,
                name = "school",
                limits = { { item_type = { "dvd", "bluray" }, max = 6 }, { category = "teacher", max = 40 }, { max = 12 } },
                rules = {
                    { item_type = "reader", category = "teacher", loan = weeks(12) },
                    { item_type = "reader", lend = false, reason = "Ask your teacher." },
                    { loan = weeks(2) },
                },
                checkout = function(case)
                    local most = LIMITS[case.patron.category] or 4
                    if #case.patron.loans >= most then return deny("too_many", "Too many.") end
                    local is_game = case.copy and case.copy.item_type == "game"
                    if is_game and count(case.patron.loans, "game") >= 1 then
                        return deny("game", "One game at a time.")
                    end
                    if late(case) > 0 and case.patron.category ~= "teacher" then
                        return deny("late", "Bring back what is late.", { override = true })
                    end
                    if has_elsewhere(case) and case.patron.category == "year7" then
                        return deny("elsewhere", "One library at a time.")
                    end
                end,
            }
            """,
        promises: """
            never("a pupil of year 7 has more than two", "checkout", function(case, decision)
                return case.patron.category == "year7" and #case.patron.loans >= 2 and decision.answer == "allow"
            end)
            never("a second game", "checkout", function(case, decision)
                local games = 0
                for _, loan in ipairs(case.patron.loans) do
                    if loan.item_type == "game" then games = games + 1 end
                end
                return case.copy and case.copy.item_type == "game" and games > 0 and decision.answer == "allow"
            end)
            never("late pupils borrow", "checkout", function(case, decision)
                if case.patron.category == "teacher" then return false end
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then return decision.answer == "allow" end
                end
                return false
            end)
            never("a seventh film", "checkout", function(case, decision)
                local films = 0
                for _, loan in ipairs(case.patron.loans) do
                    if has(loan.item_types, "dvd") or has(loan.item_types, "bluray") then films = films + 1 end
                end
                local is_film = case.copy and within(case.copy.item_type, "dvd")
                return is_film and films >= 6 and decision.answer == "allow"
            end)
            never("year 7 borrows at two libraries", "checkout", function(case, decision)
                local is_elsewhere = false
                for _, loan in ipairs(case.patron.loans) do
                    if loan.branch ~= case.branch then is_elsewhere = true end
                end
                return case.patron.category == "year7" and is_elsewhere and decision.answer == "allow"
            end)
            """,
        faults: [
            Fault(breaks: "a pupil of year 7 has more than two", "year7 = 2", "year7 = 3"),
            Fault(breaks: "a second game", "\"game\") >= 1", "\"game\") >= 2"),
            Fault(breaks: "a second game", "is_game and count", "is_game and case.patron.age and count"),
            Fault(breaks: "late pupils borrow", "late(case) > 0", "late(case) > 1"),
            Fault(breaks: "late pupils borrow", "loan.due_at < case.now", "loan.due_at + days(1) < case.now"),
            Fault(breaks: "a seventh film", "\"bluray\" }, max = 6", "\"bluray\" }, max = 7"),
            Fault(breaks: "a seventh film", "{ item_type = { \"dvd\", \"bluray\" }", "{ item_type = \"bluray\""),
            Fault(
                breaks: "year 7 borrows at two libraries", "loan.branch ~= case.branch",
                "loan.branch ~= case.branch and loan.on_site"),
        ])
}
