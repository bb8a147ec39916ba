/// A type of value as declared to the Lua language server: its fields, and what can be reckoned with it.
struct LuaCATSValue {
    let name: String
    let summary: String
    var fields: [(name: String, type: String, documentation: String)] = []
    /// As `add(period): date`; what `LuaValues` reckons, and no more.
    ///
    /// Where the left side is of any type, the server takes the first operator of the right side: `x - date` is a
    /// period, and of `x + period` nothing can be said.
    var operators: [String] = []

    static let all = [
        LuaCATSValue(
            name: "money", summary: "An exact amount in a currency.",
            fields: [
                ("currency", "string", "such as `EUR`"), ("minor_units", "integer", "such as cents"),
            ],
            operators: [
                "add(money): money", "sub(money): money", "unm: money", "mul(integer): money", "mul(percent): money",
                "div(integer): money", "div(money): number",
            ]),
        LuaCATSValue(
            name: "date", summary: "A date.", fields: parts,
            operators: ["sub(date): period", "sub(instant): period", "add(period): date", "sub(period): date"]),
        LuaCATSValue(
            name: "instant", summary: "A moment; its fields are those of the local time at the branch.",
            fields: [
                ("date", "date", "at the branch"), ("hour", "integer", ""), ("minute", "integer", ""),
                ("second", "integer", ""),
            ] + parts,
            operators: ["sub(instant): period", "sub(date): period", "add(period): instant", "sub(period): instant"]),
        LuaCATSValue(
            name: "period", summary: "A length of time, such as days(14) or hours(3).",
            fields: [("count", "integer", ""), ("unit", "string", "such as `days`")],
            operators: [
                "add(date): date", "add(instant): instant", "add(period): any", "sub(period): any", "unm: period",
                "mul(integer): period",
            ]),
        LuaCATSValue(name: "percent", summary: "An exact percentage.", operators: ["mul(money): money"]),
        LuaCATSValue(name: "unlimited", summary: "Above every number, amount and period."),
        LuaCATSValue(name: "none", summary: "Nothing, where leaving a field out would mean something else."),
    ]

    private static let parts = [
        ("year", "integer", ""), ("month", "integer", ""), ("day", "integer", ""),
        ("weekday", "integer", "1 is Monday"), ("yearday", "integer", "1 is 1 January"),
    ]

    var text: String {
        var lines = ["---\(summary)", "---@class \(name)"]
        lines += fields.map {
            "---@field \($0.name) \($0.type)" + ($0.documentation.isEmpty ? "" : " \($0.documentation)")
        }
        return (lines + operators.map { "---@operator \($0)" }).joined(separator: "\n")
    }
}

extension LuaAPI {
    /// The fields of a kind of value: `date`, `instant`, `money`, `period`.
    package static func fields(ofValue name: String) -> [APIParameter] {
        let fields = LuaCATSValue.all.first { $0.name == name }?.fields ?? []
        return fields.map { field in
            let type: APIType =
                switch field.type {
                case "integer": .integer
                case "date": .date
                default: .text
                }
            return .required(field.name, type, field.documentation)
        }
    }
}
