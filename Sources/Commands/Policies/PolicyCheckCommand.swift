import ArgumentParser
import Circulation
import Desk
import LuaSyntax
import Reports
import TextFormats
import Workbench

/// `moonshelf policy check FILE...`
struct PolicyCheckCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read policies without running them, and say what is wrong.",
        discussion: """
            Each finding names file, line and column, and what to write instead. Scripts of the desk are checked for the \
            names and the capabilities that they use. Where a store is named, values that the library does not declare are \
            found too. Ends with 1 if there are errors.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Policy files.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var files: [String]

    @OptionGroup var output: CheckOutput

    var answersInJSON: Bool { output.answersInJSON }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let (currency, declared) = try known(in: workplace)
        let fields = try declared?.fields ?? workplace.knownFields()
        let checked = files.map {
            (
                $0,
                PolicyCheck.check(
                    file: $0, from: workplace.sources, currency: currency, declared: declared, fields: fields)
            )
        }
        return output.show(checked, on: workplace.console)
    }

    /// The currency and the codes of the library, if a store is named.
    private func known(in workplace: Workplace) throws -> (Currency, DeclaredValues?) {
        guard try workplace.namesStore() else { return (.eur, nil) }
        return try workplace.desk(.reading).read { session in
            (try session.settings.library().currency, try DeclaredValues(of: session))
        }
    }
}

extension DeclaredValues {
    /// The codes that the library of a store declares.
    init(of session: DeskSession) throws {
        let settings = session.settings
        self.init(
            categories: try settings.categories(), itemTypes: try settings.itemTypes(),
            branches: try settings.branches(), fields: try settings.customFields())
    }
}
