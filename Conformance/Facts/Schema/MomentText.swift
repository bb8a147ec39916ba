import Circulation

/// The grammar of moments: a date, a date with a time of day (with a zone, or of the branch), or one of the words `now`,
/// `today`, `loan` (when it began) and `due`; each may be followed by `+` or `-` and a period, or so many seconds.
struct MomentText {
    enum Base {
        case date(CivilDate)
        /// With the text of a time of day, in the zone of the branch unless it names one.
        case time(String)
        case now, today, loan, due
    }

    var base: Base
    /// What is added, and whether it is taken off.
    private var shift: (text: String, isBack: Bool)?

    /// nil for a text that is no moment.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = words.first, let base = Self.base(first) else { return nil }
        self.base = base
        guard words.count > 1 else { return }
        let rest = words[1]
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let length = rest.dropFirst().split(separator: " ").joined(separator: " ")
        guard Self.seconds(length) != nil || PeriodWords.period(length) != nil else { return nil }
        shift = (length, sign == "-")
    }

    private static func base(_ word: String) -> Base? {
        switch word {
        case "now": .now
        case "today": .today
        case "loan": .loan
        case "due": .due
        default:
            if let date = try? CivilDate(parsing: word) {
                .date(date)
            } else if (try? Instant(parsing: word, in: .utc)) != nil {
                .time(word)
            } else {
                nil
            }
        }
    }

    private static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1] == "second" || words[1] == "seconds" else { return nil }
        return Int64(words[0])
    }

    /// - Throws: ``NotExpressed`` where the fact has no loan, or no due time, to count from.
    func moment(_ words: MomentWords) throws -> Moment {
        let start = try start(words)
        guard let shift else { return start }
        if let seconds = Self.seconds(shift.text) {
            return Moment(try start.instant.adding(seconds: shift.isBack ? -seconds : seconds), in: words.zone)
        }
        guard let period = PeriodWords.period(shift.text) else { return start }
        let step = shift.isBack ? try period.negated() : period
        if start.isDate, !period.isElapsed {
            return Moment(try step.added(to: start.date, calendar: words.calendar), in: words.zone)
        }
        return Moment(try step.added(to: start.instant, in: words.zone, calendar: words.calendar), in: words.zone)
    }

    private func start(_ words: MomentWords) throws -> Moment {
        switch base {
        case .date(let date): return Moment(date, in: words.zone)
        case .time(let text): return Moment(try Instant(parsing: text, in: words.zone), in: words.zone)
        case .now: return Moment(words.now, in: words.zone)
        case .today: return Moment(words.zone.date(of: words.now), in: words.zone)
        case .loan:
            guard let lent = words.lent else { throw NotExpressed("there is no loan to count from") }
            return Moment(lent, in: words.zone)
        case .due:
            guard let due = words.due else { throw NotExpressed("there is no due time to count from") }
            return Moment(due, in: words.zone)
        }
    }
}
