/// A time on the clock's face, to the second, without a date and without a zone.
///
/// 24:00 is allowed, as the end of a day: a branch that closes at midnight closes at 24:00.
package struct CivilTime: Hashable, Sendable {
    /// 0 to 86,400.
    package let secondsSinceMidnight: Int32

    package static let midnight = CivilTime(uncheckedSeconds: 0)
    /// 24:00, the first moment of the day after.
    package static let endOfDay = CivilTime(uncheckedSeconds: 86_400)

    init(uncheckedSeconds: Int32) {
        secondsSinceMidnight = uncheckedSeconds
    }

    /// - Throws: ``TimeError/Code/noSuchTime`` outside 0 to 86,400.
    package init(secondsSinceMidnight: Int) throws(TimeError) {
        guard (0...86_400).contains(secondsSinceMidnight) else {
            throw TimeError.noSuchTime("\(secondsSinceMidnight) seconds after midnight")
        }
        self.secondsSinceMidnight = Int32(secondsSinceMidnight)
    }

    /// - Throws: ``TimeError/Code/noSuchTime`` outside 00:00:00 to 24:00:00.
    package init(hour: Int, minute: Int, second: Int = 0) throws(TimeError) {
        guard (0...24).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            hour < 24 || (minute == 0 && second == 0)
        else { throw TimeError.noSuchTime("\(hour):\(minute):\(second)") }
        secondsSinceMidnight = Int32(hour * 3600 + minute * 60 + second)
    }

    /// 0 to 24.
    package var hour: Int { Int(secondsSinceMidnight) / 3600 }
    package var minute: Int { Int(secondsSinceMidnight) / 60 % 60 }
    package var second: Int { Int(secondsSinceMidnight) % 60 }
}

extension CivilTime: Comparable {
    package static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }
}
