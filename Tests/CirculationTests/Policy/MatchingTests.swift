import Circulation
import Testing
import TextFormats

@Suite("Matching of rules")
struct MatchingTests {
    @Test("each group of fields comes from the first matching row that sets it")
    func groups() throws {
        let tables = try Sample.tables([
            Sample.row(["loan": .period(.days(7))], where: RowConditions(itemTypes: ["dvd"])),
            Sample.row(["renewals": .integer(3)], where: RowConditions(categories: ["undergraduate"])),
            Sample.row(["loan": .period(.days(14)), "closed": .text("keep"), "renewals": .integer(1)]),
        ])
        let rule = try tables.rule(for: Sample.checkout())
        #expect(rule["loan"] == .period(.days(14)))
        #expect(rule["closed"] == .text("keep"))
        #expect(rule["renewals"] == .integer(3))
        #expect(rule.rows == [.period: 2, .renewal: 1])
        #expect(rule.origin(of: "renewals")?.line == 11)
        #expect(rule.origin(of: "renewals")?.row == 2)
        #expect(rule.origin(of: "fine") == nil)
    }

    @Test("a field that the winning row leaves unset has its built-in default, not a later row's value")
    func unsetInWinner() throws {
        let tables = try Sample.tables([
            Sample.row(["fine": .money(Sample.money("0.20"))]),
            Sample.row(["fine": .money(Sample.money("1.00")), "grace": .period(.days(3))]),
        ])
        let rule = try tables.rule(for: Sample.checkout())
        #expect(rule["grace"] == nil)
        #expect(rule["per"] == .period(.days(1)))
    }

    @Test("none sets a field to nothing and stops the search")
    func noneStops() throws {
        let tables = try Sample.tables([
            Sample.row(["fine": .none], where: RowConditions(categories: ["undergraduate"])),
            Sample.row(["fine": .money(Sample.money("1.00"))]),
        ])
        let rule = try tables.rule(for: Sample.checkout())
        #expect(rule["fine"] == nil)
        #expect(rule.setValue(of: "fine") == RuleValue.none)
        #expect(rule.row(setting: .fine) == 0)
    }

    @Test("a zero is a value, unset is not zero")
    func zero() throws {
        let tables = try Sample.tables([
            Sample.row(["holds": .integer(0)]), Sample.row(["holds": .integer(5)]),
        ])
        #expect(try tables.rule(for: Sample.checkout())["holds"] == .integer(0))
        #expect(try Sample.tables([]).rule(for: Sample.checkout())["holds"] == .unlimited)
    }

    @Test("a condition on a parent type is met by its children, one on a child not by the parent")
    func lineage() throws {
        let tables = try Sample.tables([
            Sample.row(["loan": .period(.days(1))], where: RowConditions(itemTypes: ["bluray"])),
            Sample.row(["loan": .period(.days(3))], where: RowConditions(itemTypes: ["media"])),
            Sample.row(["loan": .period(.days(9))]),
        ])
        func loan(_ types: [String]) throws -> RuleValue? {
            try tables.rule(for: Sample.checkout(itemTypes: types))["loan"]
        }
        #expect(try loan(["bluray", "media"]) == .period(.days(1)))
        #expect(try loan(["dvd", "media"]) == .period(.days(3)))
        #expect(try loan(["media"]) == .period(.days(3)))
        #expect(try loan(["book"]) == .period(.days(9)))
    }

    @Test(
        "each condition is met by its own fact",
        arguments: [
            (RowConditions(categories: ["staff", "undergraduate"]), true),
            (RowConditions(categories: ["staff"]), false),
            (RowConditions(itemTypes: ["book"]), true), (RowConditions(itemTypes: ["dvd"]), false),
            (RowConditions(branches: ["lent here"]), true), (RowConditions(branches: ["owned there"]), false),
            (RowConditions(copyBranches: ["owned there"]), true), (RowConditions(copyBranches: ["lent here"]), false),
            (RowConditions(homeBranches: ["main"]), true), (RowConditions(homeBranches: ["lent here"]), false),
            (RowConditions(onSite: true), true), (RowConditions(onSite: false), false),
            (RowConditions(channels: ["self"]), true), (RowConditions(channels: ["desk", "web"]), false),
            (RowConditions(categories: []), false),
        ])
    func conditions(_ conditions: RowConditions, isMet: Bool) throws {
        var question = try Sample.checkout(branch: "lent here")
        question.copy?.branch = "owned there"
        question.actor = ActorFacts(role: .patron, channel: .`self`)
        question.request = RequestFacts(size: 1, titles: [10], index: 1, onSite: true)
        let tables = try Sample.tables([Sample.row(["lend": .boolean(false)], where: conditions)])
        #expect((try tables.rule(for: question)["lend"] == .boolean(false)) == isMet)
    }

    @Test("without a copy only rows that ask nothing of it match")
    func withoutCopy() throws {
        var question = try Sample.checkout()
        question.copy = nil
        let tables = try Sample.tables([
            Sample.row(["loan": .period(.days(1))], where: RowConditions(itemTypes: ["book"])),
            Sample.row(["loan": .period(.days(2))], where: RowConditions(copyBranches: ["main"])),
            Sample.row(["loan": .period(.days(3))]),
        ])
        #expect(try tables.rule(for: question)["loan"] == .period(.days(3)))
    }

    @Test("a when function is asked once, and only if all else matches and it comes to that row")
    func whenIsAskedOnce() throws {
        let tables = try Sample.tables([
            Sample.row(["loan": .period(.days(1))], where: RowConditions(itemTypes: ["dvd"], when: 1)),
            Sample.row(["loan": .period(.days(2)), "fine": .none], where: RowConditions(when: 2)),
            Sample.row(["loan": .period(.days(3)), "renewals": .integer(1)], where: RowConditions(when: 3)),
            Sample.row(["loan": .period(.days(4))], where: RowConditions(when: 4)),
        ])
        var asked: [Int] = []
        let rule = try tables.matchedRule(for: Sample.checkout()) { index in
            asked.append(index)
            return index == 3
        }
        #expect(rule["loan"] == .period(.days(3)))
        #expect(rule.row(setting: .renewal) == 2)
        #expect(rule.row(setting: .fine) == nil)
        #expect(asked == [2, 3])
    }

    @Test("match orders rows by their most important condition, rows alike as written")
    func matchOrder() throws {
        func row(_ days: Int64, _ conditions: RowConditions) -> RuleRow {
            Sample.row(["loan": .period(.days(days))], where: conditions)
        }
        let rows = [
            row(1, RowConditions()), row(2, RowConditions(itemTypes: ["book"])),
            row(3, RowConditions(categories: ["undergraduate"])),
            row(4, RowConditions(categories: ["undergraduate"], itemTypes: ["book"])),
            row(5, RowConditions(branches: ["main"])), row(6, RowConditions(branches: ["main"])),
        ]
        let match = MatchPrecedence(dimensions: ["branch", "category", "item_type"])
        func loan(_ rows: some Sequence<RuleRow>) throws -> RuleValue? {
            try Sample.tables(Array(rows), match: match).rule(for: Sample.checkout())["loan"]
        }
        #expect(try loan(rows) == .period(.days(5)))
        #expect(try loan(rows.prefix(4)) == .period(.days(4)))
        #expect(try loan(rows.prefix(3)) == .period(.days(3)))
        #expect(try loan(rows.prefix(2)) == .period(.days(2)))
        #expect(try Sample.tables(rows, match: match).rule(for: Sample.checkout()).row(setting: .period) == 4)
    }

    @Test("with whole rows the first matching row sets all groups")
    func wholeRows() throws {
        let rows = [
            Sample.row(["loan": .period(.days(3)), "renewals": .integer(7)]),
            Sample.row(["loan": .period(.days(5))], where: RowConditions(categories: ["undergraduate"])),
        ]
        let rule = try Sample.tables(rows, match: MatchPrecedence(dimensions: ["category"], wholeRows: true))
            .rule(for: Sample.checkout())
        #expect(rule["loan"] == .period(.days(5)))
        #expect(rule["renewals"] == .integer(0))
        #expect(rule.row(setting: .renewal) == 1)
    }

    @Test("match takes each group from the most important row that sets it")
    func matchByGroup() throws {
        let rows = [
            Sample.row(["loan": .period(.days(28)), "renewals": .integer(9)]),
            Sample.row(["renewals": .integer(2)], where: RowConditions(itemTypes: ["book"])),
            Sample.row(["loan": .period(.days(7))], where: RowConditions(categories: ["undergraduate"])),
        ]
        let match = MatchPrecedence(dimensions: ["branch", "category", "item_type"])
        let rule = try Sample.tables(rows, match: match).rule(for: Sample.checkout())
        #expect(rule.rows == [.period: 2, .renewal: 1])
    }

    @Test(
        "with match the copy's own type goes before its parents, in whatever order rows are written",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func nearestType(order: [Int]) throws {
        let rows = [
            Sample.row(["loan": .period(.days(3))], where: RowConditions(itemTypes: ["bluray"])),
            Sample.row(["loan": .period(.days(5))], where: RowConditions(itemTypes: ["disc", "tape"])),
            Sample.row(["loan": .period(.days(9))], where: RowConditions(itemTypes: ["media"])),
        ]
        let tables = try Sample.tables(
            order.map { rows[$0] }, match: MatchPrecedence(dimensions: ["category", "item_type"]))
        func loan(_ types: [String]) throws -> RuleValue? {
            try tables.rule(for: Sample.checkout(itemTypes: types))["loan"]
        }
        #expect(try loan(["bluray", "disc", "media"]) == .period(.days(3)))
        #expect(try loan(["dvd", "disc", "media"]) == .period(.days(5)))
        #expect(try loan(["tape", "media"]) == .period(.days(5)))
        #expect(try loan(["film", "media"]) == .period(.days(9)))
        #expect(try loan(["media"]) == .period(.days(9)))
        #expect(try loan(["book"]) == nil)
    }

    @Test("a more important condition outweighs a nearer item type")
    func importanceBeforeNearness() throws {
        let rows = [
            Sample.row(["loan": .period(.days(3))], where: RowConditions(itemTypes: ["bluray"])),
            Sample.row(
                ["loan": .period(.days(9))], where: RowConditions(categories: ["undergraduate"], itemTypes: ["media"])),
        ]
        let question = try Sample.checkout(itemTypes: ["bluray", "media"])
        for (dimensions, row) in [(["category", "item_type"], 1), (["item_type", "category"], 0)] {
            let tables = try Sample.tables(rows, match: MatchPrecedence(dimensions: dimensions))
            #expect(try tables.rule(for: question).row(setting: .period) == row, "\(dimensions)")
        }
    }

    @Test("with match a row whose when says no gives way to the next important one, and is asked once")
    func matchAndWhen() throws {
        let rows = [
            Sample.row(["loan": .period(.days(3))], where: RowConditions(itemTypes: ["media"])),
            Sample.row(
                ["loan": .period(.days(5)), "renewals": .integer(1)],
                where: RowConditions(itemTypes: ["bluray"], when: 7)),
        ]
        let tables = try Sample.tables(rows, match: MatchPrecedence(dimensions: ["item_type"]))
        var asked: [Int] = []
        let rule = try tables.matchedRule(for: Sample.checkout(itemTypes: ["bluray", "media"])) { index in
            asked.append(index)
            return false
        }
        #expect(rule.rows == [.period: 0])
        #expect(asked == [7])
    }

    @Test("whole rows with parents of item types: the nearest row sets all groups")
    func wholeRowsByNearness() throws {
        let rows = [
            Sample.row(
                ["loan": .period(.days(9)), "renewals": .integer(4)], where: RowConditions(itemTypes: ["media"])),
            Sample.row(["loan": .period(.days(3))], where: RowConditions(itemTypes: ["bluray"])),
        ]
        let rule = try Sample.tables(rows, match: MatchPrecedence(dimensions: ["item_type"], wholeRows: true))
            .rule(for: Sample.checkout(itemTypes: ["bluray", "media"]))
        #expect(rule["loan"] == .period(.days(3)))
        #expect(rule["renewals"] == .integer(0))
    }

    @Test("free fields are found each alone, without a default")
    func freeFields() throws {
        let tables = try Sample.tables([
            Sample.row(["locker": .free("A")], where: RowConditions(categories: ["staff"])),
            Sample.row(["locker": .free("B"), "bag": .free(2)]),
        ])
        let rule = try tables.rule(for: Sample.checkout())
        #expect(rule["locker"] == .free("B"))
        #expect(rule["bag"] == .free(2))
        #expect(rule["umbrella"] == nil)
    }

    @Test("a field read by its column is the field read by its name", arguments: ["undergraduate", "staff", "child"])
    func columns(category: String) throws {
        let tables = try Sample.tables([
            Sample.row(["fine": .none, "locker": .free("A")], where: RowConditions(categories: ["staff"])),
            Sample.row(
                ["grace": .period(.days(3)), "loan": .period(.days(9))], where: RowConditions(categories: ["child"])),
            Sample.row(["fine": .money(Sample.money("1.00")), "locker": .free("B"), "renewals": .unlimited]),
        ])
        let rule = try tables.rule(for: Sample.checkout(category: category))
        for field in RuleField.all.map(\.name) + ["locker", "umbrella"] {
            #expect(rule[RuleColumn(field, of: tables)] == rule[field], "\(field)")
        }
        #expect(rule[RuleColumn("locker", of: tables)] == .free(category == "staff" ? "A" : "B"))
    }

    @Test("tables of hundreds of rows match alike", arguments: [1, 63, 64, 65, 127, 128, 129, 500])
    func manyRows(_ count: Int) throws {
        var rows = (0..<count).map { index in
            Sample.row(["loan": .period(.days(Int64(index)))], where: RowConditions(categories: ["c\(index)"]))
        }
        rows.append(Sample.row(["loan": .period(.weeks(1))]))
        let tables = try Sample.tables(rows)
        for index in [0, count / 2, count - 1] {
            let rule = try tables.rule(for: Sample.checkout(category: "c\(index)"))
            #expect(rule["loan"] == .period(.days(Int64(index))))
        }
        #expect(try tables.rule(for: Sample.checkout())["loan"] == .period(.weeks(1)))
    }

    @Test(
        "a value that its field does not take is refused with file and line",
        arguments: [
            ("loan", RuleValue.unlimited, "loan must be a period such as days(14), not negative, not unlimited"),
            ("loan", .period(.days(-1)), "loan must be a period such as days(14), not negative, not days(-1)"),
            ("closed", .text("sometimes"), ""), ("closed", .none, ""), ("lend", .integer(1), ""),
            ("per", .period(.days(0)), ""), ("per", .none, ""), ("due_time", .text("25:00"), ""),
            ("renewals", .integer(-1), ""), ("fine_cap", .text("price"), ""), ("due_at", .period(.days(1)), ""),
            ("suspension", .period(.hours(3)), ""),
        ])
    func wrongType(_ field: String, _ value: RuleValue, message: String) throws {
        let failure = #expect(throws: PolicyFailure.self) { try Sample.tables([Sample.row([field: value])]) }
        #expect(failure?.code == "wrong_type")
        #expect(failure?.line == 10)
        #expect(failure?.message.hasPrefix(message.isEmpty ? "\(field) must be " : message) == true)
    }
}
