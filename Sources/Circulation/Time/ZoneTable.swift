import Foundation
import Synchronization

/// The offsets of one zone as a table, since Foundation's `TimeZone` takes microseconds for each question.
///
/// Covers 1970 to 2100 from the start; other stretches of 64 years are read when asked for.
final class ZoneTable: Sendable {
    let identifier: String
    private let main: Stretch
    private let rules: TimeZone?
    private let others = Mutex<[Int64: Stretch]>([:])

    /// Offsets over an interval of UTC seconds: `offsets[i]` holds from `starts[i]` to the next start.
    struct Stretch: Sendable {
        let begin: Int64
        let end: Int64
        let starts: [Int64]
        let offsets: [Int32]
    }

    private static let mainBegin: Int64 = 0
    private static let mainEnd: Int64 = 4_102_444_800
    private static let stretchLength: Int64 = 64 * 31_556_952
    /// What is read on both sides of a stretch, since a local time is looked up from a day before it.
    private static let overlap: Int64 = 200_000

    init(identifier: String, fixedOffset: Int32) {
        self.identifier = identifier
        rules = nil
        main = Stretch(begin: .min, end: .max, starts: [.min], offsets: [fixedOffset])
    }

    private init(identifier: String, rules: TimeZone) {
        self.identifier = identifier
        self.rules = rules
        main = ZoneTable.read(
            rules, from: ZoneTable.mainBegin, to: ZoneTable.mainEnd, overlap: ZoneTable.overlap)
    }

    private static let known = Mutex<[String: ZoneTable]>([:])

    /// The table of a zone, read once a process.
    static func shared(_ identifier: String) -> ZoneTable? {
        known.withLock { known in
            if let table = known[identifier] { return table }
            guard let table = load(identifier) else { return nil }
            known[identifier] = table
            return table
        }
    }

    private static let namesOfUTC: Set<String> = [
        "Etc/UTC", "UTC", "Etc/GMT", "GMT", "Etc/UCT", "UCT", "Etc/Universal", "Universal", "Etc/Zulu", "Zulu",
        "Etc/Greenwich", "Greenwich", "GMT0", "Etc/GMT0", "GMT+0", "GMT-0", "Etc/GMT+0", "Etc/GMT-0",
    ]

    /// The names of the database that have no slash (tzdata 2025, file `backward` and its like).
    private static let namesWithoutRegion: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "HST", "Hongkong",
        "Iceland",
        "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo",
        "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "W-SU", "WET",
    ]

    private static func load(_ identifier: String) -> ZoneTable? {
        // Without Foundation's zones a program in UTC starts a millisecond sooner.
        if namesOfUTC.contains(identifier) {
            return ZoneTable(identifier: identifier, fixedOffset: 0)
        }
        // Foundation also takes "GMT+3" and "CEST", which are no zones of the database.
        guard identifier.utf8.contains(UInt8(ascii: "/")) || namesWithoutRegion.contains(identifier),
            let rules = TimeZone(identifier: identifier), rules.identifier == identifier
        else { return nil }
        return ZoneTable(identifier: identifier, rules: rules)
    }

    private static func read(_ rules: TimeZone, from begin: Int64, to end: Int64, overlap: Int64) -> Stretch {
        var date = Date(timeIntervalSince1970: Double(begin - overlap))
        var starts = [begin - overlap]
        var offsets = [Int32(rules.secondsFromGMT(for: date))]
        while let next = rules.nextDaylightSavingTimeTransition(after: date) {
            let start = Int64(next.timeIntervalSince1970)
            guard start < end + overlap, next > date else { break }
            date = next
            let offset = Int32(rules.secondsFromGMT(for: next))
            if offset != offsets[offsets.count - 1] {
                starts.append(start)
                offsets.append(offset)
            }
        }
        return Stretch(begin: begin, end: end, starts: starts, offsets: offsets)
    }

    private func stretch(at seconds: Int64) -> Stretch {
        if seconds >= main.begin && seconds < main.end { return main }
        guard let rules else { return main }
        let length = ZoneTable.stretchLength
        let number = seconds >= 0 ? seconds / length : (seconds - length + 1) / length
        return others.withLock { others in
            if let known = others[number] { return known }
            let read = ZoneTable.read(
                rules, from: number * length, to: (number + 1) * length, overlap: ZoneTable.overlap)
            others[number] = read
            return read
        }
    }

    /// Seconds ahead of UTC at a moment of UTC.
    func offset(at seconds: Int64) -> Int {
        let stretch = stretch(at: seconds)
        return Int(stretch.offsets[stretch.index(at: seconds)])
    }

    /// The offset at a moment of UTC and the moment at which it ends, as far as the rules are read.
    func span(at seconds: Int64) -> (offset: Int, end: Int64?) {
        let stretch = stretch(at: seconds)
        let index = stretch.index(at: seconds)
        let offset = Int(stretch.offsets[index])
        guard rules != nil else { return (offset, nil) }
        // Beyond the stretch its rules are read anew, so that it ends a span as well.
        return (offset, index + 1 < stretch.starts.count ? min(stretch.starts[index + 1], stretch.end) : stretch.end)
    }

    /// The moment at which local clocks show `local` seconds since 1970.
    func utc(ofLocal local: Int64) -> Int64 {
        let stretch = stretch(at: local)
        // No zone is a whole day off, so the answer lies in the intervals from a day before to a day after.
        var index = stretch.index(at: local - 86_400)
        while index < stretch.starts.count {
            let moment = local - Int64(stretch.offsets[index])
            let end = index + 1 < stretch.starts.count ? stretch.starts[index + 1] : .max
            if moment < end {
                // Before the interval begins: the time was skipped by the change that began it.
                let isSkipped = index > 0 && moment < stretch.starts[index]
                return isSkipped ? local - Int64(stretch.offsets[index - 1]) : moment
            }
            index += 1
        }
        return local - Int64(stretch.offsets[stretch.offsets.count - 1])
    }
}

extension ZoneTable.Stretch {
    /// The interval that holds `seconds`; the first for what lies before it.
    func index(at seconds: Int64) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle } else { high = middle }
        }
        return low
    }
}
