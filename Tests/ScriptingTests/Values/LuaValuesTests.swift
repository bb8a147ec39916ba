import Circulation
import LuaRuntime
import Scripting
import Testing

@Suite("The domain's values in Lua")
struct LuaValuesTests {
    private func evaluate(_ expression: String, zone: String = "Europe/Berlin") throws -> String {
        let state = try LuaState(profile: .policy, limits: .none)
        let context = LuaValueContext(currency: .eur, zone: try #require(Zone(identifier: zone)))
        try LuaValues.install(in: state, context: context)
        try state.define("noon", value: LuaValue(Instant(seconds: 1_768_478_400)))
        let environment = try state.makeEnvironment()
        let chunk = try state.load("return tostring(\(expression))", chunk: "test", environment: environment)
        return try state.call(chunk).first?.stringValue ?? "nothing"
    }

    @Test(
        "they print, add, subtract, multiply and compare",
        arguments: [
            ("money '1.50' + money '0.25'", "1.75 EUR"), ("money '1.50' - money '2.00'", "-0.50 EUR"),
            ("money '0.20' * 3", "0.60 EUR"), ("3 * money '0.20'", "0.60 EUR"), ("-money '1.00'", "-1.00 EUR"),
            ("money '10.00' * percent '6.62'", "0.66 EUR"), ("money '1.00' / 3", "0.33 EUR"),
            ("money '1.00' < money '2.00'", "true"), ("money '1.00' == money '1.00'", "true"),
            ("percent '6.6' == percent '6.60'", "true"), ("percent '5' < percent '6.62'", "true"),
            ("money '1.00' == 1", "false"), ("date '2026-01-31' + months(1)", "2026-02-28"),
            ("days(14) + date '2026-01-31'", "2026-02-14"), ("type(hours(1) + noon)", "instant"),
            ("(hours(1) + noon).hour", "14"),
            ("date '2026-01-31' + weeks(2)", "2026-02-14"), ("date '2026-01-31' - days(31)", "2025-12-31"),
            ("date '2026-01-31' - date '2026-01-01'", "30 days"), ("days(14) == weeks(2)", "false"),
            ("days(14) <= weeks(2) and days(14) >= weeks(2)", "true"), ("hours(2) + minutes(30)", "150 minutes"),
            ("days(3) * 2", "6 days"), ("date '2026-12-24'.weekday", "4"), ("noon.hour", "13"),
            ("date(noon)", "2026-01-15"), ("noon + hours(1)", "2026-01-15T13:00:00Z"),
            ("noon - noon", "0 minutes"), ("date '2026-01-16' > noon", "true"), ("5 < unlimited", "true"),
            ("days(9) < unlimited", "true"), ("unlimited <= unlimited", "true"), ("unlimited < unlimited", "false"),
            ("unlimited == unlimited", "true"), ("none == nil", "false"), ("type(days(1))", "period"),
            ("days(2).count", "2"), ("open_days(3).unit", "open_days"),
        ])
    func arithmetic(expression: String, expected: String) throws {
        #expect(try evaluate(expression.replacing("date '2026-12-24'.", with: "(date '2026-12-24').")) == expected)
    }

    @Test(
        "days keep the wall clock where the clocks change, hours do not",
        arguments: [("days(1)", "2026-03-29T10:00:00Z"), ("hours(24)", "2026-03-29T11:00:00Z")])
    func summerTime(period: String, expected: String) throws {
        let state = try LuaState(profile: .policy, limits: .none)
        let zone = try #require(Zone(identifier: "Europe/Berlin"))
        try LuaValues.install(in: state, context: LuaValueContext(zone: zone))
        try state.define("eve", value: LuaValue(try Instant(parsing: "2026-03-28T11:00:00Z")))
        let chunk = try state.load(
            "return tostring(eve + \(period))", chunk: "test", environment: state.makeEnvironment())
        #expect(try state.call(chunk).first?.stringValue == expected)
    }

    @Test(
        "what cannot be reckoned says so, with its line",
        arguments: [
            ("money '1.00' + 1", "money + number"), ("money '1.00' > 1", "cannot be compared"),
            ("money '1.00' * 0.5", "whole number or by percent"), ("money(0.5)", "would not be exact"),
            ("money '1.00 USD' + money '1.00'", "cannot be reckoned together"), ("money '1.00' / 0", "not zero"),
            ("date '2026-02-30'", "there is no day 30"), ("date '2026-01-01' + hours(1)", "no time of day"),
            ("hours(1) + date '2026-01-01'", "no time of day"), ("days(1) - date '2026-01-01'", "period - date"),
            ("days(1) < hours(24)", "unlike"), ("days(1.5)", "a whole number"), ("days(0/0)", "a whole number"),
            ("days(9223372036854775807) + days(1)", "too long"), ("date '9999-12-31' + days(1)", "beyond the years"),
            ("(money '1.00').cents", "has no field 'cents'"), ("money '92233720368547758.07' * 2", "too large"),
            ("unlimited + 1", "unlimited + number"), ("none < 1", "cannot be compared"),
            ("-date '2026-01-01'", "cannot be negated"),
        ])
    func faults(expression: String, message: String) throws {
        let error = #expect(throws: LuaError.self) { try evaluate(expression) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.line == 1)
    }
}
