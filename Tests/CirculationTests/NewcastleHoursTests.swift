import Circulation
import TestSupport
import Testing
import TextFormats

/// The published opening times of Newcastle's libraries, 2004 to 2024: 24 branches, most with split shifts.
@Suite("Real opening times", .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
struct NewcastleHoursTests {
    private static let path = "data/calendars/newcastle-opening-times/all-libraries-opening-times.csv"

    /// The weekly hours of each branch at each of the published dates, as a calendar in JSON; rows that lack a closing
    /// time are left out and counted.
    private func calendars() throws -> (byBranch: [String: JSONObject], incomplete: Int) {
        var reader = CSVReader(source: MemoryByteSource(try SharedData.bytes(Self.path)))
        let header = CSVHeader(try #require(try reader.next()))
        var calendars: [String: JSONObject] = [:]
        var incomplete = 0
        while let record = try reader.next() {
            func field(_ name: String) -> String { header.field(name, of: record) ?? "" }
            let times = ["open_morning", "close_lunchtime", "open_lunchtime", "close_evening"].map(field).filter {
                !$0.isEmpty
            }
            guard times.count.isMultiple(of: 2) else {
                incomplete += 1
                continue
            }
            // One of the sheets writes "17:00 to 17:00" where a branch is closed.
            let pairs = stride(from: 0, to: times.count, by: 2).map { (times[$0], times[$0 + 1]) }
            let hours = pairs.filter { $0 != $1 }.map { JSON.array([.string($0), .string($1)]) }
            calendars["\(field("venue")) \(field("dataset_date_key"))", default: [:]][field("day")] = .array(hours)
        }
        return (calendars, incomplete)
    }

    @Test("Every branch's hours make a calendar that is open just then")
    func hours() throws {
        let (byBranch, incomplete) = try calendars()
        #expect(byBranch.count == 295)
        #expect(incomplete == 5)
        let monday = try CivilDate(parsing: "2026-06-01")
        var (splitShifts, refused) = (0, [String]())
        for (branch, weekly) in byBranch {
            guard let calendar = try? OpeningCalendar(json: ["weekly": .object(weekly)]) else {
                refused.append(branch)
                continue
            }
            for day in 0..<7 {
                let date = try monday.adding(days: Int64(day))
                let hours = calendar.hours(on: date)
                #expect(hours.count == calendar.weekly[day].count)
                #expect(calendar.isOpen(date) == !hours.isEmpty)
                guard hours.count == 2 else { continue }
                splitShifts += 1
                #expect(!calendar.isOpen(date, hours[0].closes) && calendar.isOpen(date, hours[1].opens))
                #expect(try calendar.nextOpening(after: date, hours[0].closes).time == hours[1].opens)
            }
        }
        #expect(splitShifts == 291)
        #expect(refused.isEmpty)
    }
}
