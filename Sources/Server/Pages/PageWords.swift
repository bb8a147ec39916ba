import Circulation
import Languages
import TextFormats

/// Values of the API in the words of pages: dates and times by the library's clocks, money with its currency.
struct PageWords {
    let zone: Zone
    let now: Instant

    /// A finished English sentence - a refusal of the desk, a problem - in the language of the page.
    static func sentence(_ text: String) -> String { Language.spoken.sentence(safe(text)) }

    /// The same of a record; nil if it is missing.
    static func sentence(_ json: JSON?) -> String? { safe(json).map { Language.spoken.sentence($0) } }

    /// Text of people, without what disguises text: controls, bidirectional overrides.
    static func safe(_ text: String) -> String {
        // By scalars, of which CR and LF are one break.
        let lines = text.replacing("\r\n", with: "\n").unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\n" || isOtherBreak($0)
        }
        return lines.map { SafeText.line(String($0)) }.joined(separator: "\n")
    }

    /// Characters that end a line, besides LF.
    private static func isOtherBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    /// Text of people from a record; nil if it is missing.
    static func safe(_ json: JSON?) -> String? {
        guard let text = json?.stringValue, !text.isEmpty else { return nil }
        return safe(text)
    }

    /// An address that may become a link: http and https alone.
    static func link(_ json: JSON?, only scheme: String = "http") -> String? {
        guard let text = json?.stringValue, text.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
        let small = text.lowercased()
        let isWeb = small.hasPrefix("https://") || scheme == "http" && small.hasPrefix("http://")
        return isWeb ? text : nil
    }

    /// `2026-12-24`
    var today: String { zone.date(of: now).description }

    /// `24 December 2026`, with the date that machines read.
    func date(_ json: JSON?) -> [String: Any]? {
        guard let text = json?.stringValue, let date = try? CivilDate(parsing: text) else { return nil }
        return ["at": text, "words": Self.words(date)]
    }

    /// `24 December 2026, 18:00`; without the time at the very end of a day.
    func moment(_ json: JSON?) -> [String: Any]? {
        guard let text = json?.stringValue, let instant = try? Instant(parsing: text) else { return nil }
        let (date, time) = zone.local(of: instant)
        let isWholeDay = time.secondsSinceMidnight >= 86_399
        return [
            "at": text,
            "words": isWholeDay ? Self.words(date) : say("\(Self.words(date)), \(time.description.prefix(5))"),
        ]
    }

    /// Whether a moment has passed.
    func isPast(_ json: JSON?) -> Bool {
        guard let text = json?.stringValue, let instant = try? Instant(parsing: text) else { return false }
        return instant < now
    }

    /// `4.50 EUR`, kept on one line.
    static func money(_ json: JSON?) -> String? {
        json?.stringValue.map { (Language.spoken.amount($0) ?? $0).replacing(" ", with: "\u{A0}") }
    }

    /// `3 copies`.
    static func count(_ number: Int64, _ one: String, _ many: String) -> String {
        say(.count(number, one, many)).replacing(" ", with: "\u{A0}", maxReplacements: 1)
    }

    static func words(_ date: CivilDate) -> String {
        Language.spoken.date(year: date.year, month: date.month, day: date.day).replacing(" ", with: "\u{A0}")
    }

    /// A length of time as the API writes it: `P7D` is `7 days`.
    static func period(_ json: JSON?) -> String? {
        guard let text = json?.stringValue, text.hasPrefix("P"), let count = Int64(text.dropFirst().dropLast()) else {
            return json?.stringValue
        }
        switch text.last {
        case "D":
            return count % 7 == 0 && count > 0
                ? Self.count(count / 7, "week", "weeks") : Self.count(count, "day", "days")
        case "W": return Self.count(count, "week", "weeks")
        case "M": return Self.count(count, "month", "months")
        default: return text
        }
    }
}
