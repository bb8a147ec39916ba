import Circulation
import LuaRuntime

extension LuaValue {
    static func money(_ value: Money) -> LuaValue { LuaValue(value) }
    static func date(_ value: CivilDate) -> LuaValue { LuaValue(value) }
    static func instant(_ value: Instant) -> LuaValue { LuaValue(value) }
    static func period(_ value: Period) -> LuaValue { LuaValue(value) }
    static func percent(_ value: Percent) -> LuaValue { LuaValue(value) }
}

extension LuaSmallValue {
    /// The value in its standard form: `2026-12-24`, `1.50 EUR`, `14 days`.
    var text: String {
        if let money { return money.description }
        if let date { return date.description }
        if let instant { return instant.description }
        if let period { return period.description }
        if let percent { return percent.description }
        return LuaValues.typeName(of: .value(self))
    }

    /// The value in its standard form for programs: periods as `P14D`.
    var standardText: String { period?.isoText ?? text }

    /// The value as an error quotes it: `the date 2026-12-24`.
    var kindAndText: String { "the \(LuaValues.typeName(of: .value(self))) \(text)" }
}
