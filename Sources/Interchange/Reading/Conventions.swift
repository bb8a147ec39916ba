import Circulation

/// How an import reads what can be read in two ways; nil: as the column itself shows.
package struct Conventions: Hashable, Sendable {
    package var dates: DateOrder?
    package var decimals: DecimalMark?

    package init(dates: DateOrder? = nil, decimals: DecimalMark? = nil) {
        self.dates = dates
        self.decimals = decimals
    }
}

/// A way of writing that a file has to hold to: of dates, of amounts.
protocol ReadingConvention: CaseIterable, Hashable, RawRepresentable<String> {
    associatedtype Value: Hashable, CustomStringConvertible

    /// What a text says.
    static func readings(of text: String, _ currency: Currency) -> Readings<Self>
    /// The option of an import that picks one.
    static var option: String { get }
    /// Whether values that can be read in one way only may differ in it, so that only one of two readings ends the import.
    static var mayMix: Bool { get }
    /// `dates`, the word by which codes of problems tell one from another.
    static var name: String { get }
    /// `the day comes first`, or shorter behind another one: `the month does`.
    func words(isFirst: Bool) -> String
}

extension ReadingConvention {
    /// `1980-03-04 if the day comes first (dmy), 1980-04-03 if the month does (mdy)`
    static func words(_ readings: [(by: Self, value: Value)]) -> String {
        readings.enumerated().map { place, reading in
            "\(reading.value) if \(reading.by.words(isFirst: place == 0)) (\(reading.by.rawValue))"
        }.joined(separator: ", ")
    }
}

/// What a text says, by the conventions by which it says something.
enum Readings<Convention: ReadingConvention> {
    case none
    /// The same by any.
    case certain(Convention.Value)
    case open([(by: Convention, value: Convention.Value)])
}
