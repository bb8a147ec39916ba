import Foundation
import Testing

@testable import Languages
@testable import Server

/// The catalogues of the program say all that its pages say.
@Suite("Catalogues")
struct CatalogueTests {
    private static let folder = PhraseCollection.sources.appending(path: "Languages/Catalogues")

    @Test("The template for translators has the texts of the sources; MOONSHELF_WRITE=1 writes it again")
    func template() throws {
        let file = Self.folder.appending(path: "moonshelf.pot")
        let wanted = try PhraseCollection.template()
        if ProcessInfo.processInfo.environment["MOONSHELF_WRITE"] == "1" {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == wanted)
    }

    @Test("No text begins in the middle of a sentence: languages order its parts otherwise")
    func whole() throws {
        let fragments = try PhraseCollection.all().flatMap(\.phrases).map(\.identifier).filter { text in
            text.first.map { " ,;:.)".contains($0) } ?? true
        }
        // Behind a row of stars.
        #expect(fragments == [", by {patron}"])
    }

    @Test("Each language translates every text, and keeps what is filled in", arguments: ["ar", "de", "it"])
    func complete(code: String) throws {
        let language = try #require(Languages.shipped.language(code))
        let missing = try PhraseCollection.all().flatMap(\.phrases).map(\.identifier)
            .filter { !language.catalogue.has($0) }
        #expect(missing.isEmpty, "\(code).po lacks \(missing.count), the first: \(missing.prefix(3))")
    }
}
