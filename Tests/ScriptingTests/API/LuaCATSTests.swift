import Circulation
import Desk
import Scripting
import Testing

@Suite("The stubs for the Lua language server")
struct LuaCATSTests {
    private static let file = LuaCATSFile(APIReferencePage.luacats.render())

    @Test("every line is an annotation or a declaration, and every type that is named is declared")
    func wellFormed() {
        #expect(Self.file.faults == [])
        #expect(Self.file.undeclared == [])
    }

    @Test(
        "every function of the API stands there with its arguments and what it gives",
        arguments: LuaAPI.modules.map(\.name))
    func functions(module: String) throws {
        for function in LuaAPI.functions where function.module == module {
            let stub = try #require(Self.file.functions[function.fullName], "\(function.fullName)")
            #expect(stub.parameters == function.parameters.map(\.name))
            #expect(stub.annotated == stub.parameters)
            switch function.result {
            case .nothing: #expect(stub.returns == [])
            case .value: #expect(stub.returns.count == 1)
            case .found: #expect(stub.returns.count == 1 && stub.returns[0].hasSuffix("?"))
            case .written:
                #expect(stub.returns.count == 2 && stub.returns[0].hasSuffix("?") && stub.returns[1] == "refusal")
            case .each: #expect(stub.returns.first?.hasPrefix("fun(): ") == true)
            }
        }
        #expect(module.isEmpty || Self.file.variables.contains(module))
    }

    @Test("every record of scripts and of the case is a class with its fields")
    func records() throws {
        for record in LuaAPI.records + PolicyRecords.references {
            let stub = try #require(Self.file.classes[record.name], "\(record.name)")
            #expect(Set(stub.fields.keys) == Set(record.fields.map(\.name)))
        }
        let calendar = try #require(Self.file.classes["case.calendar"])
        #expect(Set(calendar.fields.keys) == Set(CalendarMethod.allCases.map(\.rawValue)))
    }

    @Test("every event is a class with its fields, and functions for events are named after them")
    func events() throws {
        for declaration in EventDeclaration.all {
            let stub = try #require(Self.file.classes["event.\(declaration.name)"])
            #expect(Set(stub.fields.keys) == Set(declaration.fieldNames))
        }
        let handlers = try #require(Self.file.classes["event_handlers"])
        #expect(Set(handlers.fields.keys) == Set(EventDeclaration.all.map { "[\"\($0.name)\"]" }))
        #expect(handlers.fields["[\"loan.lost\"]"] == "fun(event: event.loan.lost)")
    }

    @Test("a policy has its keys and a function for each decision point, and rows have their fields")
    func policies() throws {
        let policy = try #require(Self.file.classes["policy"])
        #expect(Set(policy.fields.keys) == Set(PolicyKey.all))
        for point in DecisionPoint.allCases {
            let type = try #require(policy.fields[point.rawValue])
            #expect(type.hasPrefix("fun(case: \(point.rawValue)_case, rule: rule): "))
            #expect(Self.file.classes["\(point.rawValue)_case"]?.parent == "case")
        }
        let rows = try #require(Self.file.classes["rule_row"])
        #expect(Set(rows.fields.keys) == Set(RuleField.all.map(\.name) + ["[string]"]))
        #expect(rows.parent == "row_conditions")
        let conditions = try #require(Self.file.classes["row_conditions"])
        #expect(Set(conditions.fields.keys) == Set(RowConditions.names))
        let notices = try #require(Self.file.classes["notice_row"])
        #expect(Set(notices.fields.keys) == Set(PolicyKey.noticeFields))
        #expect(Set(try #require(Self.file.classes["limit_row"]).fields.keys) == Set(PolicyKey.limitFields))
    }

    @Test("every word of policies is a function with its arguments, and all other words are values")
    func words() throws {
        for word in PolicyWord.all {
            let stub = try #require(Self.file.functions[word.name], "\(word.name)")
            #expect(stub.parameters == word.parameters.map(\.name))
            #expect(stub.returns.count == 1)
        }
        #expect(Self.file.variables.isSuperset(of: ["unlimited", "none", "args"]))
    }

    @Test(
        "values reckon in the stubs as they do in Lua",
        arguments: [
            ("money", "money '1.00'"), ("date", "date '2026-12-24'"), ("instant", "now()"), ("period", "days(2)"),
            ("percent", "percent '5'"),
        ])
    func operators(type: String, value: String) throws {
        let samples = [
            "money": "money '2.00'", "date": "date '2026-12-20'", "instant": "now()", "period": "days(1)",
            "percent": "percent '5'", "integer": "3",
        ]
        let symbols = ["add": "+", "sub": "-", "mul": "*", "div": "/"]
        let evaluator = try APISample().evaluator()
        let declared = try #require(Self.file.classes[type]).operators
        func answers(_ expression: String) -> Bool {
            if case .values = evaluator.evaluate(expression) { true } else { false }
        }
        for (name, symbol) in symbols {
            for (other, sample) in samples {
                let isDeclared = declared.contains { $0.hasPrefix("\(name)(\(other)): ") }
                #expect(answers("(\(value)) \(symbol) (\(sample))") == isDeclared, "\(type) \(symbol) \(other)")
            }
        }
        #expect(answers("-(\(value))") == declared.contains { $0.hasPrefix("unm: ") })
    }

    @Test(
        "what is no annotation is a fault",
        arguments: [
            "---@field name string", "---@class a\n---@field name", "---@class a\n---@field b c|", "---@parm x any",
            "---@return fun(", "---@return { a: any", "---@return (string", "---@class a\n---@class a", "local x = 1",
            "---@return string[", "---@return table<string", "---@class a\n---@operator plus(a): a",
        ])
    func faults(text: String) {
        #expect(!LuaCATSFile(text).faults.isEmpty)
    }

    @Test("a type that nothing declares is found")
    func undeclared() {
        #expect(LuaCATSFile("---@return (lone|string)[] what").undeclared == ["lone"])
        #expect(LuaCATSFile("---@class a: b").undeclared == ["b"])
    }
}
