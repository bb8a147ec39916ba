extension OpeningCalendar {
    /// When the branch is open on `date`, in order; empty if it is closed.
    package func hours(on date: CivilDate) -> [OpeningHours] {
        guard isOpen(date) else { return [] }
        let weekday = weekly[date.weekday.daysAfterMonday]
        guard let opening = opening(on: date) else { return weekday }
        if !opening.hours.isEmpty { return opening.hours }
        return weekday.isEmpty ? [.wholeDay] : weekday
    }

    /// Whether the branch is open at `time` on `date`: from the moment it opens to before the moment it closes.
    package func isOpen(_ date: CivilDate, _ time: CivilTime) -> Bool {
        hours(on: date).contains { $0.contains(time) }
    }

    /// When the branch closes for the last time on `date`, or nil if it is closed all day.
    package func closingTime(on date: CivilDate) -> CivilTime? { hours(on: date).last?.closes }

    /// When the branch opens for the first time on `date`, or nil if it is closed all day.
    package func openingTime(on date: CivilDate) -> CivilTime? { hours(on: date).first?.opens }

    /// The next time the branch opens after `time` on `date`, later that day or on the next open day.
    ///
    /// - Throws: ``TimeError/Code/noOpenDay`` if it does not within ten years.
    package func nextOpening(
        after date: CivilDate, _ time: CivilTime
    ) throws(TimeError) -> (date: CivilDate, time: CivilTime) {
        if let later = hours(on: date).first(where: { $0.opens > time }) { return (date, later.opens) }
        let next = try nextOpen(after: date)
        return (next, openingTime(on: next) ?? .midnight)
    }

    /// Why the branch is closed on `date`: the reason of the closure, if one was given.
    package func closureReason(on date: CivilDate) -> String? {
        if isOpen(date) { return nil }
        let (_, month, day) = date.parts
        let reasons =
            closed.lazy.filter { $0.first <= date && date <= $0.last }.map(\.reason)
            + yearly.lazy.filter { $0.contains(month: month, day: day) }.map(\.reason)
        return reasons.first { !$0.isEmpty }
    }

    private func opening(on date: CivilDate) -> Opening? {
        var low = 0
        var high = opened.count
        while low < high {
            let middle = (low + high) / 2
            if opened[middle].date < date { low = middle + 1 } else { high = middle }
        }
        return low < opened.count && opened[low].date == date ? opened[low] : nil
    }
}
