import TextFormats

/// Fields with their values, one below the other, the values under one another and broken to fit.
package struct TextFields {
    private static let gap = "  "
    /// A value gets at least so many columns, however long the labels are.
    private static let narrowest = 8

    private let style: TextStyle
    private let width: Int?
    private let labelWidth: Int

    /// - Parameters:
    ///   - labels: of all fields that shall stand under one another.
    ///   - options: the width nil: values are as long as they are.
    package init(labels: [String], options: RenderOptions) {
        style = TextStyle(isOn: options.usesColour)
        width = options.width
        labelWidth = labels.map { DisplayWidth.of(SafeText.line($0)) }.max() ?? 0
    }

    /// The lines of a field.
    package func lines(_ label: String, _ value: String) -> [String] {
        let label = SafeText.line(label)
        let value = SafeText.line(value)
        let indent = labelWidth + TextFields.gap.count
        let parts = width.map { DisplayWidth.wrapped(value, to: max(TextFields.narrowest, $0 - indent)) } ?? [value]
        guard let first = parts.first, !first.isEmpty else { return [style.bold(label)] }
        let padding = String(repeating: " ", count: max(0, indent - DisplayWidth.of(label)))
        let others = parts.dropFirst().map { String(repeating: " ", count: indent) + $0 }
        return [style.bold(label) + padding + first] + others
    }
}
