import ArgumentParser
import Foundation
import Languages
import TextFormats

/// `moonshelf languages`
struct LanguagesCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "languages", abstract: "List the languages of pages and letters, and help to write another.",
        discussion: """
            Those that come with the program, and the catalogues of the folder that [pages] of moonshelf.toml names. \
            docs/languages.md says how a catalogue is written.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Print the catalogue of all texts without translations, to begin a language with.") var template = false
    @Option(
        help: ArgumentHelp(
            "Check a catalogue: faults by line, and the texts that it lacks. Ends with 1 if any are found.",
            valueName: "FILE"),
        completion: .file(extensions: ["po"]))
    var check: String?
    @Flag(help: "Answer in JSON.") var json = false

    var answersInJSON: Bool { json }

    func validate() throws {
        if template, check != nil || json { throw ValidationError("--template stands alone.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        if template {
            workplace.console.write(TranslationTemplate.text)
            return .done
        }
        if let check { return try perform(check: check, workplace.console) }
        let languages = try workplace.appearanceSettings().languages
        let all = TranslationTemplate.identifiers.count
        let rows = languages.all.map { language in
            (
                language,
                translated: language === Language.english
                    ? all : language.translated(of: TranslationTemplate.identifiers)
            )
        }
        if json {
            workplace.console.print(
                json: .object([
                    "languages": .array(
                        rows.map { language, translated in
                            [
                                "code": .string(language.code), "name": .string(language.name),
                                "direction": .string(language.direction.rawValue), "texts": .integer(Int64(all)),
                                "translated": .integer(Int64(translated)),
                                "standard": .bool(language === languages.standard),
                            ]
                        })
                ]))
            return .done
        }
        for (language, translated) in rows {
            let standard = language === languages.standard ? "  (the standard)" : ""
            workplace.console.print("\(language.code)  \(language.name)  \(translated) of \(all) texts\(standard)")
        }
        return .done
    }

    private func perform(check path: String, _ console: Console) throws -> ExitStatus {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.wrongUsage, code: "file", message: "The file cannot be read.", file: path)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.wrongUsage, code: "catalogue", message: "The catalogue is not UTF-8.", file: path)
        }
        var faults: [CatalogueFile.Fault] = []
        var missing: [String] = []
        do throws(CatalogueFile.Fault) {
            let language = try Language.alone(CatalogueFile(text, file: path), name: path)
            missing = TranslationTemplate.identifiers.filter { !language.translates($0) }
        } catch {
            faults = [error]
        }
        if json {
            console.print(
                json: .object([
                    "ok": .bool(faults.isEmpty && missing.isEmpty),
                    "faults": .array(
                        faults.map {
                            [
                                "file": .string($0.file), "line": .integer(Int64($0.line)),
                                "message": .string($0.message),
                            ]
                        }),
                    "missing": .array(missing.map { .string($0) }),
                ]))
        } else {
            for fault in faults { console.print("\(fault)") }
            for text in missing { console.print("lacks \(CatalogueFile.literal(text))") }
            if faults.isEmpty {
                console.print(
                    "\(TranslationTemplate.identifiers.count - missing.count) of \(TranslationTemplate.identifiers.count) texts."
                )
            }
        }
        return faults.isEmpty && missing.isEmpty ? .done : .refused
    }
}
