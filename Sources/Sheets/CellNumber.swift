import Circulation
import Foundation

/// A number of a cell as people read it.
enum CellNumber {
    /// - Parameters:
    ///   - written: as the file has it: `9780140449136`, `9.7801404491360001E+12`.
    ///   - is1904: whether days are counted from 1 January 1904.
    static func text(_ written: String, _ format: NumberFormat, is1904: Bool) -> String {
        guard let number = Double(written), number.isFinite else { return written }
        switch format {
        case .number: return plain(written, number)
        case .digits(let pattern):
            guard number >= 0, number < 1e15, number.rounded() == number else { return plain(written, number) }
            return digits(String(Int64(number)), in: pattern)
        case .date, .time, .year:
            return moment(number, format, is1904: is1904) ?? plain(written, number)
        }
    }

    /// Whole numbers to the last digit, others with the fifteen digits that a spreadsheet keeps.
    private static func plain(_ written: String, _ number: Double) -> String {
        if written.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return written }
        if number.rounded() == number, abs(number) < 1e15 { return String(Int64(number)) }
        return String(format: "%.15g", number)
    }

    private static func digits(_ digits: String, in pattern: String) -> String {
        var rest = Substring(digits)
        var result: [Character] = []
        for mark in pattern.reversed() {
            if mark == "0" { result.append(rest.popLast() ?? "0") } else { result.append(mark) }
        }
        return rest + String(result.reversed())
    }

    /// `2018-10-24`, `2018-10-24 18:00:00`, `18:00:00`.
    private static func moment(_ number: Double, _ format: NumberFormat, is1904: Bool) -> String? {
        guard number >= 0, number < 2_958_466 else { return nil }
        let seconds = Int64((number * 86_400).rounded())
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if format == .time, days == 0 { return time(rest) }
        // The day of number 0, in days since 1970. Up to number 60, a day that there never was, the count is one short.
        if !is1904, days == 60 { return "1900-02-29" }
        let zero: Int64 = is1904 ? -24_107 : days < 60 ? -25_568 : -25_569
        guard let date = try? CivilDate(dayNumber: zero + days) else { return nil }
        if format == .year { return String(date.year) }
        return rest == 0 ? date.description : "\(date) \(time(rest))"
    }

    private static func time(_ seconds: Int64) -> String {
        String(format: "%02d:%02d:%02d", Int(seconds / 3600), Int(seconds / 60 % 60), Int(seconds % 60))
    }
}
