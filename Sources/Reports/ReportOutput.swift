package import Circulation
package import Foundation

/// What a report can be made into: a text in one of the forms of ``ReportFormat``, or a PDF.
package enum ReportOutput: String, Sendable, CaseIterable {
    case table, json, csv, md, html, pdf

    /// The form, if it is a text.
    package var format: ReportFormat? { ReportFormat(rawValue: rawValue) }

    /// The media type of the bytes (RFC 6838), for HTTP and mail.
    package var mediaType: String {
        switch self {
        case .table: "text/plain; charset=utf-8"
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8"
        case .md: "text/markdown; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .pdf: "application/pdf"
        }
    }

    /// The ending of a file's name, without the point.
    package var fileExtension: String { self == .table ? "txt" : rawValue }

    /// The report as bytes.
    ///
    /// - Parameter printer: makes the PDF; nil where the program for it is missing.
    /// - Throws: ``PDFPrinterError`` and what the file system throws, for a PDF alone.
    package func bytes(
        of document: ReportDocument, options: RenderOptions = RenderOptions(), printer: PDFPrinter?
    ) throws -> Data {
        if let format { return Data(format.render(document, options: options).utf8) }
        guard let printer else { throw PDFPrinterError.missing }
        return try printer.pdf(of: ReportFormat.html.render(document, options: options))
    }
}
