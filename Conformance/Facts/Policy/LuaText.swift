import Circulation

/// Values as they stand in a policy.
enum LuaText {
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            default: quoted.append(character)
            }
        }
        return quoted + "\""
    }

    static func list(_ texts: [String], always: Bool = false) -> String {
        if texts.isEmpty { return "{}" }
        return texts.count == 1 && !always ? quoted(texts[0]) : "{ " + texts.map(quoted).joined(separator: ", ") + " }"
    }

    static func money(_ money: Money) -> String { "money \(quoted(money.amountText))" }

    static func period(_ period: Period) -> String { "\(period.unit.rawValue)(\(period.count))" }

    static func date(_ date: CivilDate) -> String { "date \(quoted(date.description))" }

    /// A number of things; without one there is no limit.
    static func maximum(_ number: Int64?) -> String { number.map(String.init) ?? "unlimited" }
}

extension LuaText {
    /// A moment: a date with a time of day at the branch.
    static func exact(_ instant: Instant, in zone: Zone) -> String {
        let local = zone.local(of: instant)
        return "exact(\(date(local.date)), \(quoted(local.time.description)))"
    }
}
