import ArgumentParser
import Desk
import Scripting
import Workbench

/// `moonshelf api [NAME]`
struct APICommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "api", abstract: "Print the Lua API, or what is known about one name.")

    /// The formats of the whole API.
    enum Page: String, EnumerableFlag {
        case text, markdown, luacats, luacheck, policies, roles, json

        static func help(for value: Page) -> ArgumentHelp? {
            switch value {
            case .text: "As text."
            case .markdown: "As Markdown, the source of docs/lua-api.md."
            case .luacats: "As annotations for the Lua language server, the source of docs/moonshelf.lua."
            case .luacheck: "As a configuration of luacheck: .luacheckrc."
            case .policies: "The language of policies, as Markdown."
            case .roles: "Who may ask the desk for what, as Markdown."
            case .json: "As JSON."
            }
        }
    }

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "A function, a module, a type of record, an event, or a name of the language of policies.",
            valueName: "NAME"),
        completion: .list(
            LuaAPI.modules.map(\.name).filter { !$0.isEmpty } + LuaAPI.functions.map(\.fullName)
                + EventDeclaration.all.map(\.name) + PolicyReference.names(testWords: PolicyTestWord.all)))
    var name: String?

    @Flag(exclusivity: .exclusive) var page: Page = .text

    @Flag(help: "The events instead: as text, with --markdown (the source of docs/events.md) or as --json.")
    var events = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let api = LibraryAPI(try workplace.knownFields())
        if let name {
            let words = PolicyTestWord.all
            let parts = [HelpText.about(name, in: api), PolicyReference.about(name, testWords: words)].compactMap { $0 }
            guard !parts.isEmpty else {
                throw CommandFailure.usage(
                    HelpText.unknown(name, others: PolicyReference.names(testWords: words)))
            }
            workplace.console.print(parts.joined(separator: "\n\n"))
            return .done
        }
        if events {
            workplace.console.write(try eventPage())
            return .done
        }
        let text =
            switch page {
            case .text: APIReferencePage.text.render(api: api)
            case .markdown: APIReferencePage.markdown.render(api: api)
            case .luacats: APIReferencePage.luacats.render(testWords: PolicyTestWord.all, api: api)
            case .luacheck: APIReferencePage.luacheck.render(testNames: PolicyTestWord.paths)
            case .policies: PolicyReference.markdown()
            case .roles: RoleTable.page()
            case .json: APIReferencePage.json.render(api: api)
            }
        workplace.console.write(text)
        return .done
    }

    private func eventPage() throws -> String {
        switch page {
        case .text: EventPages.text()
        case .markdown: EventPages.markdown()
        case .json: EventPages.json()
        case .luacats, .luacheck, .policies, .roles:
            throw CommandFailure.usage("--events goes with --markdown or --json, or stands alone")
        }
    }
}
