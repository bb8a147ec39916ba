/// What a row says about lending at all.
struct LendingTerms: Sendable {
    var lends: Bool
    var reason: String?
}

/// What a row says about the length of a loan and its due time.
struct PeriodTerms: Sendable {
    enum Closed: String, Sendable {
        case keep
        case nextOpen = "next_open"
        case previousOpen = "previous_open"
        case openDays = "open_days"
        case sameWeekday = "same_weekday"
    }
    enum ClosedHours: String, Sendable {
        case keep
        case nextOpen = "next_open"
        case previousClose = "previous_close"
    }
    /// The time of day of a due date.
    enum TimeOfDay: Sendable {
        case closing, endOfDay
        case at(CivilTime)
    }

    var loan: Period?
    var dueAt: CivilDate?
    var dueLimit: CivilDate?
    var dueTime: TimeOfDay
    var isCappedByMembership: Bool
    var closed: Closed
    var closedHours: ClosedHours
}

/// What a row says about renewals.
struct RenewalTerms: Sendable {
    enum Start: String, Sendable { case due, now }
    enum Until: Sendable {
        case date(CivilDate)
        /// Counted from when the loan began.
        case period(Period)
    }

    /// nil: without limit.
    var maximum: Int64?
    var period: Period?
    var start: Start
    var notBefore: Period?
    var isAutomatic: Bool
    var automaticUntil: Until?
    /// nil: without limit.
    var maximumUnseen: Int64?
}

/// What a row says about fines, and about what counts as late.
struct FineTerms: Sendable {
    enum GraceMode: String, Sendable {
        case allOrNothing = "all_or_nothing"
        case deduct
    }
    enum Rounding: String, Sendable { case started, whole }
    enum Cap: Sendable {
        case money(Money)
        case replacementPrice
    }

    var fine: Money?
    var per: Period
    var grace: Period?
    var graceMode: GraceMode
    var cap: Cap?
    var steps: [FineStep]
    var countsClosedDays: Bool
    var rounding: Rounding
}

/// What a row says about suspensions.
struct SuspensionTerms: Sendable {
    enum Mode: String, Sendable { case add, longest }

    var length: Period?
    var per: Period
    var cap: Period?
    var mode: Mode
}

/// What a row says about holds.
struct HoldTerms: Sendable {
    /// nil: without limit.
    var maximum: Int64?
    /// nil: without limit.
    var maximumPerDay: Int64?
    /// nil: without end.
    var shelf: Period?
}

/// What a row says about the charge for borrowing.
struct RentalTerms: Sendable {
    /// nil: nothing is charged.
    var rental: Money?
    /// nil: once a loan.
    var per: Period?
    var countsClosedDays: Bool
}

/// What a row says about copies that do not come back.
struct LostTerms: Sendable {
    enum Fee: Sendable {
        case money(Money)
        case replacementPrice
    }
    enum Refund: Sendable {
        case never, always
        case within(Period)
    }

    /// nil: copies are lost only where staff say so.
    var after: Period?
    var fee: Fee?
    var refund: Refund
}

/// What a row says about further copies of a title.
enum SameTitleTerms: String, Sendable { case allow, confirm, refuse }

/// The built-in fields of one row, read into types once.
final class RuleTerms: Sendable {
    let lending: LendingTerms
    let period: PeriodTerms
    let renewal: RenewalTerms
    let fine: FineTerms
    let suspension: SuspensionTerms
    let hold: HoldTerms
    let rental: RentalTerms
    let sameTitle: SameTitleTerms
    let lost: LostTerms

    /// The built-in defaults, for a group that no row sets.
    static let standard = RuleTerms(unchecked: RuleTermsReader(fields: [:]))

    /// - Throws: ``PolicyFailure`` with the code `wrong_type`, which names field, file and line.
    convenience init(_ row: RuleRow) throws {
        for (name, value) in row.fields {
            guard let complaint = RuleField.complaint(about: value, of: name) else { continue }
            let place = row.fieldPlaces[name] ?? row.place
            throw PolicyFailure(code: "wrong_type", message: complaint, file: place.file, line: place.line)
        }
        self.init(unchecked: RuleTermsReader(fields: row.fields))
    }

    private init(unchecked reader: RuleTermsReader) {
        lending = reader.lending
        period = reader.period
        renewal = reader.renewal
        fine = reader.fine
        suspension = reader.suspension
        hold = reader.hold
        rental = reader.rental
        sameTitle = reader.choice("same_title") ?? .allow
        lost = reader.lost
    }
}

/// Reads checked fields, with the built-in default of each that is unset.
private struct RuleTermsReader {
    let fields: [String: RuleValue]

    /// nil for nothing and for `none`.
    private func value(_ name: String) -> RuleValue? {
        switch fields[name] {
        case .some(.none): nil
        case .some(let value): value
        case nil: RuleField.named[name]?.standard
        }
    }

    private func boolean(_ name: String) -> Bool {
        if case .boolean(let value) = value(name) { value } else { false }
    }

    private func text(_ name: String) -> String? {
        if case .text(let value) = value(name) { value } else { nil }
    }

    private func period(_ name: String) -> Period? {
        if case .period(let value) = value(name) { value } else { nil }
    }

    private func date(_ name: String) -> CivilDate? {
        if case .date(let value) = value(name) { value } else { nil }
    }

    /// `none` allows nothing, `unlimited` everything.
    private func maximum(_ name: String) -> Int64? {
        switch value(name) {
        case .integer(let value): value
        case .unlimited: nil
        default: 0
        }
    }

    func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }

    var lending: LendingTerms { LendingTerms(lends: boolean("lend"), reason: text("reason")) }

    var period: PeriodTerms {
        PeriodTerms(
            loan: period("loan"), dueAt: date("due_at"), dueLimit: date("due_limit"), dueTime: dueTime,
            isCappedByMembership: boolean("due_expiry"), closed: choice("closed") ?? .nextOpen,
            closedHours: choice("closed_hours") ?? .keep)
    }

    private var dueTime: PeriodTerms.TimeOfDay {
        switch text("due_time") {
        case "end_of_day": .endOfDay
        case let text?: (try? CivilTime(parsing: text)).map { .at($0) } ?? .closing
        case nil: .closing
        }
    }

    var renewal: RenewalTerms {
        RenewalTerms(
            maximum: maximum("renewals"), period: period("renewal_period"), start: choice("renew_from") ?? .now,
            notBefore: period("renew_not_before"), isAutomatic: boolean("auto_renew"), automaticUntil: automaticUntil,
            maximumUnseen: maximum("unseen_renewals"))
    }

    var hold: HoldTerms {
        HoldTerms(maximum: maximum("holds"), maximumPerDay: maximum("holds_per_day"), shelf: period("hold_shelf"))
    }

    var rental: RentalTerms {
        RentalTerms(
            rental: money("rental"), per: period("rental_per"), countsClosedDays: boolean("rental_closed_days"))
    }

    private func money(_ name: String) -> Money? {
        if case .money(let value) = value(name) { value } else { nil }
    }

    private var automaticUntil: RenewalTerms.Until? {
        switch value("auto_renew_until") {
        case .date(let date): .date(date)
        case .period(let period): .period(period)
        default: nil
        }
    }

    var fine: FineTerms {
        var fine: Money?
        if case .money(let value) = value("fine") { fine = value }
        var steps: [FineStep] = []
        if case .fineSteps(let value) = value("fine_steps") { steps = value }
        return FineTerms(
            fine: fine, per: period("per") ?? .days(1), grace: period("grace"),
            graceMode: choice("grace_mode") ?? .allOrNothing, cap: cap, steps: steps,
            countsClosedDays: boolean("fine_closed_days"), rounding: choice("rounding") ?? .started)
    }

    private var cap: FineTerms.Cap? {
        switch value("fine_cap") {
        case .money(let money): .money(money)
        case .text: .replacementPrice
        default: nil
        }
    }

    var suspension: SuspensionTerms {
        SuspensionTerms(
            length: period("suspension"), per: period("suspension_per") ?? .days(1), cap: period("suspension_cap"),
            mode: choice("suspension_mode") ?? .longest)
    }

    var lost: LostTerms { LostTerms(after: period("lost_after"), fee: lostFee, refund: lostRefund) }

    private var lostFee: LostTerms.Fee? {
        switch value("lost_fee") {
        case .money(let money): .money(money)
        case .text: .replacementPrice
        default: nil
        }
    }

    private var lostRefund: LostTerms.Refund {
        switch value("lost_refund_within") {
        case .period(let period): .within(period)
        case .unlimited: .always
        default: .never
        }
    }
}
