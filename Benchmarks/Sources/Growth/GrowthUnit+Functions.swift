import Circulation
import Scripting
import TextFormats

extension GrowthUnit {
    /// How many records are asked for where that can be said.
    static let page: Int64 = 20

    /// Those that only read the library.
    private static let modules: Set<String> = [
        "catalogue", "patrons", "loans", "holds", "cart", "market", "suggestions", "ratings", "lists", "notifications",
        "fees", "stats", "store",
    ]

    /// Those that work on functions, or ask in SQL.
    private static let left: Set<String> = ["store.transaction", "stats.query"]

    /// Arguments without which a call means nothing, beside those that its declaration requires.
    private static let companions = ["loans.may_checkout": ["isbn"]]

    /// What else a call is made with, where its argument does not go with the first words of the others.
    private static let fitting: [String: [(String, JSON)]] = [
        "patrons.duplicates{after}": [("after", "born:1:0")],
        "stats.figures{measure = titles}": [("rows", "language")],
        "stats.figures{rows = status}": [("measure", "copies")],
        "stats.figures{columns = branch}": [("rows", "month")],
        "stats.figures{columns = status}": [("measure", "copies")],
        "stats.figures{columns = week}": [("from", "2026-10-16"), ("to", "2026-11-16")],
    ]

    /// Arguments that cannot stand with those that a function is called with here.
    private static let apart: Set<String> = ["limit", "offset", "rollup", "isbns", "barcode", "override"]

    /// Each function with what it requires, and with each of its other arguments in turn; of words each.
    static var functions: [GrowthUnit] {
        LuaAPI.functions.filter {
            !$0.capability.writes && modules.contains($0.module) && !left.contains($0.fullName)
        }.flatMap { function in
            let members = function.ownMembers
            let companions = companions[function.fullName] ?? []
            let required = members.filter { $0.isRequired || companions.contains($0.name) }
            var units = [unit(function, required)]
            for parameter in members where !apart.contains(parameter.name) {
                var words = words(parameter)
                // Without a word of its own there is no call; the first one was called with already.
                if parameter.isRequired { words = parameter.type.isChoice ? Array(words.dropFirst()) : [] }
                units += words.map { unit(function, required, besides: (parameter, $0)) }
            }
            return units
        }
    }

    private static func unit(
        _ function: APIFunction, _ required: [APIParameter], besides other: (APIParameter, JSON)? = nil
    ) -> GrowthUnit {
        var object = JSONObject()
        for parameter in required { object[parameter.name] = value(parameter) }
        if let other { object[other.0.name] = other.1 }
        if function.ownMembers.contains(where: { $0.name == "limit" }) { object["limit"] = .integer(page) }
        var name = function.fullName
        if let other {
            if other.0.type.isChoice {
                name += "{\(other.0.name) = \(other.1.stringValue ?? "")}"
            } else {
                name += "{\(other.0.name)}"
            }
        }
        for (member, value) in fitting[name] ?? [] { object[member] = value }
        return GrowthUnit(kind: .function, name: name) { [object] library in
            let answer = try library.context().call(function, APIMembers(others: object), limit: Int(page))
            if case .value(.array(let rows)) = answer { return rows.count }
            return 1
        }
    }

    /// The values of an argument that make a difference.
    private static func words(_ parameter: APIParameter) -> [JSON] {
        switch parameter.type.inner {
        case .choice(let words): words.map { .string($0) }
        case .function, .iterator, .record, .fields: []
        default: [value(parameter)]
        }
    }

    /// What an argument is by which something is found.
    static func value(_ parameter: APIParameter) -> JSON {
        switch parameter.name {
        case "isbn": "9780000000026"
        case "from", "since", "after": value(of: parameter.type, isEnd: false)
        case "course", "college": "nowhere"
        // Also where they are words.
        case "branch": reference(.branch)
        case "category": reference(.category)
        case "item_type": reference(.itemType)
        case "address": "https://library.example/books/3"
        default: value(of: parameter.type, isEnd: true)
        }
    }

    private static func value(of type: APIType, isEnd: Bool) -> JSON {
        switch type {
        case .any, .text: "rivers"
        case .boolean: true
        case .integer(let range): .integer(range.contains(3) ? 3 : range.lowerBound)
        case .number: 3
        case .choice(let words): words.first.map { .string($0) } ?? .null
        case .date: isEnd ? "2026-11-16" : "2026-10-16"
        case .instant: isEnd ? "2026-11-16T09:00:00Z" : "2026-10-16T09:00:00Z"
        case .event: "loan.made"
        case .money: "1.00"
        case .percent: "10 %"
        case .period: "P30D"
        case .json, .fields: ["a": 1]
        case .list(let element): [value(of: element, isEnd: isEnd)]
        case .reference(let kind): reference(kind)
        case .optional(let inner): value(of: inner, isEnd: isEnd)
        case .function, .iterator, .record: .null
        }
    }

    private static func reference(_ kind: APIReference) -> JSON {
        switch kind {
        case .branch: "central"
        case .category: "undergraduate"
        case .itemType: "book"
        case .patron: "reader3"
        default: 3
        }
    }
}

extension APIType {
    fileprivate var isChoice: Bool { if case .choice = inner { true } else { false } }

    fileprivate var inner: APIType { if case .optional(let inner) = self { inner.inner } else { self } }
}
