/// Several values in one field of a table that an export wrote: `|` between them, and `\` before a `|` or `\` of their own.
enum ListText {
    /// A value that is empty, which between two bars would be taken for one that is not there.
    private static let empty = #"\-"#

    static func joined(_ values: [String]) -> String {
        values.map { value in
            value.isEmpty ? empty : value.replacing("\\", with: #"\\"#).replacing("|", with: #"\|"#)
        }.joined(separator: "|")
    }

    /// The values to the letter, in their order.
    static func values(of text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var values: [String] = []
        var value = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                if scalar != "-" { value.append(scalar) }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "|" {
                values.append(String(value))
                value = String.UnicodeScalarView()
            } else {
                value.append(scalar)
            }
        }
        return values + [String(value)]
    }
}
