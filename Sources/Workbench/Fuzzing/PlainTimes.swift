import Circulation
import Prover
import TextFormats

/// Makes the moments and dates of a case plain to look at: those of a case that says none, whole hours, years at hand.
enum PlainTimes {
    private static let daySeconds: Int64 = 86_400
    /// In seconds, as where a case does not say when it is.
    private static let noon = Instant.ofPlainCase.microseconds / 1_000_000

    /// The case with all its moments and dates moved by as much, so that it need not say when it is; nil where it says nothing of it.
    static func moved(_ object: JSONObject) -> JSONObject? {
        guard let text = object["now"]?.stringValue, let now = try? Instant(parsing: text) else { return nil }
        let day = daySeconds * 1_000_000
        let days = noon.floorDivided(by: daySeconds) - now.microseconds.floorDivided(by: day)
        guard days != 0 else { return nil }
        var moved = JSONObject()
        for entry in object {
            guard let value = self.moved(entry.value, by: days) else { return nil }
            moved[entry.key] = value
        }
        return moved
    }

    private static func moved(_ value: JSON, by days: Int64) -> JSON? {
        switch value {
        case .string(let text):
            guard let time = Time(text) else { return value }
            return time.moved(by: days).map { .string($0) }
        case .array(let array):
            let moved = array.compactMap { self.moved($0, by: days) }
            return moved.count == array.count ? .array(moved) : nil
        case .object(let object):
            var all = JSONObject()
            for entry in object {
                guard let value = moved(entry.value, by: days) else { return nil }
                all[entry.key] = value
            }
            return .object(all)
        default: return value
        }
    }

    /// Plainer moments or dates than the one that a text says, the plainest first; none for other texts.
    static func plainer(than text: String) -> [String] {
        guard let time = Time(text) else { return [] }
        return time.candidates.filter { $0.cost < time.cost }.sorted { $0.cost < $1.cost }.map(\.text)
    }

    private struct Time {
        let text: String
        let microseconds: Int64
        let isDate: Bool

        init?(_ text: String) {
            guard text.count >= 10, text.first?.isNumber ?? false else { return nil }
            if let date = try? CivilDate(parsing: text) {
                self.init(Int64(date.dayNumber) * daySeconds * 1_000_000, isDate: true)
            } else if let instant = try? Instant(parsing: text) {
                self.init(instant.microseconds, isDate: false)
            } else {
                return nil
            }
        }

        init?(_ microseconds: Int64, isDate: Bool) {
            (self.microseconds, self.isDate) = (microseconds, isDate)
            if isDate {
                guard let date = try? CivilDate(dayNumber: microseconds.floorDivided(by: daySeconds * 1_000_000)) else {
                    return nil
                }
                text = date.description
            } else {
                text = Instant(microseconds: microseconds).description
            }
        }

        func moved(by days: Int64) -> String? {
            Time(microseconds + days * daySeconds * 1_000_000, isDate: isDate)?.text
        }

        /// How much there is to read: parts of a second, seconds, minutes, hours, and how far it lies from the moment at hand.
        var cost: Int {
            let far = abs(microseconds.floorDivided(by: 1_000_000) - noon) / daySeconds
            let distance = Int64.bitWidth - far.leadingZeroBitCount
            if isDate { return distance }
            let units: [Int64] = [1, 60, 3_600, 43_200].map { $0 * 1_000_000 }
            return units.count { microseconds % $0 != 0 } * 100 + distance
        }

        var candidates: [Time] {
            let day = daySeconds * 1_000_000
            let near = [0, -1, 1, -2, 2, -8, 8, -31, 31, -100, 100, -400, 400, -4_000, 4_000].map {
                noon * 1_000_000 + $0 * day
            }
            let units: [Int64] = isDate ? [] : [1, 60, 3_600, 43_200, 86_400]
            let cut = units.map { seconds in
                microseconds.floorDivided(by: seconds * 1_000_000) * seconds * 1_000_000
            }
            return (near + cut).compactMap { Time($0, isDate: isDate) }
        }
    }
}
