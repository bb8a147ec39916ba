/// A day of the week; the raw value is ISO 8601's, 1 for Monday to 7 for Sunday.
package enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

    /// - Parameter days: 0 to 6.
    init(daysAfterMonday days: Int) {
        self = Weekday.allCases[days]
    }

    /// 0 for Monday to 6 for Sunday.
    var daysAfterMonday: Int { rawValue - 1 }

    /// `mon` to `sun`, as calendars in JSON name them.
    package var abbreviation: String {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }

    /// Takes `mon`, `Mon`, `monday`, `Monday`.
    package init?(name: String) {
        let lowered = name.lowercased()
        guard let weekday = Weekday.allCases.first(where: { lowered == $0.abbreviation || lowered == "\($0)" }) else {
            return nil
        }
        self = weekday
    }
}
