import Circulation
import TextFormats

/// Terms of rules: fields of the language of policies, as facts write them and as a policy does.
enum TermText {
    static func words(of field: RuleField) -> String {
        switch field.kind {
        case .boolean: "true or false"
        case .integer: "a whole number, or null for without limit"
        case .text: "text"
        case .choice: field.choices.map { "`\($0)`" }.joined(separator: ", ")
        case .period: "a period such as \"3 weeks\", `unlimited` or `none`"
        case .money: "an amount such as \"1.50\""
        case .moneyOrReplacementPrice: "an amount such as \"1.50\", or `replacement_price`"
        case .date: "a date such as \"2026-05-20\""
        case .dateOrPeriod: "a date, or a period"
        case .dueTime: "`closing`, `end_of_day` or \"HH:MM\""
        case .fineSteps: "a list, each an object: fine step"
        }
    }

    /// The value as it stands in a policy; nil for one that the field does not take.
    static func lua(_ value: JSON, of field: RuleField) -> String? {
        switch field.kind {
        case .boolean: value.boolValue.map { "\($0)" }
        case .integer: value.isNull ? "unlimited" : value.integerValue.map { "\($0)" }
        case .text: value.stringValue.map(LuaText.quoted)
        case .choice: value.stringValue.flatMap { field.choices.contains($0) ? LuaText.quoted($0) : nil }
        case .period: value.stringValue.flatMap(period)
        case .money: money(value)
        case .moneyOrReplacementPrice: value == "replacement_price" ? "\"replacement_price\"" : money(value)
        case .date: value.stringValue.flatMap(date)
        case .dateOrPeriod: value.stringValue.flatMap { date($0) ?? period($0) }
        case .dueTime: value.stringValue.flatMap(dueTime)
        case .fineSteps: steps(value)
        }
    }

    private static func period(_ text: String) -> String? {
        ["unlimited", "none"].contains(text) ? text : PeriodWords.period(text).map(LuaText.period)
    }

    private static func date(_ text: String) -> String? { (try? CivilDate(parsing: text)).map(LuaText.date) }

    private static func dueTime(_ text: String) -> String? {
        let isKnown = ["closing", "end_of_day"].contains(text) || (try? CivilTime(parsing: text)) != nil
        return isKnown ? LuaText.quoted(text) : nil
    }

    private static func money(_ value: JSON) -> String? {
        SchemaValues.money(value).map(LuaText.money)
    }

    private static func steps(_ value: JSON) -> String? {
        guard let list = value.arrayValue else { return nil }
        let texts = list.compactMap { step -> String? in
            guard let from = step["from"]?.stringValue.flatMap(PeriodWords.period),
                let fine = step["fine"].flatMap(SchemaValues.money)
            else { return nil }
            let to = step["to"]?.stringValue.flatMap(PeriodWords.period).map { ", to = \(LuaText.period($0))" } ?? ""
            return "{ from = \(LuaText.period(from))\(to), fine = \(LuaText.money(fine)) }"
        }
        return texts.count == list.count ? "{ \(texts.joined(separator: ", ")) }" : nil
    }
}
