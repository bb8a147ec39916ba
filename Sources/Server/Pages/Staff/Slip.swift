import Circulation
import TextFormats

/// A page to be printed on a strip of 80 mm or a sheet: a heading, lines with what stands beside them, and sums.
struct Slip {
    /// What stands in large type.
    var heading: String
    /// What it is.
    var about: String
    private var lines: [[String: Any]] = []
    private var sums: [[String: Any]] = []

    init(heading: String, about: String) {
        self.heading = heading
        self.about = about
    }

    /// A line; nothing where there is no value.
    mutating func add(_ label: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        lines.append(["label": label, "value": value])
    }

    mutating func sum(_ label: String, _ value: String) { sums.append(["label": label, "value": value]) }

    /// - Parameter back: the page that the browser shows next.
    func view(title: String, back: String, _ call: PageCall) -> PageView {
        PageView(
            template: "slip", title: title,
            fields: [
                "heading": heading, "about": about, "lines": lines, "sums": sums, "back": back,
                "library": PageWords.safe(call.library.name),
                "printedAt": call.words.moment(.string(call.now.description)) ?? [:],
            ])
    }
}
