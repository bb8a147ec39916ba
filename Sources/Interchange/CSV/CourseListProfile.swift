import Circulation
import TextFormats

/// A university's list of the books of its courses, a row for each section and book.
struct CourseListProfile: TableProfile {
    static let name = "courses"
    static let columns = ["Dept", "Course num", "Title", "Author", "ISBN"]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("Dept", "Course num", "Title", "Author", "ISBN")
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let text = row.text("Title"), text != "-" else {
            row.reject("Title", "missing", "a title is required")
            return []
        }
        var title = CourseListProfile.title(from: text)
        if let author = row.text("Author"), author != "-" {
            if CourseListProfile.isEdition(author) {
                row.warn("Author", "no_author", "'\(author)' is an edition, no author; left out")
            } else {
                title.authors = [author]
            }
        }
        if row.text("ISBN") != "-" { title.isbn = row.isbn(["ISBN"]) }
        let department = row.text("Dept") ?? ""
        let number = row.text("Course num") ?? ""
        if let code = FieldText.nonBlank("\(department) \(number)") { title.courses = [Course(code: code)] }
        title.college = row.text("Dept")
        guard !row.isRejected else { return [] }
        return [.title(ImportedTitle(title: title, itemType: nil, mergesLists: true))]
    }

    /// Takes `Ed: 4 Th Yr: 2015` off the end of a title.
    static func title(from text: String) -> Title {
        var title = Title(title: text)
        var rest = text[...]
        if let range = rest.lastRange(of: " Yr:") {
            title.year = FieldText.nonBlank(String(rest[range.upperBound...])).flatMap(FieldText.year)
            rest = rest[..<range.lowerBound]
        }
        if let range = rest.lastRange(of: " Ed:") {
            let words = rest[range.upperBound...].split(separator: " ")
            title.edition = words.first.map(String.init)
            rest = rest[..<range.lowerBound]
        }
        title.title = FieldText.nonBlank(String(rest)) ?? text
        return title
    }

    /// Whether the author column holds an edition such as `4 Th Ed`.
    static func isEdition(_ text: String) -> Bool {
        let words = text.lowercased().split(separator: " ")
        guard words.last == "ed", let first = words.first else { return false }
        return Int(first) != nil
    }
}

extension Substring {
    /// The last place of `needle`, nil if it is not there.
    fileprivate func lastRange(of needle: String) -> Range<Index>? {
        var index = endIndex
        while index > startIndex {
            index = self.index(before: index)
            if self[index...].hasPrefix(needle) { return index..<self.index(index, offsetBy: needle.count) }
        }
        return nil
    }
}
