import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Plugins
import TextFormats
import Workbench

/// `moonshelf plugin new NAME`
struct PluginNewCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Begin a plugin: a folder with a plugin that works and its test.",
        discussion: "Nothing that is there is overwritten.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin's name: lower-case letters, digits and -.", valueName: "NAME"))
    var name: String

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let files = [
            (PluginFolder.mainName, Self.plugin.replacing("NAME", with: name)), (PluginFolder.testName, Self.tests),
        ]
        let main = PolicyBundle.File(name: files[0].0, source: files[0].1)
        if let fault = PluginCheck(PolicyBundle(sha256: "", files: [main])).report.findings.first {
            throw CommandFailure.usage("NAME: \(fault.message).")
        }
        let folder = URL(filePath: name, directoryHint: .isDirectory)
        for (file, _) in files {
            let path = folder.appending(path: file).path(percentEncoded: false)
            guard !FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure(
                    .refused, code: "exists", message: "It is there already; nothing was written.", file: path)
            }
        }
        let paths = try files.map { try PolicyNewCommand.write($1, to: "\(name)/\($0)") }
        if json {
            workplace.console.print(json: ["files": .array(paths.map { .string($0) })])
        } else {
            for path in paths { workplace.console.print(SafeText.line(path)) }
        }
        return .done
    }

    private static let plugin = """
        -- What this plugin does, in a sentence. `moonshelf plugin test NAME` runs its tests.
        return plugin {
            api = 1,
            name = "NAME",
            version = "1.0.0",
            description = "Tells borrowers until when a copy is theirs",
            -- What it may do, granted by the person who puts it into force.
            needs = { "notifications.write" },
            settings = {
                greeting = { type = "text", default = "Enjoy!", help = "the last line of the message" },
            },
            on = {
                -- After each loan: `moonshelf api --events` lists what there is, with its fields.
                ["loan.made"] = function(event)
                    notifications.send {
                        patron = event.patron,
                        subject = event.title.title,
                        body = "It is yours until " .. tostring(event.due_on) .. ". " .. settings.greeting,
                        key = "NAME " .. event.loan.id,
                    }
                end,
            },
        }

        """

    private static let tests = """
        test("who lends a copy is told until when", function()
            local library = desk { now = "2026-03-02", patrons = { ada = "patron" }, copies = { dune1 = "book" } }
            library.checkout("ada", "dune1")
            expect(outbox()[1].body, "It is yours until 2026-03-16. Enjoy!")
        end)

        test("the last line is the library's own", function()
            desk { patrons = { ada = "patron" }, settings = { greeting = "Bring it back." } }
            emit("loan.made", { patron = "ada", due_on = "2026-03-16" })
            expect(outbox()[1].body, "It is yours until 2026-03-16. Bring it back.")
        end)

        """
}
