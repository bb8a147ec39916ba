package import Circulation

/// The forms in which a report can be had.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Aligned text for a terminal or a page of fixed-width type.
    case table
    /// For programs: the shape of a report in the documented JSON.
    case json
    /// The tables alone, for a spreadsheet.
    case csv
    /// Markdown, for a wiki or a message.
    case md
    /// A page of its own with charts, for browsers, print and mail.
    case html

    /// Renders a document; the text ends with a line feed unless it is empty.
    ///
    /// No control, escape or bidirectional-override character of the document's data is in the result: JSON has them
    /// escaped, all else goes without.
    package func render(_ document: ReportDocument, options: RenderOptions = RenderOptions()) -> String {
        switch self {
        case .table: TextReport(document, options: options).render()
        case .json: JSONReport(document).render()
        case .csv: CSVReport(document).render()
        case .md: MarkdownReport(document).render()
        case .html: HTMLReport(document, logo: options.logo, address: options.address).render()
        }
    }
}

/// What a renderer may know of the place its text goes to.
package struct RenderOptions: Sendable {
    /// Whether bold and dim letters may be used; for a terminal that has not refused them.
    package var usesColour: Bool
    /// The terminal's columns; nil, as in a pipe: lines are as long as they are.
    package var width: Int?
    /// The library's sign, on pages.
    package var logo: HTMLReport.Logo?
    /// Where the pages about records are, for pages.
    package var address: HTMLReport.Address?

    package init(
        usesColour: Bool = false, width: Int? = nil, logo: HTMLReport.Logo? = nil, address: HTMLReport.Address? = nil
    ) {
        self.usesColour = usesColour
        self.width = width
        self.logo = logo
        self.address = address
    }
}
