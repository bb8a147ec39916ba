/// A time zone of the IANA database: `Europe/Berlin`.
///
/// Two zones are equal if their names are. The rules come with the program, not from the machine, and the process's
/// `TZ` never matters, so that two machines never disagree.
package struct Zone: Sendable {
    private let table: ZoneTable

    /// Coordinated Universal Time, under the name `Etc/UTC`.
    package static let utc = Zone(table: ZoneTable(identifier: "Etc/UTC", fixedOffset: 0))

    private init(table: ZoneTable) {
        self.table = table
    }

    /// The zone of that name, or nil if there is none. The first use of a name reads its rules; later ones share them.
    package init?(identifier: String) {
        guard let table = ZoneTable.shared(identifier) else { return nil }
        self.table = table
    }

    /// - Throws: ``TimeError/Code/unknownZone``.
    package init(named identifier: String) throws(TimeError) {
        guard let table = ZoneTable.shared(identifier) else { throw TimeError.unknownZone(identifier) }
        self.table = table
    }

    package var identifier: String { table.identifier }

    /// Seconds that local time is ahead of UTC at `instant`; negative west of Greenwich.
    package func offset(at instant: Instant) -> Int {
        table.offset(at: instant.seconds)
    }

    /// The offset at `instant`, and the moment at which it ends; nil: never.
    package func span(at instant: Instant) -> (offset: Int, end: Instant?) {
        let (offset, end) = table.span(at: instant.seconds)
        return (offset, end.map { Instant(seconds: $0) })
    }

    /// What calendar and clock show in the zone at `instant`. The fraction of a second is dropped.
    package func local(of instant: Instant) -> (date: CivilDate, time: CivilTime) {
        let seconds = instant.seconds
        let local = Int(seconds) + table.offset(at: seconds)
        let day = CivilDate.floorDivision(local, by: 86_400)
        return (
            CivilDate(uncheckedDayNumber: Int32(day)), CivilTime(uncheckedSeconds: Int32(local - day * 86_400))
        )
    }

    /// The local date at `instant`.
    package func date(of instant: Instant) -> CivilDate { local(of: instant).date }

    /// The moment at which the zone's clocks show `time` on `date`.
    ///
    /// A time that is skipped when clocks go forward moves forward by what is skipped (02:30 becomes 03:30); of a time
    /// that comes twice when they go back the first is meant. 24:00 is the first moment of the day after.
    package func instant(of date: CivilDate, _ time: CivilTime) -> Instant {
        let local = Int64(date.dayNumber) * 86_400 + Int64(time.secondsSinceMidnight)
        return Instant(seconds: table.utc(ofLocal: local))
    }

    /// The first moment of `date`, which is not at 00:00 where clocks change at midnight.
    package func startOfDay(_ date: CivilDate) -> Instant { instant(of: date, .midnight) }
}

extension Zone: Hashable {
    package static func == (left: Zone, right: Zone) -> Bool {
        left.table === right.table || left.identifier == right.identifier
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

extension Zone: CustomStringConvertible {
    package var description: String { identifier }
}
