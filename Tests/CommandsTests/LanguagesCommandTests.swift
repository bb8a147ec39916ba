import Foundation
import Testing

@Suite("moonshelf languages")
struct LanguagesCommandTests {
    private static let dutch = """
        msgid ""
        msgstr ""
        "Language: nl\\n"
        "X-Name: Nederlands\\n"

        msgid "Cart"
        msgstr "Mand"

        """

    @Test("languages are listed with how much they translate, those of the library's folder among them")
    func listed() throws {
        let folder = try TemporaryFolder()
        let command = folder.command
        #expect(try command.run(["languages"]).output.contains("de  Deutsch"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "pages"), withIntermediateDirectories: true)
        try folder.write(Self.dutch, to: "pages/nl.po")
        try folder.write("[pages]\nlanguage = \"nl\"\nfolder = \"pages\"\n", to: "moonshelf.toml")
        let listed = try command.run(["languages"])
        #expect(listed.status == 0 && listed.output.contains("nl  Nederlands  1 of "))
        #expect(listed.output.contains("texts  (the standard)"))
        let json = try command.run(["languages", "--json"]).output
        #expect(json.contains("\"code\":\"nl\"") && json.contains("\"direction\":\"rtl\""))
    }

    @Test("the template is a catalogue that lacks everything, and a filled one is checked by line")
    func checked() throws {
        let folder = try TemporaryFolder()
        let command = folder.command
        let template = try command.run(["languages", "--template"])
        #expect(template.status == 0 && template.output.contains("msgid \"Cart\"\nmsgstr \"\""))
        try folder.write(template.output, to: "xx.po")
        let empty = try command.run(["languages", "--check", "xx.po"])
        #expect(empty.status == 1 && empty.output.contains("lacks \"Cart\""))
        try folder.write(Self.dutch + "\nmsgid \"Of {name}\"\nmsgstr \"Van {naam}\"\n", to: "nl.po")
        let wrong = try command.run(["languages", "--check", "nl.po"])
        #expect(wrong.status == 1 && wrong.output.contains("nl.po:9: the English text has no {naam}"), "\(wrong)")
        #expect(try command.run(["languages", "--check", "nowhere.po"]).status == 2)
    }

    @Test(
        "a server does not start with texts or looks at fault, and says where",
        arguments: [
            ("language = \"tlh\"", "there is no catalogue of the language \\\"tlh\\\""),
            ("folder = \"nowhere\"", "must be a folder"),
            ("colour = \"red\"", "colour"), ("folder = \"pages\"", "pages/nl.po:7"), ("language = 5", "must be a text"),
        ])
    func refused(line: String, words: String) throws {
        let folder = try TemporaryFolder()
        let command = folder.command
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "pages"), withIntermediateDirectories: true)
        try folder.write(Self.dutch.replacing("msgstr \"Mand\"", with: "msgstr Mand"), to: "pages/nl.po")
        #expect(try command.run(["init"]).status == 0)
        try folder.write("[pages]\n\(line)\n", to: "moonshelf.toml")
        let answer = try command.run(["serve", "--http", "127.0.0.1:0"])
        #expect(answer.status == 2 && answer.error.contains(words.replacing("\\\"", with: "\"")), "\(answer)")
    }
}
