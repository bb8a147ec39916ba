import Circulation
import TextFormats

extension FactReading {
    /// A moment, compared as exactly as the expectation names one.
    func answer(_ key: String, at found: Instant?, in zone: Zone) {
        guard let expected = expect.object[key] else { return }
        guard let found else { return answer(key, found: .null) }
        let local = zone.local(of: found)
        guard let text = expected.stringValue else { return answer(key, found: .string("\(local.date)T\(local.time)")) }
        if (try? CivilDate(parsing: text)) != nil { return answer(key, found: .string(local.date.description)) }
        let isMet = (try? Instant(parsing: text, in: zone)) == found
        answer(key, found: isMet ? expected : .string("\(local.date)T\(local.time)"))
    }

    /// A due time; where a date alone is expected, the date for which it stands.
    func answer(_ key: String, due found: DueTime?, in zone: Zone) {
        guard let text = expect.object[key]?.stringValue, (try? CivilDate(parsing: text)) != nil else {
            return answer(key, at: found?.instant, in: zone)
        }
        answer(key, found: found.map { .string($0.date.description) } ?? .null)
    }

    func answer(_ key: String, money found: Money) {
        guard let expected = expect.object[key] else { return }
        let text =
            expected.stringValue ?? expected.integerValue.map(String.init) ?? expected.doubleValue.map { "\($0)" }
        let isMet = text.flatMap { try? Money(parsing: $0, currency: found.currency) } == found
        answer(key, found: isMet ? expected : .string(found.amountText))
    }

    func answer(_ key: String, number found: Int64) { answer(key, found: .integer(found)) }

    func answer(_ key: String, flag found: Bool) { answer(key, found: .bool(found)) }

    /// A word of the other system's, met if it is among the names that this one knows for what was found.
    func answer(_ key: String, word names: [String], own: String) {
        guard let expected = expect.object[key] else { return }
        let isMet =
            expected.stringValue.map { text in names.contains { $0.lowercased() == text.lowercased() } } ?? false
        answer(key, found: isMet ? expected : .string(own))
    }
}
