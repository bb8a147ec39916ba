import Circulation
import Testing

@testable import Languages

@Suite("Catalogue files")
struct CatalogueFileTests {
    private static let head = """
        # A translator's remark.
        msgid ""
        msgstr ""
        "Language: fr\\n"
        "X-Name: Français\\n"
        "Plural-Forms: nplurals=2; plural=n > 1;\\n"


        """

    @Test("texts, forms, escapes and long texts are read; what is uncertain or empty is not used")
    func reading() throws {
        let file = try CatalogueFile(
            Self.head + """
                #: somewhere.swift
                msgid "Renew"
                msgstr "Prolonger"

                msgid "{1} copy"
                msgid_plural "{1} copies"
                msgstr[0] "{1} exemplaire"
                msgstr[1] "{1} exemplaires"

                msgid ""
                "Say \\"yes\\" "
                "or \\\\no\\n"
                msgstr "Dites \\"oui\\" ou \\\\non\\n"

                #, fuzzy
                msgid "Hold"
                msgstr "Tenir"

                msgid "Loan"
                msgstr ""

                #~ msgid "Former"
                #~ msgstr "Ancien"

                """, file: "fr.po")
        #expect(file.head["X-Name"] == "Français" && file.entries.count == 5)
        #expect(file.entries[2].identifier == "Say \"yes\" or \\no\n" && file.entries[3].isFuzzy)
        let catalogue = try MessageCatalogue(file, name: "fr.po")
        let french = Language(code: "fr", name: "Français", catalogue: catalogue)
        #expect(french.text(of: "Renew") == "Prolonger" && french.text(of: "Hold") == "Hold")
        #expect(french.text(of: "Loan") == "Loan" && french.text(of: "Former") == "Former")
        #expect(
            [0, 1, 2].map { french.text(of: .count($0, "copy", "copies")) } == [
                "0 exemplaire", "1 exemplaire", "2 exemplaires",
            ])
    }

    @Test(
        "a file at fault is refused with the line",
        arguments: [
            ("msgid \"a\"\n", "the msgid of line 8 has no msgstr"),
            ("msgstr \"a\"\n", "the forms of msgstr follow msgid, counted from 0"),
            ("msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n", "this msgid stands in line 8 already"),
            ("msgid a\nmsgstr \"b\"\n", "a text stands between two quotation marks \""),
            ("msgid \"a\nmsgstr \"b\"\n", "a text stands between two quotation marks \""),
            ("msgid \"a\\q\"\nmsgstr \"b\"\n", "\\q is none of \\n, \\t, \\\\ and \\\""),
            ("msgid \"a\"\nmsgstr[1] \"b\"\n", "the forms of msgstr follow msgid, counted from 0"),
            ("msgid \"a\"\nmsgstr[x] \"b\"\n", "msgstr has a number from 0 to 9 in brackets"),
            ("msgctxt \"a\"\n", "\"msgctxt\" is none of msgid, msgid_plural, msgstr, \"…\" and #"),
            ("msgid \"{1} of {2}\"\nmsgstr \"{1}\"\n", "{2} is missing"),
            ("msgid \"a\"\nmsgstr \"a {1}\"\n", "the English text has no {1}"),
            ("msgid \"<1>a</1> b\"\nmsgstr \"</1>a<1> b\"\n", "</1> stands before its <1>, or across another"),
            (
                "msgid \"{1} a\"\nmsgid_plural \"{1} b\"\nmsgstr[0] \"{1}\"\n",
                "1 forms of msgstr, where Plural-Forms and msgid ask for 2"
            ),
        ])
    func faults(text: String, message: String) {
        do {
            _ = try Languages(files: [("fr.po", Self.head + text)], standard: nil)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.message == message && error.file == "fr.po" && error.line >= 8, "\(error)")
        }
    }

    @Test("a file without a language, with another direction or a rule that is none is refused")
    func heads() {
        for (head, words) in [
            ("", "the head has no Language"), ("\"Language: ../x\\n\"", "the head has no Language"),
            ("\"Language: fa\\n\"\n\"X-Direction: up\\n\"", "X-Direction is ltr or rtl"),
            ("\"Language: fa\\n\"\n\"Plural-Forms: many\\n\"", "Plural-Forms is not of the form"),
        ] {
            do {
                _ = try Languages(files: [("fa.po", "msgid \"\"\nmsgstr \"\"\n\(head)\n")], standard: nil)
                Issue.record("\(head) was taken")
            } catch {
                #expect(error.message.hasPrefix(words), "\(error)")
            }
        }
    }

    @Test("random bytes are refused or read, and nothing else happens")
    func fuzzed() {
        var chance = SeededGenerator(seed: 23)
        let whole = Self.head + "msgid \"{1} copy\"\nmsgid_plural \"{1} copies\"\nmsgstr[0] \"<1>\"\nmsgstr[1] \"b\"\n"
        for _ in 0..<300 {
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                _ = try Languages(files: [("x.po", text)], standard: nil)
            } catch {
                #expect(error.line > 0 && !error.message.isEmpty)
            }
        }
    }
}
