import Circulation
import Scripting
import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about policies that keep the element of a list with the least or the greatest of something.
@Suite("Proofs about the element with the least or the greatest")
struct KeptElementProofTests {
    /// What proofs say of a policy that lends where a condition holds of the loan that is kept.
    ///
    /// - Parameter loop: what finds it as `best`.
    private static func report(_ loop: String, _ condition: String, _ properties: [String]) throws -> ProofReport {
        let function = """
            local function isRight(case)
                local best
                \(loop)
                return \(condition)
            end
            """
        return try ListProofTests.report(
            ListProofTests.lending(where: "isRight(case)", function), properties.joined(separator: "\n"))
    }

    /// A property of all loans that have a due time.
    private static func never(_ name: String, withLoan condition: String) -> String {
        """
        never("\(name)", "checkout", function(case, decision)
            for _, loan in ipairs(case.patron.loans) do
                if loan.due_at and \(condition) then return decision.answer == "allow" end
            end
            return false
        end)
        """
    }

    private static func never(_ name: String, where condition: String) -> String {
        """
        never("\(name)", "checkout", function(case, decision)
            local loans = case.patron.loans
            return \(condition) and decision.answer == "allow"
        end)
        """
    }

    /// How policies find the loan that is due first.
    static let firsts = [
        "for _, loan in ipairs(case.patron.loans) do "
            + "if loan.due_at and (not best or loan.due_at < best.due_at) then best = loan end end",
        "for i = 1, #case.patron.loans do local loan = case.patron.loans[i] "
            + "if loan.due_at then if best == nil then best = loan "
            + "elseif best.due_at >= loan.due_at then best = loan end end end",
        "local due for _, loan in ipairs(case.patron.loans) do "
            + "if loan.due_at and (not due or loan.due_at < due) then best, due = loan, loan.due_at end end",
        "local due for _, loan in ipairs(case.patron.loans) do "
            + "if loan.due_at and (not best or loan.due_at <= due) then due = loan.due_at best = loan end end",
    ]

    @Test("what is so of the loan that is due first is so of each", arguments: firsts)
    func first(_ loop: String) throws {
        let properties = [
            Self.never("with a loan that is late", withLoan: "loan.due_at < case.now"),
            Self.never("with a loan that is due within a week", withLoan: "loan.due_at < case.now + days(7)"),
            """
            always("where nothing is late", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now then return true end
                end
                return decision.code ~= "no"
            end)
            """,
        ]
        let report = try Self.report(loop, "not best or best.due_at >= case.now", properties)
        #expect(report.results.map(\.status) == [.proved, .refuted, .proved], "\(report.text)")
    }

    @Test("a number at the beginning keeps elements away that do not lie beyond it")
    func beginning() throws {
        let loop = """
            local most = 3
            for _, loan in ipairs(case.patron.loans) do
                local n = loan.due_at and (date(case.now) - date(loan.due_at)).count or 0
                if n > most then best, most = loan, n end
            end
            """
        let late = "(date(case.now) - date(loan.due_at)).count"
        let properties = [
            Self.never("four days late", withLoan: "\(late) >= 4"),
            Self.never("three days late", withLoan: "\(late) >= 3"),
        ]
        let report = try Self.report(loop, "not best", properties)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("what else the element says is what is asked", arguments: firsts.prefix(3))
    func others(_ loop: String) throws {
        let isFilm = "loans[1].due_at and loans[1].item_type == \"dvd\""
        let properties = [
            Self.never("with one loan, a film", where: "#loans == 1 and \(isFilm)"),
            """
            never("with films alone", "checkout", function(case, decision)
                for _, loan in ipairs(case.patron.loans) do
                    if not loan.due_at or loan.item_type ~= "dvd" then return false end
                end
                return #case.patron.loans > 0 and decision.answer == "allow"
            end)
            """,
            Self.never("with a film", withLoan: "loan.item_type == \"dvd\""),
            Self.never("with a film of two, due later", where: "#loans == 2 and \(isFilm)"),
        ]
        let report = try Self.report(loop, "not best or best.item_type ~= \"dvd\"", properties)
        #expect(report.results.map(\.status) == [.proved, .proved, .refuted, .refuted], "\(report.text)")
    }

    @Test("of those that are due at one time the first is kept, or the last", arguments: [("<", true), ("<=", false)])
    func equal(_ sign: String, _ isFirst: Bool) throws {
        let loop =
            "for _, loan in ipairs(case.patron.loans) do "
            + "if loan.due_at and (not best or loan.due_at \(sign) best.due_at) then best = loan end end"
        let areEqual = "#loans == 2 and loans[1].due_at and loans[1].due_at == loans[2].due_at"
        let properties = [1, 2].map { place in
            Self.never("\(place)", where: "\(areEqual) and loans[\(place)].item_type == \"dvd\"")
        }
        let report = try Self.report(loop, "not best or best.item_type ~= \"dvd\"", properties)
        let expected: [ProofReport.Status] = isFirst ? [.proved, .refuted] : [.refuted, .proved]
        #expect(report.results.map(\.status) == expected, "\(report.text)")
    }

    @Test("what is stated of the kept element is not taken to be so of lists without one")
    func short() throws {
        let loop =
            "for _, loan in ipairs(case.patron.loans) do if not best or loan.title < best.title then best = loan end end"
        let properties = (0...6).map { Self.never("\($0) loans", where: "#loans == \($0)") }
        let statuses = try Self.report(loop, "not best or best.title > 7", properties).results.map(\.status)
        #expect(!statuses.contains(.proved) && statuses.prefix(5).allSatisfy { $0 == .refuted }, "\(statuses)")
    }

    /// Loops that look like the search for the loan that is due first and are none.
    static let alike = [
        "if not best or loan.due_at > best.due_at then best = loan end",
        "if not best or loan.due_at + days(1) < best.due_at then best = loan end",
        "if not best or loan.due_at < best.due_at + days(1) then best = loan end",
        "if not best or loan.due_at < best.due_at and i ~= 7 then best = loan end",
        "if loan ~= best then best = loan end",
        "if not best or loan.due_at < case.now + days(1) then best = loan end",
        "if not best or loan.title < best.title then best = loan end",
        "if not best or loan.due_at < due then best, due = loan, case.now end",
        "if not best or loan.due_at < due then due = loan.due_at end best = loan",
        "if not due or loan.due_at > due then best, due = loan, loan.due_at end",
    ]

    @Test("a loop that keeps another element is not taken for one that keeps the first", arguments: alike)
    func other(_ statement: String) throws {
        let loop = """
            local due = case.now
            for i, loan in ipairs(case.patron.loans) do
                if loan.due_at then \(statement) end
            end
            """
        let property = """
            never("with a loan that is late", "checkout", function(case, decision)
                local isLate = false
                for _, loan in ipairs(case.patron.loans) do
                    if loan.due_at and loan.due_at < case.now - days(3) then isLate = true end
                end
                return isLate and decision.answer == "allow"
            end)
            """
        let report = try Self.report(loop, "not best or best.due_at >= case.now - days(3)", [property])
        #expect(report.results[0].status != .proved, "\(report.text)")
    }
}
