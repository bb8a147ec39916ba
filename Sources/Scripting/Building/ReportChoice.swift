package import Circulation
package import Storage
import TextFormats

/// What a simple report shows, as it was chosen: ``script`` is the report.
package struct ReportChoice: Hashable, Sendable {
    /// How the figures are drawn above their table.
    package enum Chart: String, Hashable, Sendable, CaseIterable {
        case bar, line, area, pie, none
    }

    package var measure: FigureMeasure
    package var rows: FigureDimension
    package var columns: FigureDimension?
    /// As ``DateSpan`` reads it; nil where the measure is counted as it stands now.
    package var span: String?
    /// Codes of branch, category and item type.
    package var filters: [FigureDimension: String]
    package var chart: Chart

    /// The span of reports that name none.
    package static let usualSpan = "last_12_months"
    /// The value of the field `span` by which `from` and `to` count.
    package static let dates = "dates"

    /// Reads what a form or a command line says: `measure`, `rows`, `columns`, `span` (with `from` and `to` where it is
    /// ``dates``), `branch`, `category`, `item_type`, `chart`. What is left out, or empty, is as usual.
    ///
    /// - Parameters:
    ///   - today: the day it is, for spans.
    ///   - isKnown: whether the library has such a code.
    /// - Throws: ``ReportChoiceError``, which names the field.
    package init(
        _ fields: [String: String], today: CivilDate, isKnown: (FigureDimension, String) throws -> Bool
    ) throws {
        func field(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
        measure = try Self.measure(field("measure"))
        let known = measure.dimensions
        rows = try Self.dimension(field("rows"), "rows", of: measure, among: known) ?? known[0]
        columns = try Self.dimension(
            field("columns"), "columns", of: measure, among: known.filter { $0.isForColumns })
        guard columns != rows else {
            throw ReportChoiceError(
                "columns", "Rows and columns are both \(rows.words); choose another for one of them.")
        }
        span = try Self.span(field("span"), from: field("from"), to: field("to"), measure, today)
        filters = [:]
        for filter in FigureDimension.filters {
            guard let code = field(filter.rawValue) else { continue }
            guard measure.filters.contains(filter) else {
                throw ReportChoiceError(
                    filter.rawValue, "\(measure.words) cannot be limited to one \(filter.words).")
            }
            guard try isKnown(filter, code) else {
                throw ReportChoiceError(filter.rawValue, "There is no \(filter.words) \"\(SafeText.line(code))\".")
            }
            filters[filter] = code
        }
        guard let chart = Chart(rawValue: field("chart") ?? Chart.bar.rawValue) else {
            throw ReportChoiceError("chart", Self.unknown("chart", fields["chart"], Chart.allCases.map(\.rawValue)))
        }
        self.chart = chart
    }

    private static func measure(_ name: String?) throws(ReportChoiceError) -> FigureMeasure {
        guard let measure = FigureMeasure.named(name ?? FigureMeasure.all[0].name) else {
            throw ReportChoiceError("measure", unknown("measure", name, FigureMeasure.all.map(\.name)))
        }
        return measure
    }

    private static func dimension(
        _ name: String?, _ field: String, of measure: FigureMeasure, among known: [FigureDimension]
    ) throws(ReportChoiceError) -> FigureDimension? {
        guard let name else { return nil }
        if let dimension = FigureDimension(rawValue: name), known.contains(dimension) { return dimension }
        guard let dimension = FigureDimension(rawValue: name) else {
            throw ReportChoiceError(
                field,
                "There are no \(field) by \"\(SafeText.line(String(name.prefix(100))))\"; choose \(known.map(\.words).joined(separator: ", "))."
            )
        }
        throw ReportChoiceError(
            field,
            "\(measure.words) cannot be split by \(dimension.words) in \(field); choose \(known.map(\.words).joined(separator: ", "))."
        )
    }

    private static func span(
        _ word: String?, from: String?, to: String?, _ measure: FigureMeasure, _ today: CivilDate
    ) throws(ReportChoiceError) -> String? {
        guard measure.isOfTime else { return nil }
        let text = word == dates ? "\(from ?? "")..\(to ?? "")" : word ?? usualSpan
        do throws(DateSpanError) {
            return try DateSpan(parsing: text, today: today).text
        } catch {
            let message = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
            throw ReportChoiceError(word == dates ? "from" : "span", message)
        }
    }

    private static func unknown(_ field: String, _ word: String?, _ words: [String]) -> String {
        let word = word ?? ""
        let hint = NameSuggestion.nearest(to: word, among: words).map { "did you mean \"\($0)\"?" }
        return "There is no \(field) \"\(SafeText.line(String(word.prefix(100))))\"; "
            + (hint ?? "there are \(words.joined(separator: ", ")).")
    }
}

/// What is wrong with a choice.
package struct ReportChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field of the form.
    package let field: String
    /// A sentence.
    package let message: String
    package var description: String { message }

    init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }
}
