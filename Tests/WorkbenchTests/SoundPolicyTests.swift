import Circulation
import Foundation
import LuaSyntax
import Scripting
import Testing
import Workbench

/// Policies that say what they mean, by means that faults use as well.
@Suite("Policies that are right have no finding")
struct SoundPolicyTests {
    static let policies: [String] = [
        // Fields of the library's own, declared and read.
        """
        local function tag(rule)
            return rule.shelf_tag == "red"
        end
        return policy {
            fields = { "desk_note" },
            rules = {
                { item_type = "map", loan = days(3), shelf_tag = "red", desk_note = "Roll it up." },
                { loan = weeks(3) },
            },
            checkout = function(case, rule)
                if tag(rule) and case.actor.channel == "self" then
                    return deny("desk", "Please come to the desk.")
                end
            end,
        }
        """,
        // A price for loans that cost something, and one for carts alone.
        """
        return policy {
            rules = { { item_type = "film", rental = money "1.50", loan = days(2) }, { loan = days(14) } },
            price = function(case, rule)
                local lines = standard(case, rule)
                if case.loan and #case.patron.loans > 5 then
                    lines[#lines + 1] = { label = "Many films", amount = money "0.50" }
                end
                return lines
            end,
        }
        """,
        """
        return policy {
            rules = { { loan = days(14) } },
            price = function(case)
                local sum = money "0.00"
                for _, line in ipairs(case.lines or {}) do
                    sum = sum + line.price * line.quantity
                end
                return sum
            end,
        }
        """,
        // Words that are alike and are two; lists with a name; helpers that are called with several of them.
        """
        local screens = { "dvd", "bluray", "vhs" }
        local young = { teen = true, junior = true }
        local function is(case, category)
            return has(case.patron.categories, category)
        end
        return policy {
            limits = { { item_type = "bluray", max = 2 }, { item_type = screens, max = 4 }, { max = 20 } },
            rules = {
                { category = { "teen", "junior" }, item_type = screens, loan = days(7) },
                { category = { "group_a", "group_b" }, loan = weeks(8) },
                { loan = days(14) },
            },
            checkout = function(case)
                if is(case, "teen") and case.title.extra.audience == 18 then
                    return deny("age", "Not for you.")
                end
                if (is(case, "group_a") or is(case, { "group_b", "teen" })) and case.patron.overdue > 3 then
                    return deny("overdue", "Please bring back the others.")
                end
                if young[case.patron.category] and case.patron.age and case.patron.age > 20 then
                    return allow { despite = { "limit" } }
                end
            end,
        }
        """,
        // Constants with names, through helpers, each of the kind it is held against.
        """
        local most_fees, most_days = money "25.00", 30
        local function above(value, most)
            return value > most
        end
        return policy {
            rules = { { loan = days(14), fine = money "0.20", fine_cap = most_fees } },
            request = function(case)
                if above(case.patron.fees_owed, most_fees) or above(case.patron.overdue, 3) then
                    return deny("much", "Please come to the desk.")
                end
            end,
            overdue = function(case)
                if above(case.loan.days_overdue, most_days) then
                    return notice { stage = "last", channel = "letter", subject = "Last notice", body = "At once." }
                end
            end,
        }
        """,
        // Rows that have names of their own.
        """
        local reference = { item_type = "reference", lend = false, reason = "Read it here." }
        local ordinary = { loan = days(21), renewals = 2 }
        return policy { rules = { reference, ordinary } }
        """,
    ]

    @Test("none is found in what is meant so", arguments: policies)
    func isSound(source: String) throws {
        #expect(PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source)).text == "No problems found.")
    }

    @Test(
        "slips in lists with a name, in rows with a name, and in constants with a name stand where they are written",
        arguments: [
            (3, "\"bluray\", \"vhs\" }", "\"blueray\", \"vhs\" }", "unknown_value 1"),
            (3, "is(case, \"teen\")", "is(case, \"teeen\")", "unknown_value 14"),
            (3, "junior = true", "junoir = true", "unknown_value 2"),
            (4, "money \"25.00\", 30", "money \"25.00\", days(30)", "unlike_comparison 1"),
            (4, "case.patron.overdue, 3", "case.patron.overdue, days(3)", "unlike_comparison 8"),
            (5, "loan = days(21)", "loan = 21", "wrong_type 2"),
            (5, "lend = false", "lent = false", "unknown_rule_field 1"),
        ])
    func slips(policy: Int, old: String, new: String, expected: String) throws {
        let source = Self.policies[policy].replacing(old, with: new, maxReplacements: 1)
        try #require(source != Self.policies[policy], "nothing was planted")
        let report = PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source))
        let found = report.findings.map { "\($0.code) \($0.position.line)" }
        #expect(found.contains(expected), "\(report.text)")
    }
}
