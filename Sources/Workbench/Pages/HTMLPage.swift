import Circulation

/// A page of its own: no script, nothing loaded from elsewhere, fit for printing.
package enum HTMLPage {
    /// Text as HTML shows it, in elements and in quoted attributes. Controls and bidirectional overrides are gone.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for character in TextFolding.terminalSafe(text) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    /// - Parameters:
    ///   - title: plain text.
    ///   - style: the page's CSS, if it is not that of explanations and matrices.
    ///   - body: HTML.
    package static func page(title: String, style: String? = nil, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(escaped(title))</title>
        <style>
        \(style ?? Self.style)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    private static let style = """
        :root { color-scheme: light; --line: #d4d8de; --soft: #5b6573; --mark: #fff3c4; }
        body { font: 15px/1.45 system-ui, sans-serif; color: #1c2430; margin: 1.5rem auto; max-width: 86rem;
               padding: 0 1rem; }
        h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
        h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
        p { margin: .3rem 0; }
        .soft { color: var(--soft); }
        .answer { font-size: 1.1rem; padding: .6rem .8rem; border-left: .35rem solid #2b7a3d; background: #eef7f0; }
        .answer.no { border-color: #b3261e; background: #fdf0ef; }
        .answer.ask { border-color: #a86500; background: #fff7e8; }
        .columns { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
        .columns > * { flex: 1 1 34rem; min-width: 0; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line); }
        th { background: #f2f4f7; position: sticky; top: 0; }
        td > div + div { margin-top: .35rem; }
        .wide { overflow-x: auto; }
        .wide td, .wide th { white-space: nowrap; }
        .source { font: 13px/1.5 ui-monospace, monospace; border: 1px solid var(--line); overflow-x: auto; }
        .source > div { white-space: pre; padding: 0 .6rem 0 0; }
        .source .number { display: inline-block; width: 3.2rem; padding-right: .7rem; text-align: right;
                          color: var(--soft); user-select: none; }
        .source .ran { background: var(--mark); }
        .source .won { background: #d9efdf; }
        .source .passed { background: #eef0f3; }
        .source .says { padding-left: 4.4rem; color: #6b4a00; white-space: pre-wrap; }
        .legend span { padding: 0 .4rem; margin-right: .6rem; }
        .legend { margin: .6rem 0; }
        @media print { body { max-width: none; margin: 0; } th { position: static; } }
        """
}
