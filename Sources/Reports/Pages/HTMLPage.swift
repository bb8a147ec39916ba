import Circulation
import Languages
import TextFormats

/// A page of its own, the one frame of all pages that the program writes.
///
/// It loads nothing from anywhere and sends nothing, which its policy of content also keeps a browser to: styles stand in the
/// page, and the one script that may run is the one whose digest is named. It follows the reader's light or dark
/// colours and is fit for printing.
package enum HTMLPage {
    /// Text as HTML shows it, in elements and in quoted attributes. Controls and bidirectional overrides are gone.
    package static func escaped(_ text: String) -> String { MarkupText.escaped(SafeText.line(text)) }

    /// - Parameters:
    ///   - title: plain text.
    ///   - style: CSS of this kind of page, behind that of all pages.
    ///   - sortsTables: tables of the class `sortable` can be sorted by their reader, see ``SortingScript``.
    ///   - language: the code of that in which it is written; nil: it is that of its reader.
    ///   - showsPicture: pictures stand in it.
    ///   - body: HTML.
    package static func page(
        title: String, style: String = "", sortsTables: Bool = false, language: String? = nil,
        showsPicture: Bool = false, body: String
    ) -> String {
        let scripts = sortsTables ? "; script-src '\(SortingScript.source)'" : ""
        let pictures = showsPicture ? "; img-src data:" : ""
        let spoken = Language.spoken
        let direction = spoken.direction == .rightToLeft ? " dir=\"rtl\"" : ""
        let script = sortsTables ? "<script>\(SortingScript.text)</script>\n" : ""
        return """
            <!DOCTYPE html>
            <html lang="\(escaped(language ?? spoken.code))"\(direction)>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'\(pictures)\(scripts); \
            base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <title>\(escaped(title))</title>
            <style>
            \(self.style)\(style.isEmpty ? "" : "\n" + style)\(direction.isEmpty ? "" : styleFromTheRight)\(orientation(of: body))
            </style>
            </head>
            <body>
            <main>
            \(body)
            </main>
            \(script)</body>
            </html>

            """
    }
}
