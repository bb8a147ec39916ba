import Circulation
import TestSupport
import Testing
import TextFormats

/// One published fact about what another library system does: what is given, what is asked, what it answers.
struct Fact: Sendable, CustomTestStringConvertible {
    let id: String
    let area: String
    let given: JSONObject
    let when: JSONObject
    let expect: JSONObject

    var operation: String { when["op"]?.stringValue ?? "" }
    var testDescription: String { "\(id) \(operation)" }

    static let areas = ["limits", "due-date", "renewals", "fines", "notices"]

    /// The facts of the areas that policy tables answer; closed days are tested with the calendar.
    static let all: [Fact] = {
        guard let bytes = try? SharedData.bytes("cases/ils_cases.jsonl") else { return [] }
        var reader = JSONArrayReader(source: MemoryByteSource(bytes))
        var facts: [Fact] = []
        while let json = (try? reader.next())?.value {
            guard let area = json["area"]?.stringValue, areas.contains(area) else { continue }
            facts.append(
                Fact(
                    id: json["id"]?.stringValue ?? "", area: area, given: json["given"]?.objectValue ?? [:],
                    when: json["when"]?.objectValue ?? [:], expect: json["expect"]?.objectValue ?? [:]))
        }
        return facts
    }()
}

/// What a fact comes to under policy tables: answers to compare, or why tables cannot express it.
enum FactAnswer: Sendable {
    /// What is expected and what came, by what was asked.
    case compared([(name: String, expected: JSON, found: JSON)])
    case outside(String)
}

/// A fact whose fields an adapter does not understand.
struct UnreadableFact: Error, CustomStringConvertible {
    let description: String
}

extension Fact {
    /// Why policy tables do not answer facts of this kind, nil if they do. Keyed by what is given or asked.
    func outside(_ reasons: [(key: String, reason: String)]) -> String? {
        reasons.first { operation == $0.key || given[$0.key].map { !$0.isNull } ?? false }?.reason
    }

    func text(_ key: String) throws -> String {
        guard let text = (given[key] ?? when[key])?.stringValue else { throw UnreadableFact(description: key) }
        return text
    }

    func number(_ key: String) -> Int64? { (given[key] ?? when[key])?.integerValue }

    func flag(_ key: String) -> Bool { (given[key] ?? when[key])?.boolValue ?? false }

    func money(_ key: String) throws -> Money? {
        try given[key]?.stringValue.map { try Money(parsing: $0, currency: .eur) }
    }

    var zone: Zone {
        get throws { try given["tz"]?.stringValue.map { try Zone(named: $0) } ?? .utc }
    }

    func instant(_ key: String) throws -> Instant { try Instant(parsing: text(key), in: zone) }

    /// `3 weeks`, `25 hours`, `1 month`
    func period(_ key: String) throws -> Period { try Period(foreign: text(key)) }

    /// The found answers to all that the fact expects of `names`.
    func compared(_ found: [(String, JSON)]) -> FactAnswer {
        .compared(found.compactMap { name, value in expect[name].map { (name, $0, value) } })
    }
}

extension Period {
    init(foreign text: String) throws {
        let words = text.split(separator: " ")
        guard words.count == 2, let count = Int64(words[0]) else { throw UnreadableFact(description: text) }
        let name = words[1].hasSuffix("s") ? String(words[1]) : words[1] + "s"
        guard let unit = Unit(rawValue: name) else { throw UnreadableFact(description: text) }
        self.init(count, unit)
    }

    /// The period as elapsed time, as systems take it that know no calendar days.
    var elapsed: Period {
        switch unit {
        case .days: .hours(24 * count)
        case .weeks: .hours(168 * count)
        default: self
        }
    }
}

extension OpeningCalendar {
    /// The calendar of a fact in any of the shapes that facts use; open at all times where none is given.
    init(of fact: Fact) throws {
        if let calendar = fact.given["calendar"]?.objectValue {
            let isByDate = calendar.keys.allSatisfy { (try? CivilDate(parsing: $0)) != nil }
            self = try isByDate ? OpeningCalendar(byDate: calendar) : OpeningCalendar(foreign: .object(calendar))
            return
        }
        if fact.given["calendar"] == "Sat/Sun closed" {
            self = try OpeningCalendar(foreign: ["weekly_closed": ["Sat", "Sun"]])
            return
        }
        if let hours = fact.given["hours"]?.objectValue {
            self = try OpeningCalendar(byDate: hours)
            return
        }
        let daily = try fact.given["open_hours_daily"]?.stringValue.map { try OpeningHours(foreign: $0) } ?? .wholeDay
        let closed = (fact.given["closed_dates"] ?? fact.given["closed"])?.arrayValue ?? []
        let shut = try (fact.given["weekly_closed"]?.arrayValue ?? []).map { json in
            try #require(json.stringValue.flatMap { Weekday(name: $0) })
        }
        try self.init(
            weekly: Weekday.allCases.map { shut.contains($0) ? [] : [daily] },
            closed: closed.compactMap(\.stringValue).map { try Closure(CivilDate(parsing: $0)) })
    }

    /// Dates with `closed`, `open`, `open all day` or hours such as `08:00-12:00,14:00-19:00`; others are open all day.
    private init(byDate dates: JSONObject) throws {
        var closed: [Closure] = []
        var opened: [Opening] = []
        for entry in dates {
            let date = try CivilDate(parsing: entry.key)
            switch entry.value.stringValue {
            case "closed": closed.append(try Closure(date))
            case "open", "open all day", "all day": opened.append(Opening(date, hours: [.wholeDay]))
            case let hours?:
                let shifts = try hours.split(separator: ",").map { try OpeningHours(foreign: String($0)) }
                opened.append(Opening(date, hours: shifts))
            case nil: throw UnreadableFact(description: entry.key)
            }
        }
        try self.init(weekly: Array(repeating: [.wholeDay], count: 7), closed: closed, opened: opened)
    }
}
