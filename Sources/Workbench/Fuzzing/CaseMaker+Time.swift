import Circulation
import TextFormats

/// When a case is asked, and how its branch is open.
struct CaseMoment {
    let now: Instant
    let today: CivilDate
    let zone: Zone
    let calendar: OpeningCalendar
}

extension CaseMaker {
    private static let zones = ["Etc/UTC", "Europe/Berlin", "America/New_York"]
    private static let firstDay = (try? CivilDate(year: 2024, month: 1, day: 1)) ?? .earliest
    private static let lastDay = (try? CivilDate(year: 2028, month: 12, day: 31)) ?? .earliest
    /// Within what a policy that names dates is asked: around the present of an undated case.
    private static let present = (
        (try? CivilDate(year: 2026, month: 1, day: 1)) ?? .earliest,
        (try? CivilDate(year: 2026, month: 1, day: 31)) ?? .earliest
    )

    mutating func addFrame(to object: inout JSONObject, _ point: DecisionPoint) -> CaseMoment {
        let zoneName = random.chance(0.3) ? random.pick(CaseMaker.zones) ?? "Etc/UTC" : "Etc/UTC"
        let zone = (try? Zone(named: zoneName)) ?? .utc
        var today = day()
        var calendar = OpeningCalendar.alwaysOpen
        if random.chance(0.5) {
            let json = week(around: today)
            if let read = try? OpeningCalendar(json: json) {
                calendar = read
                object["calendar"] = json
                if let open = try? calendar.nextOpen(onOrAfter: today) { today = open }
            }
        }
        let time = time(on: today, calendar)
        if zoneName != "Etc/UTC" { object["time_zone"] = .string(zoneName) }
        object["now"] = .string("\(today)T\(time)")
        return CaseMoment(now: zone.instant(of: today, time), today: today, zone: zone, calendar: calendar)
    }

    private mutating func day() -> CivilDate {
        if random.chance(0.2), let day = try? CaseMaker.present.0.adding(days: 14) {
            return day
        }
        guard let earliest = vocabulary.dates.first, let latest = vocabulary.dates.last else {
            return day(from: CaseMaker.firstDay, to: CaseMaker.lastDay)
        }
        let first = min((try? earliest.adding(days: -60)) ?? earliest, CaseMaker.present.0)
        let last = max(latest, CaseMaker.present.1)
        guard random.chance(0.6), let near = random.pick(vocabulary.dates),
            let day = try? near.adding(days: Int64.random(in: -20...3, using: &random))
        else { return day(from: first, to: last) }
        return min(max(day, first), last)
    }

    private mutating func day(from first: CivilDate, to last: CivilDate) -> CivilDate {
        let days = max(0, last.days(since: first))
        return (try? first.adding(days: Int64.random(in: 0...Int64(days), using: &random))) ?? first
    }

    /// Within the branch's hours, and before any time that the policy names.
    private mutating func time(on date: CivilDate, _ calendar: OpeningCalendar) -> CivilTime {
        let hours = random.pick(calendar.hours(on: date))
        let opens = Int(hours?.opens.secondsSinceMidnight ?? 0)
        var closes = Int(hours?.closes.secondsSinceMidnight ?? 86_400) - 1
        if let earliest = vocabulary.earliestTime { closes = min(closes, Int(earliest.secondsSinceMidnight)) }
        guard opens < closes else {
            return (try? CivilTime(secondsSinceMidnight: min(opens, 86_399))) ?? .midnight
        }
        let minute = Int.random(in: opens / 60...closes / 60, using: &random)
        return (try? CivilTime(secondsSinceMidnight: min(max(minute * 60, opens), closes))) ?? .midnight
    }

    /// Weekly hours, and closures in the months that follow.
    private mutating func week(around today: CivilDate) -> JSON {
        var weekly: JSONObject = [:]
        let open = random.pick([5, 6, 7]) ?? 5
        for day in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].prefix(open) {
            weekly[day] = [["09:00", "19:00"]]
        }
        var closed: [JSON] = []
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            // Around the days that the policy names as well as soon.
            let near = random.chance(0.5) ? random.pick(vocabulary.dates.filter { $0 >= today }) : nil
            let days = Int64.random(in: near == nil ? 1...60 : -3...1, using: &random)
            let length = Int64.random(in: 0...14, using: &random)
            guard let first = try? (near ?? today).adding(days: days), first > today,
                let last = try? first.adding(days: length)
            else { continue }
            closed.append([.string(first.description), .string(last.description)])
        }
        return ["weekly": .object(weekly), "closed": .array(closed)]
    }

    // MARK: - The loan

    mutating func loan(_ point: DecisionPoint, _ moment: CaseMoment) -> JSONObject {
        let late = lateness(at: point)
        let due = (try? moment.today.adding(days: -late)) ?? moment.today
        let term = max(1, random.pick(vocabulary.integers.filter { $0 <= 200 }) ?? 14)
        let lent = (try? min(due, moment.today).adding(days: -term)) ?? due
        var loan: JSONObject = [
            "due_at": .string("\(due)T\(random.pick(["19:00:00", "23:59:59", "12:00:00"]) ?? "19:00:00")"),
            "lent_at": .string("\(lent)T10:00:00"),
        ]
        if point == .renew || wants("renewals") { loan["renewals"] = .integer(count(upTo: 30)) }
        if wants("unseen_renewals", otherwise: 0.1) { loan["unseen_renewals"] = .integer(count(upTo: 30)) }
        if wants("recalled_at") { loan["recalled_at"] = .string("\(lent)T12:00:00") }
        if wants("on_site", otherwise: 0.05) { loan["on_site"] = true }
        // Staff may declare any copy lost.
        if point == .lost, random.chance(0.5) { loan["lost_at"] = .string("\(moment.today)T00:00:00") }
        if wants("notices"), random.chance(0.5) {
            loan["notices"] = [["stage": .string(text("stage")), "at": .string("\(lent)T12:00:00")]]
        }
        return loan
    }

    /// Days past the due date; negative before it.
    private mutating func lateness(at point: DecisionPoint) -> Int64 {
        let isEarly = point == .recall || (point == .renew ? random.chance(0.8) : random.chance(0.3))
        if random.chance(0.15) { return 0 }
        let days = count(upTo: 400)
        return isEarly ? -days : days
    }
}
