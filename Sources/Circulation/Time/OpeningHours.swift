/// One stretch of a day during which a branch is open, from the first moment to before the last.
package struct OpeningHours: Hashable, Sendable {
    package let opens: CivilTime
    package let closes: CivilTime

    /// Midnight to midnight.
    package static let wholeDay = OpeningHours(opens: .midnight, closes: .endOfDay)

    private init(opens: CivilTime, closes: CivilTime) {
        self.opens = opens
        self.closes = closes
    }

    /// - Parameter closes: after `opens`; a branch that closes at midnight closes at 24:00, and one that is open past
    ///   midnight has hours from 00:00 on the next day.
    /// - Throws: ``TimeError/Code/badCalendar`` if it closes before it opens.
    package init(_ opens: CivilTime, to closes: CivilTime) throws(TimeError) {
        guard opens < closes else {
            throw TimeError.badCalendar("opening hours from \(opens) to \(closes) end before they begin")
        }
        self.init(opens: opens, closes: closes)
    }

    package func contains(_ time: CivilTime) -> Bool { opens <= time && time < closes }
}

extension OpeningHours: Comparable {
    package static func < (left: OpeningHours, right: OpeningHours) -> Bool {
        (left.opens, left.closes) < (right.opens, right.closes)
    }
}

extension OpeningHours: CustomStringConvertible {
    /// `09:00-17:00`
    package var description: String { "\(opens)-\(closes)" }
}
