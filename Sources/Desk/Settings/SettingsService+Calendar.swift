package import Circulation

extension SettingsService {
    /// Changes a branch's calendar.
    ///
    /// - Parameters:
    ///   - movingDue: open loans of that branch that fall due on a day that was open and is closed now move to the next
    ///     open day, each with one message to its patron.
    ///   - reason: why, for the loans' events.
    /// - Returns: how many loans were moved.
    package func changeCalendar(
        of code: String, movingDue: Bool = false, reason: String = "",
        _ change: (inout OpeningCalendar) throws -> Void
    ) throws -> Outcome<Int> {
        try session.request("calendar.change") {
            var branch = try known(branch: code)
            let before = branch
            try change(&branch.calendar)
            if branch != before { try session.record(.branchUpdated(branch)) }
            return movingDue ? try session.loans.moveDue(from: before, to: branch, reason: reason) : 0
        }
    }
}
