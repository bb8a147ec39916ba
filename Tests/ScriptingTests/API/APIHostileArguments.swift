import Scripting
import TestSupport

/// Makes hostile calls of an API function out of its declaration: Lua text, the same for the same seed.
struct APIHostileArguments {
    /// Values that break careless code, whatever was expected. `cyclic`, `deep` and `huge` are made by the test.
    private static let nasty = [
        "0/0", "1/0", "-1/0", "math.maxinteger", "math.mininteger", "-1", "0", "1e308", "1.5", "-0.0", "2^53", "2^63",
        "\"\"", "\"\\0\"", "\"a\\0b\"", "\"\\xff\\xfe\"", "\"\\xed\\xa0\\x80\"", "\"\\u{202e}\\27[2J\"", "\"%s%n\"",
        "huge",
        "\"9780441013593\"", "\"ada\"", "\"1001\"", "\"main\"", "true", "false", "nil", "{}", "{ 1, 2, nil, 4 }",
        "{ [1.5] = 1 }", "{ [true] = true }", "{ nested = { nested = { nested = {} } } }", "cyclic", "deep", "print",
        "function() error('x') end", "function() error() end", "function(...) return ... end", "date \"0001-01-01\"",
        "date \"9999-12-31\"", "money \"92233720368547758.07\"", "money \"-1.00\"", "days(math.maxinteger)",
        "months(math.mininteger)", "open_days(math.maxinteger)", "percent \"999999999\"", "now()",
        "\"0001-01-01\"", "\"9999-12-31T23:59:59Z\"", "\"2026-02-30\"", "\"1e400\"", "\"-9223372036854775808\"",
        "{ id = math.mininteger }", "{ id = 0/0 }", "{ code = \"\\0\" }", "json",
        "setmetatable({}, { __index = error })",
    ]

    private var generator: SplitMix

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
    }

    /// One call of the function: anything from fitting arguments with one nasty value to mere nonsense.
    mutating func call(of function: APIFunction) -> String {
        if chance(8) {
            let count = Int.random(in: 0...5, using: &generator)
            return "\(function.fullName)(\((0..<count).map { _ in nasty() }.joined(separator: ", ")))"
        }
        let arguments = function.parameters.map { argument($0, depth: 0) }
        return "\(function.fullName)(\(arguments.joined(separator: ", ")))"
    }

    private mutating func argument(_ parameter: APIParameter, depth: Int) -> String {
        if !parameter.isRequired, chance(3) { return "nil" }
        return value(of: parameter.type, depth: depth)
    }

    private mutating func value(of type: APIType, depth: Int) -> String {
        if chance(4) || depth > 4 { return nasty() }
        switch type {
        case .fields(let fields):
            var parts: [String] = []
            for field in fields where field.isRequired || !chance(3) {
                parts.append("\(field.name) = \(argument(field, depth: depth + 1))")
            }
            if chance(30) { parts.append("unknown_\(Int.random(in: 0...9, using: &generator)) = 1") }
            return "{ \(parts.joined(separator: ", ")) }"
        case .list(let element):
            let count = Int.random(in: 0...3, using: &generator)
            return "{ \((0..<count).map { _ in value(of: element, depth: depth + 1) }.joined(separator: ", ")) }"
        case .optional(let inner): return value(of: inner, depth: depth)
        default: return pick(APIHostileArguments.fitting(type))
        }
    }

    /// Values that the type takes, those at its edges among them.
    private static func fitting(_ type: APIType) -> [String] {
        switch type {
        case .boolean: ["true", "false"]
        case .integer(let range):
            [
                "\(range.lowerBound == .min ? "math.mininteger" : "\(range.lowerBound)")", "1",
                "\(range.upperBound == .max ? "math.maxinteger" : "\(range.upperBound)")",
            ]
        case .number: ["0", "-1e308", "1e308", "5e-324"]
        case .text: ["\"\"", "\"x\"", "\"Ünïcödé 図書館\"", "\"'; DROP TABLE loans; --\"", "huge"]
        case .choice(let words): words.map { "\"\($0)\"" }
        case .event: ["\"loan.made\"", "\"notice.recorded\""]
        case .date: ["date \"0001-01-01\"", "date \"9999-12-31\"", "\"2026-12-24\"", "today()"]
        case .instant: ["now()", "\"0001-01-02\"", "date \"9999-12-31\"", "\"2026-12-24T10:00:00Z\""]
        case .money: ["money \"92233720368547758.07\"", "money \"0\"", "\"-92233720368547758.07\"", "\"1.50\""]
        case .percent: ["percent \"6.62\""]
        case .period: ["days(1)"]
        case .function: ["function() return 1 end", "function() error('no') end"]
        case .iterator: ["catalogue.each{}"]
        case .reference(.title): ["1", "\"9780441013593\"", "\"978-0-441-01359-3\"", "{ id = 2 }", "99"]
        case .reference(.copy): ["\"1001\"", "\"1003\"", "1", "{ barcode = \"1001\" }"]
        case .reference(.patron): ["\"ada\"", "\"bob\"", "1", "{ username = \"carol\" }", "\"nobody\""]
        case .reference(.loan), .reference(.hold), .reference(.notice), .reference(.block),
            .reference(.ledgerEntry), .reference(.listing), .reference(.order), .reference(.rental),
            .reference(.suggestion), .reference(.cartLine), .reference(.favourite), .reference(.conversation),
            .reference(.rating), .reference(.titleList):
            ["1", "2", "{ id = 3 }", "math.maxinteger"]
        case .reference(.branch): ["\"main\"", "\"east\""]
        case .reference(.category): ["\"staff\"", "\"guest\""]
        case .reference(.itemType): ["\"book\"", "\"atlas\""]
        case .reference(.location): ["\"ref\"", "\"new books\""]
        case .any, .json: ["1", "\"x\"", "{ a = { 1, 2, 3 } }", "today()", "{ { a = 1 }, { a = 2 } }"]
        case .record, .fields, .list, .optional: ["{}"]
        }
    }

    private mutating func nasty() -> String { pick(APIHostileArguments.nasty) }

    private mutating func pick(_ words: [String]) -> String { words.randomElement(using: &generator) ?? "nil" }

    private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &generator) == 0 }
}
