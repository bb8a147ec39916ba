import Testing

@testable import Languages

@Suite("Languages")
struct LanguageTests {
    private func languages(_ body: String, standard: String? = nil) throws -> Languages {
        let head = "msgid \"\"\nmsgstr \"\"\n\"Language: nl\\n\"\n\"X-Name: Nederlands\\n\"\n\n"
        return try Languages(files: [("nl.po", head + body)], standard: standard)
    }

    private static let body = """
        msgid "{1} of {2} allowed loans{3} have been used."
        msgstr "Van de {2} uitleningen{3} zijn er {1} gebruikt."

        msgid "The patron owes {1}."
        msgstr "De gebruiker is {1} schuldig."

        msgid "The membership expired on {1}. It must be renewed first."
        msgstr "Het lidmaatschap eindigde op {1}."

        msgid "{1}.{2} {3}"
        msgstr "{3} {1},{2}"

        msgid "{1} {2} {3}"
        msgstr "{1} {2} {3}"

        msgid "December"
        msgstr "december"

        msgid "No loans are allowed."
        msgstr "Er mag niets worden geleend."

        """

    @Test("a sentence of the desk is recognized, and its values are put where the language wants them")
    func sentences() throws {
        let dutch = try #require(try languages(Self.body).language("nl"))
        #expect(dutch.sentence("No loans are allowed.") == "Er mag niets worden geleend.")
        #expect(
            dutch.sentence("3 of 5 allowed loans for films have been used.")
                == "Van de 5 uitleningen for films zijn er 3 gebruikt.")
        #expect(dutch.sentence("The patron owes 4.50 EUR.") == "De gebruiker is EUR 4,50 schuldig.")
        #expect(
            dutch.sentence(
                "The membership expired on 2026-12-24. It must be renewed "
                    + "first.") == "Het lidmaatschap eindigde op 24 december 2026.")
        #expect(dutch.sentence("Said by the library itself.") == "Said by the library itself.")
        // Names in it stay names, though the catalogue has such a word.
        #expect(dutch.sentence("The patron owes December.") == "De gebruiker is December schuldig.")
        #expect(
            dutch.sentence("The patron owes No loans are allowed..")
                == "De gebruiker is No loans are allowed. schuldig.")
        #expect(dutch.sentence("") == "")
        #expect(Language.english.sentence("The patron owes 4.50 EUR.") == "The patron owes 4.50 EUR.")
    }

    @Test("phrases are said with their values, also within each other")
    func phrases() throws {
        let dutch = try #require(try languages(Self.body).language("nl"))
        let who: Phrase = "The patron owes \("4.50 EUR")."
        #expect(dutch.text(of: who) == "De gebruiker is 4.50 EUR schuldig.")
        let (first, second): (Phrase, Phrase) = ("A \(1) ", "b \(2) \(3)")
        #expect((first + second).identifier == "A {1} b {2} {3}")
        #expect(Language.english.text(of: first + second) == "A 1 b 2 3")
        #expect(Language.english.text(of: "A \("{1}") {x}") == "A {1} {x}")
        Language.$spoken.withValue(dutch) { #expect(say("No loans are allowed.") == "Er mag niets worden geleend.") }
        #expect(say("No loans are allowed.") == "No loans are allowed.")
    }

    @Test("a library's catalogue changes single texts, English ones too, and adds a language")
    func own() throws {
        let english = "msgid \"\"\nmsgstr \"\"\n\"Language: en\\n\"\n\nmsgid \"Cart\"\nmsgstr \"Basket\"\n"
        let german = english.replacing("en\\n", with: "de\\n").replacing("Basket", with: "Tasche")
        let all = try Languages(files: [("en.po", english), ("de.po", german)], standard: "de")
        #expect(all.language("en")?.text(of: "Cart") == "Basket" && all.language("en")?.text(of: "Hold") == "Hold")
        #expect(all.standard.code == "de" && all.standard.text(of: "Cart") == "Tasche")
        #expect(all.standard.catalogue.count == Languages.shipped.language("de")?.catalogue.count)
        #expect(all.standard.name == "Deutsch")
        #expect(throws: CatalogueFile.Fault.self) { try Languages(files: [], standard: "tlh") }
    }

    @Test(
        "the language that a browser wants most is chosen",
        arguments: [
            ("de", "de"), ("de-AT", "de"), ("DE_ch", "de"), ("fr, it;q=0.5, de;q=0.7", "de"),
            ("it;q=0, en;q=0.1", "en"),
            ("fr", nil), ("", nil), ("*", "en"), ("de;q=x, it;q=0.3", "it"), ("de;q=9, it;q=1", "de"), (";;,,=", nil),
            (String(repeating: "fr,", count: 30) + "de", nil),
            ("de" + String(repeating: "-a", count: 5_000), nil),
        ] as [(String, String?)])
    func accepted(field: String, code: String?) {
        #expect(Languages.shipped.language(accepted: field)?.code == code)
    }

    @Test("who reads from the right has values that keep their own direction")
    func direction() throws {
        let arabic = try #require(Languages.shipped.language("ar"))
        #expect(arabic.direction == .rightToLeft)
        #expect(arabic.text(of: "A \("x") b") == "A \u{2068}x\u{2069} b")
        #expect(arabic.text(of: "A \("") b") == "A  b")
    }

    /// UAX #9: what is set apart is laid out by itself, so that the parts of a number would change places.
    @Test("digits that form one number stay together where lines run from the right")
    func numbers() throws {
        let arabic = try #require(Languages.shipped.language("ar"))
        #expect(arabic.amount("12.50 EUR") == "12.50 \u{2068}EUR\u{2069}")
        #expect(arabic.amount("-12.50 EUR") == "\u{200E}-12.50 \u{2068}EUR\u{2069}")
        #expect(arabic.text(of: "\("4").\("5") of 5") == "4.5 of 5")
        #expect(arabic.text(of: "\("-3") days") == "\u{200E}-3 days")
        #expect(
            arabic.text(of: "\("9-12") and \("-") and \("٣")") == "\u{2068}9-12\u{2069} and \u{2068}-\u{2069} "
                + "and \u{2068}٣\u{2069}")
    }

    @Test(
        "dates and amounts stand as the languages of the program write them",
        arguments: [
            ("de", "30. September 2028", "4,50 EUR"), ("it", "30 settembre 2028", "4,50 EUR"),
            ("ar", "30 سبتمبر 2028", "4.50 EUR"),
        ])
    func forms(code: String, date: String, amount: String) throws {
        let language = try #require(Languages.shipped.language(code))
        // Arabic keeps what is put in apart from what stands around it.
        func plain(_ text: String?) -> String? { text?.replacing(/[\u{2068}\u{2069}]/, with: "") }
        #expect(plain(language.date(year: 2028, month: 9, day: 30)) == date)
        #expect(plain(language.amount("4.50 EUR")) == amount)
    }
}
