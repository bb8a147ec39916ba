package import TextFormats

extension Case {
    /// Reads a case, short enough to be written by hand: in files, in `given` of a policy's tests, in bug reports. It
    /// also reads back what ``write(to:withCalendar:)`` writes.
    ///
    /// ```json
    /// {"now": "2026-05-20T12:00", "patron": {"category": "staff", "loans": 5}, "copy": {"item_type": "dvd"}}
    /// ```
    /// Whatever is left out has a sensible value:
    /// - `point` is `checkout`, `time_zone` Etc/UTC, `now` 2026-01-15 at noon, `currency` EUR, `branch` `main`; every day
    ///   is open, around the clock;
    /// - the actor is staff at the desk;
    /// - the patron has id 1, category `patron`, the case's branch as home, and no fees, loans, holds or blocks;
    /// - at `checkout`, `due`, `hold`, `notify` and the points about a loan there are a title (one copy, available) and a copy (a `book` of
    ///   the branch, available), at the points about a loan there is one (lent two weeks ago, due today, never renewed),
    ///   and at `request`, `checkout` and `due` a request for one title;
    /// - at `hold` and `recall` there is a hold (placed now, for any copy, by a patron of the case's category, to be
    ///   picked up at its branch); at `recall` the loan is due in two weeks;
    /// - at `notify` the event is `hold_ready`, and there is what the event is about: a hold, a loan, a listing, a
    ///   suggestion or lines;
    /// - at `price` there is one line, to buy one piece for 10.00, unless there is a loan; what is written of a line's
    ///   `amount` must be price times quantity times periods;
    /// - at `publish` there is a listing (to sell one piece for 10.00), unless there is a suggestion, and a title that
    ///   the catalogue has; a listing is the patron's own.
    ///
    /// `null`, in Lua `false`, takes such a part away, and so the price of a listing. A due time beside `days_overdue` or
    /// `hours_overdue` must be that long ago.
    ///
    /// Short forms: `patron.loans` and `request.granted` may be a number of loans of books; `loan.days_overdue` and
    /// `loan.hours_overdue` set a due time that long ago; a date stands for noon of that day, a time without an offset is
    /// local, and money without a currency is in the case's. `item_type` is a type, or a list of it and its ancestors,
    /// which may also stand in `item_types`; so are `branch`, `home_branch`, `copy_branch` and `category`. An empty list stands for an empty object, since Lua has one table for both.
    ///
    /// - Parameter records: the records as the library has them; what is written of a field of its own stands among `extra`.
    /// - Throws: ``CaseError``, which names the field; for an unknown field also the nearest name.
    package init(json: JSON, _ records: LibraryCase = .plain) throws(CaseError) {
        let frame = CaseFrame(records)
        let reader = try CaseObjectReader(json, at: CasePlace(), records.question, frame)
        try reader.readFrame()
        let title = try reader.title()
        self.init(
            point: frame.point, now: frame.now, zone: frame.zone, calendar: frame.calendar, branch: "",
            branches: frame.branches, currency: frame.currency, actor: try reader.actor(), patron: try reader.patron(),
            title: title, copy: try reader.copy(), request: try reader.request(for: title),
            hold: try reader.hold(), listing: try reader.listing(), suggestion: try reader.suggestion(),
            lines: try reader.saleLines(), event: try reader.event())
        loan = try reader.loan(of: self)
    }
}

extension CaseObjectReader {
    fileprivate func readFrame() throws(CaseError) {
        frame.point = try word("point") ?? frame.point
        if let name = try text("time_zone") {
            do throws(TimeError) { frame.zone = try Zone(named: name) } catch {
                throw CaseError(field: field("time_zone"), fault: error.message)
            }
        }
        if let code = try text("currency") {
            do throws(MoneyError) { frame.currency = try Currency(named: code) } catch {
                throw CaseError(field: field("currency"), fault: error.message)
            }
        }
        if let json = json("calendar") {
            do throws(TimeError) { frame.calendar = try OpeningCalendar(json: json) } catch {
                throw CaseError(field: field("calendar"), fault: error.message)
            }
        }
        frame.branches = try chain("branch", or: "branches", "a branch") ?? frame.branches
        frame.event = try word("event") ?? frame.event
        frame.now = try instant("now") ?? frame.now
    }
}

extension DecisionPoint {
    /// Whether there is no such question without a loan.
    package var isAboutLoan: Bool {
        switch self {
        case .renew, .recall, .overdue, .fine, .checkin, .lost: true
        case .request, .checkout, .due, .hold, .price, .publish, .notify, .expiry: false
        }
    }
}
