import Circulation
import Foundation
import LuaSyntax
import Scripting
import Testing
import TextFormats
import Workbench

/// A sound policy, and mistakes that an author might have made in it.
@Suite("Faults planted in a policy are found on their line")
struct PlantedFaultTests {
    static let sound = """
        local dear = money "25.00"
        local function heavy(patron)
            return patron.overdue > 5 or patron.fees_owed >= dear
        end

        return policy {
            api = 1,
            name = "sound",
            limits = {
                { category = "teacher", max = unlimited },
                { category = "student", item_type = "book", max = 5 },
                { item_type = "film", max = 2 },
                { max = 8 },
            },
            rules = {
                { item_type = "reference", lend = false, reason = "Stays in the library." },
                { item_type = "laptop", loan = hours(3), fine = money "1.00", per = hours(1), fine_cap = money "30.00" },
                { category = "student", item_type = "book", loan = days(14), renewals = 2, fine = money "0.20" },
                { category = "teacher", loan = weeks(8), renewals = 6, fine = none },
                { loan = days(14), renewals = 1, closed = "next_open", suspension = days(1), fine = money "0.10" },
            },
            notices = {
                { stage = "soon", before = days(2), channel = "email", subject = "Due soon",
                  body = "Dear {{patron.name}}, {{title.title}} is due on {{loan.due}}." },
                { stage = "first", after = days(1), channel = "email", subject = "Overdue",
                  body = "Dear {{patron.name}},\\n" .. "{{title.title}} was due on {{loan.due}}." },
                { stage = "second", after = days(12), every = days(7), times = 3, charge = money "2.15",
                  channel = "email", subject = "Still overdue", body = "Please return it." },
            },
            request = function(case)
                if heavy(case.patron) then
                    return deny("fees_owed", "Please settle your fees.", { override = true })
                end
            end,
            checkout = function(case, rule)
                if #case.patron.loans > 3 and case.title.holds_waiting > 0 then
                    return deny("busy", "Others wait.")
                end
                if case.patron.category == "student" and case.actor.channel == "web" then
                    return confirm("web", "Lend over the web?")
                end
            end,
            due = function(case, rule)
                if case.title.holds_waiting > 3 then
                    return case.now + days(7)
                end
            end,
            overdue = function(case)
                if case.loan.days_overdue >= 30 and #case.loan.notices < 4 then
                    return notice { stage = "last", channel = "letter", subject = "Last notice", body = "At once." }
                end
            end,
            fine = function(case)
                if case.patron.category == "teacher" then
                    return money "0.00"
                end
            end,
            checkin = function(case)
                if case.loan.days_overdue > 10 then
                    return suspend(days(3))
                end
            end,
            publish = function(case)
                if case.listing and case.listing.others >= 10 then
                    return deny("many", "You already have many offers open. Withdraw one before you add another.")
                end
                return review("Staff look at it.")
            end,
        }
        """

    private func report(_ source: String, declared: DeclaredValues? = nil) throws -> PolicyCheck.Report {
        PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source), declared: declared)
    }

    @Test("the sound policy has no finding")
    func noFindings() throws {
        #expect(try report(Self.sound).text == "No problems found.")
    }

    @Test("each fault is the only finding, with its code, on its line", arguments: PlantedFaults.all)
    func planted(fault: PlantedFaults.Fault) throws {
        let source = Self.sound.replacing(fault.old, with: fault.new, maxReplacements: 1)
        try #require(source != Self.sound, "nothing was planted")
        let start = try #require(Self.sound.range(of: fault.old)?.lowerBound)
        let line = Self.sound[..<start].count { $0 == "\n" } + 1
        let report: PolicyCheck.Report
        do {
            report = try self.report(source)
        } catch let failure as PolicyFailure {
            #expect(fault.code == failure.code && failure.line == line)
            return
        }
        let found = report.findings.map { "\($0.code) \($0.position.line)" }
        #expect(found == ["\(fault.code) \(line)"], "\(report.text)")
    }

    @Test("with each token on a line of its own the finding names a line of the fault", arguments: PlantedFaults.all)
    func exploded(fault: PlantedFaults.Fault) throws {
        let start = try #require(Self.sound.range(of: fault.old)).lowerBound
        let source = Self.sound.replacing(fault.old, with: fault.new, maxReplacements: 1)
        let piece = source.index(
            source.startIndex, offsetBy: Self.sound.distance(from: Self.sound.startIndex, to: start))
        let end = source.index(piece, offsetBy: fault.new.count)
        let exploded = try ExplodedSource(source, piece: piece..<end)
        let places: [(code: String, line: Int)]
        do {
            places = try self.report(exploded.text).findings.map { ($0.code, $0.position.line) }
        } catch let failure as PolicyFailure {
            places = [(failure.code, failure.line ?? 0)]
        }
        #expect(places.map(\.code) == [fault.code])
        #expect(places.allSatisfy { exploded.planted.contains($0.line) }, "\(places), planted in \(exploded.planted)")
    }

    @Test(
        "what to write instead is said",
        arguments: [
            ("loan = weeks(8)", "loan = 56", "days(56)"), ("fine = money \"0.20\"", "fine = 0.2", "money \"0.20\""),
            ("patron.fees_owed >= dear", "patron.fees_owed >= 25", "money \"25.00\""),
            ("case.loan.days_overdue > 10", "case.loan.days_overdue > days(10)", "10"),
            ("#case.patron.loans > 3", "case.patron.loans > 3", "#case.patron.loans"),
            ("case.loan.days_overdue >= 30", "case.loan.days_overdue == 30", "case.loan.days_overdue >= 30"),
            ("return case.now + days(7)", "return days(7)", "case.now + days(7)"),
            ("closed = \"next_open\"", "closed = \"nextopen\"", "\"next_open\""),
            ("case.actor.channel == \"web\"", "case.actor.channel == \"wbe\"", "web"),
        ])
    func suggestions(old: String, new: String, suggestion: String) throws {
        let report = try report(Self.sound.replacing(old, with: new, maxReplacements: 1))
        #expect(report.findings.map(\.suggestion) == [suggestion], "\(report.text)")
    }

    @Test(
        "what is written on purpose is no finding",
        arguments: [
            ("case.loan.days_overdue >= 30", "case.loan.days_overdue == 0"),
            ("case.title.holds_waiting > 3", "rule.loan == nil"),
            ("case.title.holds_waiting > 3", "rule.renewals == unlimited"),
            ("case.title.holds_waiting > 3", "case.now > date \"2026-12-24\""),
            ("case.title.holds_waiting > 3", "case.patron.age and case.patron.age < 12"),
            ("case.title.holds_waiting > 3", "case.loan and case.loan.renewals > 1"),
            ("case.title.holds_waiting > 3", "case.patron.extra.level == 5"),
            ("return case.now + days(7)", "return exact(case.now + hours(3))"),
            ("return money \"0.00\"", "return dear * 2"),
            ("return case.now + days(7)", "local dear = dear * 2 return dear > dear * 3 and case.now + days(7) or nil"),
            ("case.title.holds_waiting > 3", "case.patron.category ~= \"a\" and case.patron.category ~= \"b\""),
            ("case.title.holds_waiting > 3", "case.title.holds_waiting > 3 and case.title.holds_waiting < 9"),
            ("{ item_type = \"film\", max = 2 },", "{ item_type = { \"film\", \"film_2\" }, max = 2 },"),
        ])
    func onPurpose(old: String, new: String) throws {
        let source = Self.sound.replacing(old, with: new, maxReplacements: 1)
        try #require(source != Self.sound)
        #expect(try report(source).text == "No problems found.")
    }

    @Test("rows that only several others hide together are found")
    func hiddenTogether() throws {
        let source = """
            return policy { rules = {
                { category = "a", loan = days(1) },
                { category = "b", loan = days(2) },
                { category = { "a", "b" }, loan = days(3) },
                { loan = days(4) },
            } }
            """
        let report = try report(source)
        #expect(report.findings.map { "\($0.code) \($0.position.line)" } == ["unreachable_row 4"], "\(report.text)")
        #expect(report.findings.first?.message.contains("row 1, line 2, and row 2, line 3,") == true)
    }

    // MARK: - Values of the library

    private static let declared = DeclaredValues(
        categories: ["teacher", "student"].map { Category(code: $0, name: $0) },
        itemTypes: ["book", "film", "reference", "laptop"].map { ItemType(code: $0, name: $0) },
        branches: [Branch(code: "main", name: "Main")])

    @Test(
        "a comparison with a code that has others below it is doubted",
        arguments: [
            ("if case.patron.category == 'child' then return deny('a', 'b') end", "doubtful_value 3:28"),
            ("local c = case.patron.category if c ~= 'child' then return deny('a', 'b') end", "doubtful_value 3:40"),
            ("if case.patron.category == 'toddler' then return deny('a', 'b') end", ""),
            ("if case.copy and case.copy.item_type == 'media' then return deny('a', 'b') end", "doubtful_value 3:41"),
            ("if has(case.patron.categories, 'child') then return deny('a', 'b') end", ""),
        ])
    func narrow(body: String, expected: String) throws {
        let declared = DeclaredValues(
            categories: [
                Category(code: "child", name: "Children"), Category(code: "toddler", name: "Toddlers", parent: "child"),
            ],
            itemTypes: [ItemType(code: "media", name: "Media"), ItemType(code: "dvd", name: "DVDs", parent: "media")],
            branches: [Branch(code: "main", name: "Main")])
        let report = try report(
            "return policy { rules = { { loan = days(9) } },\ncheckout = function(case)\n\(body)\nend }",
            declared: declared)
        let found = report.findings.map { "\($0.code) \($0.position.line):\($0.position.column)" }
        #expect(found.joined(separator: ", ") == expected, "\(report.text)")
    }

    @Test("with a store at hand, values that the library does not declare are found in rows and in functions")
    func undeclared() throws {
        #expect(try report(Self.sound, declared: Self.declared).text == "No problems found.")
        let source = Self.sound.replacing("category = \"teacher\"", with: "category = \"professor\"")
            .replacing("category == \"teacher\"", with: "category == \"professor\"")
        let report = try report(source, declared: Self.declared)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains("professor") }.map { "unknown_value \($0.offset + 1)" }
        #expect(report.findings.map { "\($0.code) \($0.position.line)" } == lines, "\(report.text)")
        #expect(report.isOK, "the library may still declare it")
    }

    @Test(
        "what a local function leaves out is found where it is missed",
        arguments: [
            ("if usual > last then", "may_be_nil 9"), ("if last and usual > last then", ""),
        ])
    func leftOut(condition: String, expected: String) throws {
        let source = """
            local ends = { date "2026-03-31", date "2026-09-30" }
            local function term(day)
                for _, last in ipairs(ends) do
                    if day <= last then return last end
                end
            end
            return policy { rules = { { loan = days(14) } }, due = function(case, rule)
                local last, usual = term(date(case.now)), standard(case, rule)
                \(condition)
                    return last
                end
            end }
            """
        let found = try report(source).findings.map { "\($0.code) \($0.position.line)" }
        #expect(found.joined(separator: ", ") == expected)
    }

    @Test("an answer that a local function gives on every path but one is found in that function")
    func missingAnswerOfLocalFunction() throws {
        let source = """
            local function look(case)
                if case.title then
                    return allow()
                end
            end
            return policy { publish = function(case) return look(case) end }
            """
        let report = try report(source)
        #expect(report.findings.map { "\($0.code) \($0.position.line)" } == ["missing_answer 1"], "\(report.text)")
    }

    // MARK: - Scripts

    private func check(_ source: String, named name: String = "script.lua") throws -> PolicyCheck.Report {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try source.write(to: file, atomically: true, encoding: .utf8)
        return PolicyCheck.check(file: file.path)
    }

    @Test(
        "capabilities that scripts misuse are found",
        arguments: [
            ("loans.renew(1)", "capability 1"), ("needs { \"loans.wirte\" }\nlog.info('x')", "capability 1"),
            ("needs { \"loans.write\" }\nloans.renew(1)", ""),
            ("needs { \"fees.write\" }\nlocal l = loans\nl.renew(1)", "capability 1, capability 3"),
            ("log.info('x')\nneeds { \"loans.write\" }", "capability 2"),
            ("for l in loans.each {} do print(l.id) end", ""), ("report.titel('x')", "unknown_api 1"),
            ("local f = loans\nneeds { 'x' .. 'y' }", "capability 2"),
        ])
    func scripts(source: String, expected: String) throws {
        let report = try check(source)
        let found = report.findings.map { "\($0.code) \($0.position.line)" }.joined(separator: ", ")
        #expect(found == expected, "\(report.text)")
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let shippedScripts: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("scripts").path))?
        .filter { $0.hasSuffix(".lua") }.sorted() ?? []

    @Test("the scripts that are shipped have no finding", arguments: Self.shippedScripts)
    func shippedScript(name: String) throws {
        let report = PolicyCheck.check(file: Self.root.appendingPathComponent("scripts/\(name)").path)
        #expect(report.text == "No problems found.")
    }

    // MARK: - Outputs

    @Test("SARIF names rule, level, place and what to write instead")
    func sarif() throws {
        let report = try check("return policy { rules = { { loan = 14 } } }", named: "a b.lua")
        let json = PolicyCheck.Report.sarif([report])
        #expect(json["version"] == "2.1.0")
        let run = try #require(json["runs"]?.arrayValue?.first)
        #expect(run["tool"]?["driver"]?["rules"]?.arrayValue?.map { $0["id"] } == ["wrong_type"])
        let result = try #require(run["results"]?.arrayValue?.first)
        #expect(result["ruleId"] == "wrong_type" && result["level"] == "error")
        #expect(result["message"]?["text"]?.stringValue?.hasSuffix("Write: days(14)") == true)
        let place = result["locations"]?.arrayValue?.first?["physicalLocation"]
        #expect(place?["region"]?["startLine"] == 1 && place?["region"]?["startColumn"] == 36)
        #expect(place?["artifactLocation"]?["uri"]?.stringValue?.hasSuffix("/a%20b.lua") == true)
    }

    @Test("findings name the file as it was given")
    func paths() throws {
        let report = try check("return policy { rules = { { loan = 14 } } }")
        #expect(report.findings.first?.file.hasPrefix("/") == true)
        #expect(report.text.contains("rules = { { loan = 14 } }"))
    }

    // MARK: - Kinds

    @Test("the kinds of fields that the check goes by are those that functions see")
    func kinds() throws {
        let points: [String] = ["checkout", "renew", "hold", "publish", "price", "notify"]
        for point in points {
            let paths = PolicyCheck.fieldKinds.keys.filter { !$0.contains("[]") }.sorted()
            let lines = paths.map { path -> String in
                let parts = path.split(separator: ".").map(String.init)
                let guarded = parts.count > 1 ? "case.\(parts[0]) and case.\(path)" : "case.\(path)"
                return "local v = \(guarded) if v ~= nil then t[#t + 1] = \"\(path)=\" .. type(v) end"
            }
            let source = """
                local function look(case)
                    local t = {}
                \(lines.map { "do \($0) end" }.joined(separator: "\n"))
                    error("<" .. table.concat(t, ";") .. ">")
                end
                return policy { rules = { { loan = days(1) } }, \(point) = look }
                """
            let policy = try LuaPolicy(ParsedPolicy(name: "main.lua", source: source))
            let decision = policy.decide(try Case(json: ["point": .string(point), "patron": ["age": 5]]))
            let message = try #require(decision.failure?.message)
            let told = try #require(message.split(separator: "<").last?.split(separator: ">").first)
            for pair in told.split(separator: ";") {
                let parts = pair.split(separator: "=").map(String.init)
                let kind = PolicyCheck.fieldKinds[parts[0]].map { String($0.prefix { $0 != ":" }) }
                let seen = ["string": "text", "userdata": "list", "table": "list"][parts[1]] ?? parts[1]
                #expect(kind == seen, "\(point): \(parts[0]) is \(parts[1])")
            }
        }
    }
}
