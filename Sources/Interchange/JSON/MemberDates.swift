import Circulation
import TextFormats

/// How a JSON file that people wrote has its dates, member by member, as tables have theirs column by column.
final class MemberDates {
    /// Why the import ends here.
    private(set) var stop: ImportProblem?
    private let settle: (_ text: String, _ member: String, _ line: Int) -> ColumnConventions.Outcome<CivilDate>

    /// - Parameter settle: says what a date is.
    init(_ settle: @escaping (String, String, Int) -> ColumnConventions.Outcome<CivilDate>) {
        self.settle = settle
    }

    /// - Parameter place: where the date stands: `copies[2].acquired_on`. Those of a list are one column.
    func date(_ text: String, in place: String, line: Int) -> ColumnConventions.Outcome<CivilDate> {
        let outcome = settle(text, Self.member(place), line)
        if case .stop(let problem) = outcome { stop = stop ?? problem }
        return outcome
    }

    private static func member(_ place: String) -> String {
        var isNumber = false
        return place.filter { character in
            if character == "[" { isNumber = true }
            defer { if character == "]" { isNumber = false } }
            return !isNumber
        }
    }
}
