import Circulation
import Scripting
import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about policies that look for the least or the greatest of a list.
@Suite("Proofs about the least and the greatest")
struct ExtremeProofTests {
    private static func report(_ functions: String, _ condition: String, _ properties: String) throws -> ProofReport {
        try ListProofTests.report(ListProofTests.lending(where: condition, functions), properties)
    }

    /// How policies find when the first loan is due; nil where there is none.
    static let firsts = [
        "local first for _, loan in ipairs(case.patron.loans) do "
            + "if loan.due_at and (not first or loan.due_at < first) then first = loan.due_at end end return first",
        "local first = nil for i = 1, #case.patron.loans do local loan = case.patron.loans[i] "
            + "if loan.due_at then if first == nil then first = loan.due_at "
            + "elseif first >= loan.due_at then first = loan.due_at end end end return first",
    ]

    @Test("what is so of the loan that is due first is so of each", arguments: firsts)
    func first(_ function: String) throws {
        let properties = """
            never("with a loan that is late", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then return decision.answer == "allow" end
                end
                return false
            end)
            never("with a loan that is due within a week", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now + days(7) then return decision.answer == "allow" end
                end
                return false
            end)
            always("where nothing is late", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then return true end
                end
                return decision.code ~= "no"
            end)
            """
        let report = try Self.report(
            "local function first(case) \(function) end", "first(case) == nil or first(case) >= case.now", properties)
        #expect(report.results.map(\.status) == [.proved, .refuted, .proved], "\(report.text)")
    }

    private static let lateness = "local n = loan.due_at and (date(case.now) - date(loan.due_at)).count or 0"

    /// A function that goes through the loans, of which each is `n` days late.
    private static func longest(_ statement: String) -> String {
        """
        local function longest(case)
            local most = 0
            for i, loan in ipairs(case.patron.loans) do
                \(lateness)
                \(statement)
            end
            return most
        end
        """
    }

    /// How policies find how late the loan is that is late the longest, in days.
    static let longest = [
        "if n > most then most = n end",
        "most = math.max(most, n)",
        "most = n > most and n or most",
    ]

    @Test("what is so of the loan that is late the longest is so of each", arguments: longest)
    func greatest(_ statement: String) throws {
        func never(_ days: Int) -> String {
            """
            never("late for more than \(days) days", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    \(Self.lateness)
                    if n > \(days) then return decision.answer == "allow" end
                end
                return false
            end)
            """
        }
        let allowed = """
            always("nobody is refused who is not late", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    \(Self.lateness)
                    if n > 30 then return true end
                end
                return decision.code ~= "no"
            end)
            """
        let report = try Self.report(
            Self.longest(statement), "longest(case) <= 30",
            [never(30), never(29), never(31), allowed].joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.proved, .refuted, .proved, .proved], "\(report.text)")
    }

    @Test("what is kept of some elements alone says nothing of the others")
    func some() throws {
        let function = """
            local function last(case)
                local last
                for _, block in ipairs(case.patron.blocks) do
                    if block.kind == "unpaid" and block.ends then
                        if last == nil or block.ends > last then last = block.ends end
                    end
                end
                return last
            end
            """
        func never(_ kind: String) -> String {
            """
            never([[\(kind)]], "checkout", function(case, decision)
                for _, block in ipairs(case.patron.blocks) do
                    if \(kind) and block.ends and block.ends >= date(case.now) + days(10) then
                        return decision.answer == "allow"
                    end
                end
                return false
            end)
            """
        }
        let report = try Self.report(
            function, "not last(case) or last(case) < date(case.now) + days(10)",
            [never("block.kind == \"unpaid\""), never("block.kind == \"noise\"")].joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("of lists of which one element stands for all but the first the others count too")
    func lines() throws {
        func most(_ condition: String) -> String {
            """
            never([[\(condition)]], "price", function(case, decision)
                local lines, most = case.lines or {}, money "0.00"
                for _, line in ipairs(lines) do
                    if line.price > most then most = line.price end
                end
                return #lines == 2 and \(condition)
            end)
            """
        }
        let report = try ListProofTests.report(
            "return policy { api = 1 }",
            [
                most("most > money \"10.00\" and lines[1].price <= money \"10.00\""),
                most("most < lines[1].price"),
            ].joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.refuted, .proved], "\(report.text)")
    }

    /// Loops that look like the search for a greatest number and are none.
    static let others = [
        "if n > most and i ~= 7 then most = n end",
        "if n > most + 2 then most = n end",
        "if n > most then most = n - 1 end",
        "if n > 3 and n > most or n == 1 then most = n end",
        "if n ~= most then most = n end",
        "if n > most then most = most + 1 end",
    ]

    @Test("a loop that keeps another number is not taken for one that keeps the greatest", arguments: others)
    func other(_ statement: String) throws {
        let properties = """
            never("late for more than 30 days", "checkout", function(case, decision)
                local late = false
                for _, loan in ipairs(case.patron.loans) do
                    \(Self.lateness)
                    if n > 30 then late = true end
                end
                return late and decision.answer == "allow"
            end)
            """
        let report = try Self.report(Self.longest(statement), "longest(case) <= 30", properties)
        #expect(report.results[0].status != .proved, "\(report.text)")
    }
}
