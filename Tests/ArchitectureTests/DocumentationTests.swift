import Foundation
import Testing

/// What the Markdown files say of each other.
@Suite("Documentation")
struct DocumentationTests {
    static let root = LayerTests.root

    /// The files below some folders of the project with one of the extensions, by their paths from the root.
    static func files(in folders: [String], _ extensions: Set<String>) throws -> [String: String] {
        var found: [String: String] = [:]
        for folder in folders {
            let start = root.appending(path: folder)
            let files = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard extensions.contains(file.pathExtension) else { continue }
                let path = file.path(percentEncoded: false).dropFirst(root.path(percentEncoded: false).count)
                found[String(path.drop(while: { $0 == "/" }))] = try String(contentsOf: file, encoding: .utf8)
            }
        }
        return found
    }

    /// Every Markdown file of the project.
    static func pages() throws -> [String: MarkdownPage] {
        var texts = try files(in: ["docs", "data", "Sources", "Tests", "Conformance", "Torture", "Benchmarks"], ["md"])
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
        where name.hasSuffix(".md") {
            texts[name] = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        }
        return Dictionary(uniqueKeysWithValues: texts.map { ($0.key, MarkdownPage(path: $0.key, text: $0.value)) })
    }

    /// What is wrong with a link, nil if it leads to a file, and to a heading of it where it names one.
    static func fault(of link: MarkdownPage.Link, among pages: [String: MarkdownPage]) -> String? {
        if link.target.contains("://") || link.target.hasPrefix("mailto:") { return nil }
        let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var path = link.page.split(separator: "/").dropLast().map(String.init)
        if parts[0].isEmpty {
            path = link.page.split(separator: "/").map(String.init)
        } else {
            for component in parts[0].split(separator: "/").map(String.init) where component != "." {
                if component != ".." {
                    path.append(component)
                } else if path.popLast() == nil {
                    return "leaves the project"
                }
            }
        }
        let target = path.joined(separator: "/")
        guard FileManager.default.fileExists(atPath: root.appending(path: target).path(percentEncoded: false)) else {
            return "no such file"
        }
        if parts.count == 2, let page = pages[target], !page.anchors.contains(parts[1]) { return "no such heading" }
        return nil
    }

    @Test("every relative link of a Markdown file leads to a file and a heading that exist")
    func links() throws {
        let pages = try Self.pages()
        let links = pages.values.flatMap(\.links)
        #expect(links.count > 100)
        #expect(links.compactMap { link in Self.fault(of: link, among: pages).map { "\(link): \($0)" } } == [])
    }

    @Test(
        "a link to a file or a heading that does not exist is found",
        arguments: [
            ("docs/no.md", "no such file"), ("docs/repl.md#no", "no such heading"), ("#no", "no such heading"),
            ("../README.md", "leaves the project"), ("docs/repl.md#keys", nil), ("#title", nil),
            ("https://example.org/no", nil),
        ] as [(String, String?)])
    func brokenLinks(target: String, fault: String?) throws {
        let text = "# Title\n\n```\n[code](no)\n```\n`[code](no)` and [text](\(target))"
        let page = MarkdownPage(path: "README.md", text: text)
        var pages = try Self.pages()
        pages["README.md"] = page
        let link = try #require(page.links.first)
        #expect(page.links.count == 1 && link.line == 6)
        #expect(Self.fault(of: link, among: pages) == fault)
    }

    @Test(
        "headings have the anchors that viewers give them",
        arguments: [
            ("# The Lua API", "the-lua-api"), ("## `case.patron.blocks[]`", "casepatronblocks"),
            ("### GET_BOOKS, GET_BOOK", "get_books-get_book"),
            ("## Once, on any number of machines", "once-on-any-number-of-machines"),
        ])
    func anchors(heading: String, anchor: String) {
        #expect(MarkdownPage(path: "X.md", text: heading).anchors == [anchor])
    }

    @Test("docs/README.md lists every page of docs/ once")
    func index() throws {
        let pages = try Self.pages()
        let index = try #require(pages["docs/README.md"])
        let listed = index.links.map(\.target)
        let expected = pages.keys.filter { $0.hasPrefix("docs/") && $0 != "docs/README.md" }
            .map { String($0.dropFirst("docs/".count)) }
        for page in expected.sorted() {
            #expect(listed.filter { $0 == page }.count == 1, "\(page)")
        }
    }

    @Test("a page of docs/ that a text or a source names exists")
    func names() throws {
        var texts = try Self.files(
            in: ["docs", "data", "policies", "scripts", "Sources", "Tests", "Conformance", "Torture", "Benchmarks"],
            ["md", "swift", "lua", "c", "h", "mustache", "txt"])
        for name in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Package.swift"] {
            texts[name] = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
        }
        // These are examples of broken links.
        texts["Tests/ArchitectureTests/DocumentationTests.swift"] = nil
        var missing: [String] = []
        for (file, text) in texts where text.contains("docs/") {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                for match in line.matches(of: /docs\/[A-Za-z0-9\/_-]+\.(md|lua)/) {
                    let path = Self.root.appending(path: String(match.output.0)).path(percentEncoded: false)
                    if !FileManager.default.fileExists(atPath: path) {
                        missing.append("\(file):\(index + 1): \(match.output.0)")
                    }
                }
            }
        }
        #expect(missing.sorted() == [])
    }

    @Test("CONTRIBUTING.md names files and folders that exist")
    func namedFiles() throws {
        let text = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let files = try Self.files(in: ["Sources", "Tests"], ["swift"]).keys
        let names = Set(files.compactMap { $0.split(separator: "/").last.map(String.init) })
        let paths = text.matches(of: /`([A-Za-z0-9+*\/]+(?:\.swift|\/))`|`((?:Sources|Tests)\/[A-Za-z0-9+\/]+)`/)
            .compactMap { ($0.output.1 ?? $0.output.2).map(String.init) }
        #expect(paths.count > 30)
        let missing = paths.filter { path in
            if path.contains("*") {
                // `CaseMaker+*.swift` is any of the files that begin and end so.
                let ends = path.split(separator: "*", omittingEmptySubsequences: false)
                guard let first = ends.first?.split(separator: "/").last, let last = ends.last else { return true }
                return !names.contains { $0.hasPrefix(first) && $0.hasSuffix(last) }
            }
            if path.hasSuffix("+VersionN.swift") || names.contains(path) { return false }
            return !FileManager.default.fileExists(atPath: Self.root.appending(path: path).path(percentEncoded: false))
        }
        #expect(missing == [])
    }

    @Test("README.md has 900 to 1,100 words")
    func length() throws {
        let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect((900...1_100).contains(text.split(whereSeparator: \.isWhitespace).count))
    }
}
