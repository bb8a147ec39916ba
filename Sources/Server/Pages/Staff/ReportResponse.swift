import Foundation
import TextFormats

/// A report as it goes to a browser: a document of its own, which may do nothing but be looked at.
enum ReportResponse {
    /// A page with charts.
    static func page(_ text: String) -> WebResponse {
        var answer = WebResponse(200, text: text, "text/html; charset=utf-8")
        answer.fields["Content-Security-Policy"] = contentPolicy(of: text)
        answer.fields["Referrer-Policy"] = "no-referrer"
        answer.fields["Cross-Origin-Opener-Policy"] = "same-origin"
        return answer
    }

    /// A table for a spreadsheet, kept as a file.
    static func sheet(_ text: String, name: String) -> WebResponse {
        var answer = WebResponse(200, text: text, "text/csv; charset=utf-8")
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        answer.fields["Content-Disposition"] = "attachment; filename=\"\(plain.isEmpty ? "report" : plain).csv\""
        return answer
    }

    /// Its one style and the one script that sorts its tables are named by their digests; it is of no origin, so that
    /// nothing in it can act in a user's name.
    static func contentPolicy(of text: String) -> String {
        let style = source(of: "style", in: text)
        let script = source(of: "script", in: text)
        // Text of the data is escaped: a picture is the library's sign.
        let pictures = text.contains("<img src=\"data:") ? "img-src data:; " : ""
        return
            "default-src 'none'; style-src \(style); script-src \(script); \(pictures)base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; sandbox allow-scripts"
    }

    /// How a policy of content names what stands in the first element of a kind. Text of the data is escaped, and
    /// begins none.
    private static func source(of element: String, in text: String) -> String {
        guard let start = text.range(of: "<\(element)>"),
            let end = text.range(of: "</\(element)>", range: start.upperBound..<text.endIndex)
        else { return "'none'" }
        return source(ofText: text[start.upperBound..<end.lowerBound])
    }

    /// How a policy of content names a text by its digest.
    static func source(ofText text: some StringProtocol) -> String {
        let digest = Array(SHA256.hexadecimal(of: text.utf8))
        let bytes = stride(from: 0, to: digest.count, by: 2).compactMap {
            UInt8(String(digest[$0...($0 + 1)]), radix: 16)
        }
        return "'sha256-\(Data(bytes).base64EncodedString())'"
    }
}
