import Circulation

/// How the columns of a file write dates and amounts, as far as their values show it.
///
/// A column is looked through once, when the first of its values needs it: where one value can be read in one way only, all are read so.
final class ColumnConventions {
    /// What a value says.
    enum Outcome<Value> {
        case value(Value, remarks: [ImportProblem])
        case none
        /// The import ends: the value, or the column, can be read in two ways.
        case stop(ImportProblem)
    }

    /// Hands out the values of columns with the lines where they stand.
    typealias Values = (_ take: (_ column: String, _ text: String, _ line: Int) -> Void) throws -> Void

    private let file: String
    private let currency: Currency
    fileprivate var dates: Columns<DateOrder>
    fileprivate var amounts: Columns<DecimalMark>
    private var values: Values?
    /// Columns of which it was said that their years have two digits.
    private var short: Set<String> = []

    /// - Parameters:
    ///   - given: counts, whatever the columns show.
    ///   - dates: the columns of dates; nil: any may be one.
    ///   - dateAdvice: how dates are settled beside the option of the import; nil: not at all.
    ///   - values: those of all these columns, from the beginning of the file.
    init(
        file: String, _ given: Conventions, _ currency: Currency, dates: [String]?, amounts: [String],
        dateAdvice: String? = nil, values: @escaping Values
    ) {
        self.file = file
        self.currency = currency
        self.dates = Columns(given: given.dates, names: dates, advice: dateAdvice)
        self.amounts = Columns(given: given.decimals, names: amounts, advice: nil)
        self.values = values
    }

    func date(_ text: String, in column: String, line: Int) -> Outcome<CivilDate> {
        let outcome = read(text, in: column, line: line, \.dates)
        guard case .value(let date, var remarks) = outcome, DateOrder.isShort(text), short.insert(column).inserted
        else {
            return outcome
        }
        remarks.append(
            remark(column, line, "two_digit_years", "years of two digits are read as those from 1930 to 2029"))
        return .value(date, remarks: remarks)
    }

    /// An amount as decimals with a point.
    func amount(_ text: String, in column: String, line: Int) -> Outcome<String> {
        read(text, in: column, line: line, \.amounts)
    }

    private func read<Convention: ReadingConvention>(
        _ text: String, in column: String, line: Int,
        _ columns: ReferenceWritableKeyPath<ColumnConventions, Columns<Convention>>
    ) -> Outcome<Convention.Value> {
        let open: [(by: Convention, value: Convention.Value)]
        switch Convention.readings(of: text, currency) {
        case .none: return .none
        case .certain(let value): return .value(value, remarks: [])
        case .open(let readings): open = readings
        }
        if let given = self[keyPath: columns].given {
            return open.first { $0.by == given }.map { .value($0.value, remarks: []) } ?? .none
        }
        lookThrough()
        switch self[keyPath: columns].verdict(column) {
        case .open(let place):
            return .stop(stop(column, place.line, place.readings, place.text, self[keyPath: columns].advice))
        case .contradiction(let one, let other): return .stop(contradiction(column, one, other))
        case .settled(let convention, let place):
            guard let value = open.first(where: { $0.by == convention })?.value ?? open.first?.value else {
                return .none
            }
            // Of a column in which each value has one reading nothing had to be settled.
            guard let convention, let place, Set(open.map(\.value)).count > 1, self[keyPath: columns].isNew(column)
            else {
                return .value(value, remarks: [])
            }
            let said =
                "read so that \(convention.words(isFirst: true)) (\(convention.rawValue)), as '\(place.text)' in line"
                + " \(place.line) shows"
            return .value(value, remarks: [remark(column, line, "settled_\(Convention.name)", said)])
        }
    }

    private func lookThrough() {
        guard let values else { return }
        self.values = nil
        // What cannot be read is reported where it is read for good.
        try? values { column, text, line in
            dates.take(text, in: column, line: line, currency)
            amounts.take(text, in: column, line: line, currency)
        }
    }

    private func stop<Convention: ReadingConvention>(
        _ column: String, _ line: Int, _ readings: [(by: Convention, value: Convention.Value)], _ text: String,
        _ advice: String?
    ) -> ImportProblem {
        let others = readings.dropFirst().map(\.by.rawValue).joined(separator: " or ")
        let option = "`\(Convention.option) \(readings.first?.by.rawValue ?? "")` (or \(others)) says which"
        return ImportProblem(
            file: file, line: line, field: column,
            code: Convention.self == DateOrder.self ? "ambiguous_date" : "ambiguous_amount", severity: .error,
            message: "'\(text)' is \(Convention.words(readings)); \(option)" + (advice.map { ", or \($0)" } ?? ""))
    }

    private func contradiction<Convention: ReadingConvention>(
        _ column: String, _ one: Columns<Convention>.Place, _ other: Columns<Convention>.Place
    ) -> ImportProblem {
        func words(_ place: Columns<Convention>.Place) -> String {
            let way = place.readings.map { "\($0.by.words(isFirst: true)) (\($0.by.rawValue))" }.joined(
                separator: " or ")
            return "'\(place.text)' in line \(place.line), where \(way)"
        }
        return ImportProblem(
            file: file, line: other.line, field: column, code: "contradictory_\(Convention.name)", severity: .error,
            message:
                "the column has \(words(one)), and \(words(other)); `\(Convention.option)` picks one, and refuses the others"
        )
    }

    private func remark(_ column: String, _ line: Int, _ code: String, _ message: String) -> ImportProblem {
        ImportProblem(file: file, line: line, field: column, code: code, severity: .warning, message: message)
    }
}

/// What was found out about the columns of one kind.
private struct Columns<Convention: ReadingConvention> {
    /// A value, and where it stands.
    struct Place {
        let text: String
        let line: Int
        let readings: [(by: Convention, value: Convention.Value)]

        /// The conventions by which it says different things, of those that are left.
        func open(_ possible: Set<Convention>) -> [(by: Convention, value: Convention.Value)] {
            let left = readings.filter { possible.contains($0.by) }
            return Set(left.map(\.value)).count > 1 ? left : []
        }
    }

    enum Verdict {
        /// With the value that shows it; nil where none has to.
        case settled(Convention?, Place?)
        case open(Place)
        case contradiction(Place, Place)
    }

    private struct Column {
        var possible = Set(Convention.allCases)
        var narrowing: Place?
        var contradiction: (Place, Place)?
        /// The first value for each set of conventions by which it says something different.
        var open: [Set<Convention>: Place] = [:]
    }

    let given: Convention?
    let advice: String?
    private var columns: [String: Column]
    /// Whether any column is one of the kind.
    private let takesAny: Bool
    private var told: Set<String> = []

    init(given: Convention?, names: [String]?, advice: String?) {
        takesAny = names == nil
        self.given = given
        self.advice = advice
        columns = Dictionary((names ?? []).map { ($0, Column()) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func take(_ text: String, in name: String, line: Int, _ currency: Currency) {
        guard var column = columns[name] ?? (takesAny ? Column() : nil),
            column.contradiction == nil || Convention.mayMix,
            case .open(let readings) = Convention.readings(of: text, currency)
        else { return }
        let place = Place(text: text, line: line, readings: readings)
        let ways = Set(readings.map(\.by))
        let left = column.possible.intersection(ways)
        if left.isEmpty {
            column.contradiction = column.contradiction ?? (column.narrowing ?? place, place)
        } else if left.count < column.possible.count {
            column.possible = left
            if left.count == 1 || column.narrowing == nil { column.narrowing = place }
        }
        if Set(readings.map(\.value)).count > 1, column.open[ways] == nil { column.open[ways] = place }
        columns[name] = column
    }

    func verdict(_ name: String) -> Verdict {
        guard let column = columns[name] else { return .settled(nil, nil) }
        if let (one, other) = column.contradiction, !Convention.mayMix { return .contradiction(one, other) }
        let possible = column.contradiction == nil ? column.possible : Set(Convention.allCases)
        let open = column.open.values.map { Place(text: $0.text, line: $0.line, readings: $0.open(possible)) }
            .filter { !$0.readings.isEmpty }
        if let first = open.min(by: { $0.line < $1.line }) { return .open(first) }
        let convention = Convention.allCases.first { possible.contains($0) }
        return .settled(convention, possible.count == 1 ? column.narrowing : nil)
    }

    /// Whether it was not told yet how the column is read.
    mutating func isNew(_ name: String) -> Bool { told.insert(name).inserted }
}
