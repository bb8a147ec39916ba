import Foundation

/// What a page's tables lack for readers who hear them.
package enum TableMarkup {
    /// Tables without a caption, and header cells without a scope, each by how it begins; none where all is well.
    package static func faults(in html: String) -> [String] {
        html.components(separatedBy: "<table").dropFirst().flatMap { rest -> [String] in
            let table = rest.components(separatedBy: "</table>")[0]
            let begin = "<table" + String(table.prefix(80))
            let inside = table.drop { $0 != ">" }.dropFirst().drop { $0.isWhitespace }
            let caption = inside.hasPrefix("<caption") ? inside.split(separator: ">", maxSplits: 1).last : nil
            let isNamed = caption.map { !$0.hasPrefix("</caption") } ?? false
            let heads = table.components(separatedBy: "<th").dropFirst().filter { !$0.hasPrefix("ead") }
            let unscoped = heads.filter { !$0.split(separator: ">")[0].contains("scope=\"") }
            return (isNamed ? [] : ["no caption: \(begin)"]) + unscoped.map { "no scope: <th\($0.prefix(60))" }
        }
    }
}
