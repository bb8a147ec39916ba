import Circulation
import Languages

/// How the values of a column are written for people: its type decides, and all its values alike.
///
/// Broken numbers of a column have as many decimals as the most precise of them, within reason; money and percentages
/// have their signs. The machine's forms (JSON, CSV) do without it.
struct ValueFormat {
    /// Where the values stand.
    enum Style {
        /// Fixed-width type: dates as `2026-12-24`, no groups of digits, so that columns line up and can be copied.
        case plain
        /// A page: dates as `24 Dec 2026`, the thousands of long figures apart.
        case page
    }

    let type: ReportColumnType
    private let decimals: Int
    private let zone: Zone?
    private let style: Style
    private let codes: ReportCodes?
    /// In which pages write figures and dates; fixed-width type is the same in all.
    private let language = Language.spoken

    /// - Parameters:
    ///   - zone: whose clock shows instants; nil: that of UTC.
    ///   - codes: what people call the codes among the values.
    init(
        _ type: ReportColumnType, values: some Sequence<ReportValue>, zone: Zone?, style: Style,
        codes: ReportCodes? = nil
    ) {
        self.type = type
        self.zone = zone
        self.style = style
        self.codes = codes
        decimals = ValueFormat.decimals(type, values)
    }

    func text(_ value: ReportValue) -> String {
        if let name = codes?.names[value.text] { return name }
        return switch value {
        case .none: ""
        case .text(let text): read(text) ?? text
        case .integer(let whole): type == .percent ? figure(Double(whole)) + "%" : integer(whole)
        case .number(let number): type == .percent ? figure(number) + "%" : figure(number)
        case .money(let money): amount(money.description)
        case .date(let date): self.date(date)
        case .instant(let instant): self.instant(instant)
        case .percent: style == .page ? language.decimal(value.text) : value.text
        case .boolean: style == .page ? language.word(value.text) : value.text
        case .period, .link: value.text
        }
    }

    /// Whether values stand on one line: all but texts, and of these months and the like.
    var isWhole: Bool { type != .text || codes?.areInOrder == true }

    /// What a cell is sorted by, where its text does not do; nil for an empty cell.
    func key(_ value: ReportValue) -> String? {
        switch value {
        case .none: nil
        case _ where codes != nil: codes?.areInOrder == true ? value.text : nil
        case .money(let money): String(money.minorUnits)
        case .percent(let percent): String(percent.description.dropLast())
        case .number(let number): number.isFinite ? number.description : nil
        default: value.text
        }
    }

    // MARK: - Figures

    private func integer(_ whole: Int64) -> String {
        // Beside broken numbers it has as many decimals as they.
        if type == .number && decimals > 0 && whole.magnitude < 1 << 53 { return figure(Double(whole)) }
        return grouped(String(whole))
    }

    private func figure(_ number: Double) -> String {
        guard number.isFinite, let text = Decimals.text(number, decimals: decimals) else {
            return ReportValue.number(number).text
        }
        return grouped(style == .page ? language.decimal(text) : text)
    }

    private func amount(_ text: String) -> String {
        guard style == .page else { return text }
        return grouped(language.amount(text) ?? text)
    }

    /// As many as the most precise value has: one at most of percentages, two of numbers, four of numbers that would be
    /// nought otherwise.
    private static func decimals(_ type: ReportColumnType, _ values: some Sequence<ReportValue>) -> Int {
        guard type == .number || type == .percent else { return 0 }
        var largest = 0.0
        var most = 0
        for case .number(let number) in values where number.isFinite {
            largest = max(largest, abs(number))
            most = max(most, decimals(of: number))
        }
        return min(most, type == .percent ? 1 : largest < 0.1 ? mostDecimals : 2)
    }

    private static let mostDecimals = 4

    private static func decimals(of number: Double) -> Int {
        guard abs(number) < 1e12 else { return 0 }
        var factor = 1.0
        for decimals in 0..<mostDecimals {
            let scaled = number * factor
            if abs(scaled - scaled.rounded()) < 1e-6 { return decimals }
            factor *= 10
        }
        return mostDecimals
    }

    /// Thousands apart, by the narrow blank of ISO 80000-1, from five digits on.
    private func grouped(_ text: String) -> String { style == .page ? Decimals.grouped(text) : text }

    // MARK: - Dates

    /// Texts of the standard forms, as SQL gives them, in columns of dates and instants.
    private func read(_ text: String) -> String? {
        switch type {
        case .date: (try? CivilDate(parsing: text)).map(date)
        case .instant: (try? Instant(parsing: text)).map(instant)
        default: nil
        }
    }

    private func date(_ date: CivilDate) -> String {
        guard style == .page else { return date.description }
        let (year, month, day) = date.parts
        return language.shortDate(year: year, month: month, day: day)
    }

    private func instant(_ instant: Instant) -> String {
        guard style == .page || zone != nil else { return instant.description }
        let (day, time) = (zone ?? .utc).local(of: instant)
        let minutes = Int(time.secondsSinceMidnight) / 60
        let clock = "\(ValueFormat.two(minutes / 60)):\(ValueFormat.two(minutes % 60))"
        return style == .page ? "\(date(day)), \(clock)\(zone == nil ? " UTC" : "")" : "\(day) \(clock)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
