import LuaRuntime
import Testing

@Suite("Records and host values")
struct RecordTests {
    let patronType = LuaRecordType(name: "patron", fields: ["id", "category", "age", "loans", "blocks"])
    let loanType = LuaRecordType(name: "loan", fields: ["title", "renewals"])

    func index(_ type: LuaRecordType, _ name: String) throws -> Int { try #require(type.index(of: name)) }

    func filled(_ state: LuaState) throws -> (LuaFrame, LuaRecordRef) {
        let frame = try LuaFrame(state)
        frame.begin()
        let patron = try frame.record(patronType)
        frame.set(patron, try index(patronType, "id"), Int64(42))
        frame.set(patron, try index(patronType, "category"), "staff")
        try frame.set(patron, index(patronType, "blocks"), ["a", "b"])
        let loans = try frame.list(of: 2)
        for (place, title) in ["Emma", "Ulysses"].enumerated() {
            let loan = try frame.record(loanType)
            frame.set(loan, 0, title)
            frame.set(loan, 1, Int64(place))
            frame.set(loans, place, loan)
        }
        frame.set(patron, try index(patronType, "loans"), loans)
        return (frame, patron)
    }

    func answer(_ source: String, _ state: LuaState) throws -> [LuaValue] {
        let function = try state.load(
            "local p = ... \(source)", chunk: "record.lua", environment: state.makeEnvironment())
        let (frame, patron) = try filled(state)
        defer { frame.end() }
        return try state.call(function, frame: frame, records: patron) { answer in
            try (0..<answer.count).map { try answer.toValue($0) }
        }
    }

    @Test(
        "a record reads like a table",
        arguments: [
            ("return p.id, p.category, p.age", #"42, "staff", nil"#),
            ("return #p.loans, p.loans[2].title, p.loans[3]", #"2, "Ulysses", nil"#),
            ("local n = 0 for i, l in ipairs(p.loans) do n = n + l.renewals + i end return n", "4"),
            ("local s = '' for k in pairs(p) do s = s .. k .. ',' end return s", #""id,category,loans,blocks,""#),
            ("local s = '' for k, v in pairs(p.blocks) do s = s .. k .. v end return s", #""1a2b""#),
            ("return p.loans[1] == p.loans[1], p.loans[1] == p.loans[2]", "true, false"),
        ])
    func reads(source: String, expected: String) throws {
        #expect(try answer(source, makeState(.policy)).map(\.description).joined(separator: ", ") == expected)
    }

    @Test("a record that is returned is copied as a table")
    func copied() throws {
        let result = try answer("return p", makeState(.policy))
        let table = try #require(result.first?.tableValue)
        #expect(table["id"] == 42)
        #expect(table["loans"].tableValue?.array.first?.tableValue?["title"] == "Emma")
        #expect(table["age"] == .nil)
    }

    @Test("an unknown field is an error in the host's words")
    func unknownField() throws {
        let state = try makeState(.policy)
        state.unknownField = { "\($0) has no \($1)" }
        let error = try #require(throws: LuaError.self) { try answer("return p.catgory", state) }
        #expect(error.message == "patron has no catgory")
    }

    @Test("a record cannot be written")
    func readOnly() throws {
        let error = try #require(throws: LuaError.self) { try answer("p.id = 1", makeState(.policy)) }
        #expect(error.message.contains("read-only"))
    }

    @Test("a record is dead after the frame ends, and when the frame is used again")
    func dead() throws {
        let state = try makeState()
        let environment = try state.makeEnvironment()
        let keep = try state.load("kept = ... return kept.id", chunk: "keep", environment: environment)
        let use = try state.load("return kept.id", chunk: "use", environment: environment)
        let (frame, patron) = try filled(state)
        #expect(try state.call(keep, frame: frame, records: patron) { $0.integer() } == 42)
        #expect(try state.call(use) == [42])
        frame.end()
        let error = try #require(throws: LuaError.self) { try state.call(use) }
        #expect(error.message == "record is no longer valid")
        frame.begin()
        _ = try frame.record(patronType)
        #expect(throws: LuaError.self) { try state.call(use) }
    }

    @Test("a policy sees each call's own values, field by field, also where only some of them changed")
    func renewed() throws {
        let state = try makeState(.policy)
        let read = try state.load(
            "local p = ... local l = p.loans and p.loans[1] return p.id, p.category, p.age, l and l.title",
            chunk: "read", environment: state.makeEnvironment())
        let frame = try LuaFrame(state)
        let cases: [(Int64?, String?, Bool?, String?)] = [
            (1, "staff", nil, "Emma"), (1, "staff", nil, "Emma"), (1, "child", true, nil), (nil, "child", nil, "Emma"),
            (2, nil, false, "Ulysses"),
            (3, "a category of more than forty letters, which Lua does not share", nil, nil),
            (3, "another category of more than forty letters, not shared either", true, "Emma"), (1, "staff", nil, nil),
        ]
        for (id, category, age, title) in cases {
            frame.begin()
            let patron = try frame.record(patronType)
            if let id { frame.set(patron, 0, id) }
            if let category { frame.set(patron, 1, category) }
            if let age { frame.set(patron, 2, age) }
            if let title {
                let loans = try frame.list(of: 1)
                let loan = try frame.record(loanType)
                frame.set(loan, 0, title)
                frame.set(loans, 0, loan)
                frame.set(patron, 3, loans)
            }
            let answer = try state.call(read, frame: frame, records: patron) { answer in
                try (0..<answer.count).map { try answer.toValue($0) }
            }
            frame.end()
            let expected: [LuaValue] = [
                id.map { .integer($0) } ?? .nil, category.map { .string($0) } ?? .nil, age.map { .boolean($0) } ?? .nil,
                title.map { .string($0) } ?? .nil,
            ]
            #expect(answer == expected)
        }
    }

    @Test("a record in a record's field is the one of this call")
    func nested() throws {
        let state = try makeState(.policy)
        let caseType = LuaRecordType(name: "case", fields: ["patron", "other"])
        let read = try state.load(
            "local c = ... return c.patron.id, c.other and c.other.id, c.patron == c.other", chunk: "read",
            environment: state.makeEnvironment())
        let frame = try LuaFrame(state)
        for (id, other) in [(Int64(1), Int64?.none), (2, 7), (2, 8), (3, nil), (4, 4)] {
            frame.begin()
            let question = try frame.record(caseType)
            let patron = try frame.record(patronType)
            frame.set(patron, 0, id)
            frame.set(question, 0, patron)
            if let other {
                let second = try frame.record(patronType)
                frame.set(second, 0, other)
                frame.set(question, 1, second)
            }
            let answer = try state.call(read, frame: frame, records: question) { answer in
                try (0..<answer.count).map { try answer.toValue($0) }
            }
            frame.end()
            #expect(answer == [.integer(id), other.map { .integer($0) } ?? .nil, .boolean(false)])
        }
    }

    @Test("a field set after a call is there in the next call of the same frame")
    func setBetweenCalls() throws {
        let state = try makeState(.policy)
        let read = try state.load(
            "local p = ... return p.id", chunk: "read", environment: state.makeEnvironment())
        let (frame, patron) = try filled(state)
        #expect(try state.call(read, frame: frame, records: patron) { $0.integer() } == 42)
        frame.set(patron, 0, Int64(43))
        #expect(try state.call(read, frame: frame, records: patron) { $0.integer() } == 43)
    }

    @Test("a value that there was no memory for leaves nothing of an earlier call behind")
    func failedRefresh() throws {
        let state = try makeState(.policy, limits: LuaLimits(memory: 1 << 20))
        let read = try state.load(
            "local p = ... return p.category", chunk: "read", environment: state.makeEnvironment())
        let frame = try LuaFrame(state)
        func category(_ value: String?) throws -> String? {
            frame.begin()
            defer { frame.end() }
            let patron = try frame.record(patronType)
            if let value { frame.set(patron, 1, value) }
            return try state.call(read, frame: frame, records: patron) { $0.string() }
        }
        for _ in 0..<2 { #expect(try category("staff") == "staff") }
        let error = try #require(throws: LuaError.self) { try category(String(repeating: "x", count: 2_000_000)) }
        #expect(error.code == .memory)
        #expect(try category(nil) == nil)
        #expect(try category("child") == "child")
    }

    @Test("what a policy keeps of a record is dead for every other call")
    func deadInPolicies() throws {
        let state = try makeState(.policy)
        let environment = try state.makeEnvironment()
        let keep = try state.load("kept = ... return kept.id, kept.age", chunk: "keep", environment: environment)
        let use = try state.load("return kept.id", chunk: "use", environment: environment)
        let (frame, patron) = try filled(state)
        #expect(try state.call(keep, frame: frame, records: patron) { $0.integer() } == 42)
        #expect(try state.call(use) == [42])
        frame.end()
        let error = try #require(throws: LuaError.self) { try state.call(use) }
        #expect(error.message == "record is no longer valid")
        frame.begin()
        let loan = try frame.record(loanType)
        #expect(throws: LuaError.self) { try state.call(use, frame: frame, records: loan) { $0.integer() } }
    }

    @Test("a constructor gives what it gave for the same text, and is asked for everything else")
    func constructors() throws {
        let state = try makeState(.policy)
        try state.register(Self.type())
        nonisolated(unsafe) var asked = 0
        try state.defineConstructor("money") { arguments in
            asked += 1
            return [.value(LuaSmallValue(type: Self.money, a: arguments[0].integerValue ?? -1, b: 0))]
        }
        #expect(
            try state.run("return money(3) == money(3), money(4).amount, money('a').amount")
                == [true, 4, -1])
        #expect(asked == 3)
        #expect(try state.run("return money(3, 4).amount, money(3.0).amount, money(3.0).amount") == [3, 3, 3])
        #expect(asked == 6)
        #expect(try state.run("local sum = 0 for i = 1, 200 do sum = sum + money(i).amount end return sum") == [20100])
    }

    @Test("an answer's fields are read in place")
    func fields() throws {
        let state = try makeState(.policy)
        let (code, days, missing) = (try state.key("code"), try state.key("days"), try state.key("missing"))
        let function = try state.load(
            "local p = ... return { code = p.category, days = 14, ok = true }, 'second'", chunk: "x",
            environment: state.makeEnvironment())
        let (frame, patron) = try filled(state)
        try state.call(function, frame: frame, records: patron) { answer in
            #expect(answer.count == 2)
            #expect(answer.kind() == .table)
            #expect(answer.string(code) == "staff")
            #expect(answer.withUTF8(code) { $0.count } == 5)
            #expect(answer.integer(days) == 14)
            #expect(answer.kind(missing) == .nil)
            #expect(answer.string(1) == "second")
            #expect(answer.kind(code, of: 1) == .nil)
        }
    }

    // MARK: host values

    static let money = LuaValueType.ID(rawValue: 1)

    static func type() -> LuaValueType {
        LuaValueType(
            id: money, name: "money",
            arithmetic: { symbol, left, right in
                guard symbol == .add, let a = left.smallValue, let b = right.smallValue, a.b == b.b else {
                    throw LuaHostError("cannot use \(symbol.symbol) here")
                }
                return .value(LuaSmallValue(type: money, a: a.a + b.a, b: a.b))
            },
            compare: { _, _, _ in throw LuaHostError("cannot compare") },
            text: { "\($0.a) of \($0.b)" },
            field: { value, name in
                switch name {
                case "amount": .integer(value.a)
                case "double": .callback { _ in [.integer(value.a * 2)] }
                default: throw LuaHostError("money has no field '\(name)'")
                }
            })
    }

    func withMoney(_ source: String) throws -> [LuaValue] {
        let state = try makeState(.policy)
        try state.register(Self.type())
        try state.define("money") {
            [.value(LuaSmallValue(type: Self.money, a: $0[0].integerValue ?? 0, b: $0[1].integerValue ?? 0))]
        }
        return try state.run(source)
    }

    @Test(
        "host values add, compare, print and have fields",
        arguments: [
            ("return (money(2) + money(3)).amount", "5"),
            ("return money(2) < money(3), money(2) <= money(2), money(3) < money(2)", "true, true, false"),
            (
                "return money(2) == money(2), money(2) == money(3), money(2) == 2, money(2) ~= 'x'",
                "true, false, false, true"
            ),
            ("return tostring(money(7, 1))", #""7 of 1""#),
            ("return money(4):double()", "8"),
            ("return money(4)", "value(1, 4, 0)"),
        ])
    func values(source: String, expected: String) throws {
        #expect(try withMoney(source).map(\.description).joined(separator: ", ") == expected)
    }

    @Test(
        "what a host value cannot do is an error",
        arguments: [
            "return money(1) * 2", "return money(1) < money(1, 1)", "return money(1) .. 'x'", "return money(1).x",
            "local m = money(1) m.x = 1",
        ])
    func refusals(source: String) throws {
        #expect(throws: LuaError.self) { try withMoney(source) }
    }
}
