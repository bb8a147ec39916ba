import Circulation
import TextFormats

/// Reads what services say of books. Nothing of it is trusted: what has not the type it should have is not there, texts
/// lose their markup and control characters, addresses are http or https.
enum BookDataReader {
    private static let longestText = 10_000
    private static let longestName = 300
    private static let longestSubject = 100
    private static let mostSubjects = 20

    /// An answer to `volumes?q=isbn:`: of its volumes the one that has the ISBN.
    static func google(_ json: JSONObject, _ isbn: ISBN) -> BookData {
        for item in (json["items"]?.arrayValue ?? []).prefix(10) {
            guard let volume = item["volumeInfo"] else { continue }
            let numbers = (volume["industryIdentifiers"]?.arrayValue ?? []).prefix(10).compactMap {
                $0["identifier"]?.stringValue
            }
            guard numbers.contains(where: { (try? ISBN($0)) == isbn }) else { continue }
            let images = volume["imageLinks"]
            return BookData(
                description: text(volume["description"]),
                coverURL: address(images?["thumbnail"]) ?? address(images?["smallThumbnail"]),
                previewURL: address(item["accessInfo"]?["webReaderLink"]) ?? address(volume["previewLink"]),
                pages: pages(volume["pageCount"]), year: year(volume["publishedDate"]),
                subjects: subjects(volume["categories"]?.arrayValue ?? []), title: title(volume),
                authors: names(volume["authors"]?.arrayValue ?? []),
                publisher: text(volume["publisher"], longest: longestName), language: language(volume["language"]))
        }
        return BookData()
    }

    /// The book in an answer to `books?jscmd=data`.
    static func openLibrary(_ book: JSON) -> BookData {
        let cover = book["cover"]
        let preview = book["ebooks"]?.arrayValue?.first?["preview_url"]
        return BookData(
            description: text(book["description"]) ?? text(book["description"]?["value"]),
            coverURL: address(cover?["large"]) ?? address(cover?["medium"]) ?? address(cover?["small"]),
            previewURL: address(preview) ?? address(book["url"]), pages: pages(book["number_of_pages"]),
            year: year(book["publish_date"]),
            subjects: subjects((book["subjects"]?.arrayValue ?? []).prefix(mostSubjects).map { $0["name"] ?? $0 }),
            title: title(book), authors: names((book["authors"]?.arrayValue ?? []).map { $0["name"] ?? $0 }),
            publisher: names((book["publishers"]?.arrayValue ?? []).map { $0["name"] ?? $0 }).first)
    }

    // MARK: - Parts

    private static func text(_ json: JSON?, longest: Int = longestText) -> String? {
        guard let given = json?.stringValue else { return nil }
        let plain = OutboundText.line(PlainText.of(String(given.prefix(longest * 2))), limit: longest)
        let words = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    /// `Team of Rivals: The Political Genius of Abraham Lincoln`
    private static func title(_ book: JSON) -> String? {
        guard let title = text(book["title"], longest: longestName) else { return nil }
        return text(book["subtitle"], longest: longestName).map { "\(title): \($0)" } ?? title
    }

    private static func names(_ values: [JSON]) -> [String] {
        var names: [String] = []
        for value in values.prefix(mostSubjects) {
            if let name = text(value, longest: longestName), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// A code of two or three letters.
    private static func language(_ json: JSON?) -> String? {
        guard let code = json?.stringValue?.prefix(while: { $0 != "-" }).lowercased(),
            (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return nil }
        return code
    }

    private static func address(_ json: JSON?) -> String? {
        guard var text = json?.stringValue, text.utf8.count <= 2_000,
            !text.utf8.contains(where: { "\"'<>`".utf8.contains($0) })
        else { return nil }
        // Google still says http of what it serves by https.
        if text.hasPrefix("http://books.google.") { text = "https" + text.dropFirst(4) }
        let isSound = (try? WebAddress(text.prefix { $0 != "#" } + "")) != nil
        return isSound && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
    }

    private static func pages(_ json: JSON?) -> Int64? {
        json?.integerValue.flatMap { (1...100_000).contains($0) ? $0 : nil }
    }

    /// The first four digits in a row that are a year of printing.
    private static func year(_ json: JSON?) -> Int64? {
        guard let text = json?.stringValue?.prefix(40) else { return nil }
        return text.split { !$0.isASCII || !$0.isNumber }.compactMap { $0.count == 4 ? Int64($0) : nil }
            .first { (1_000...2_999).contains($0) }
    }

    private static func subjects(_ values: [JSON]) -> [String] {
        var subjects: [String] = []
        for value in values.prefix(mostSubjects) {
            if let subject = text(value, longest: longestSubject), !subjects.contains(subject) {
                subjects.append(subject)
            }
        }
        return subjects
    }
}

/// Text out of text with markup.
enum PlainText {
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "#39": "'",
    ]

    /// Without tags, and with the commonest entities as what they stand for.
    static func of(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let index = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            result += rest[..<index]
            let behind = rest[rest.index(after: index)...]
            if rest[index] == "<", let first = behind.first, first.isLetter || first == "/" || first == "!" {
                guard let end = behind.firstIndex(of: ">") else { return result }
                result += " "
                rest = behind[behind.index(after: end)...]
            } else if rest[index] == "&", let end = behind.prefix(8).firstIndex(of: ";"),
                let meant = entities[String(behind[..<end])]
            {
                result += meant
                rest = behind[behind.index(after: end)...]
            } else {
                result.append(rest[index])
                rest = behind
            }
        }
        return result + rest
    }
}
