import ArgumentParser
import Foundation

/// `moonshelf manual FOLDER`, for packagers.
struct ManualCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the pages of the manual into a folder.", shouldDisplay: false)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("A folder that is there.", valueName: "FOLDER"), completion: .directory)
    var folder: String

    func perform(in workplace: Workplace) throws -> ExitStatus {
        for page in ManualPage.all(of: try CommandDescription.program()) {
            let file = URL(filePath: folder).appending(path: page.file)
            do {
                try Data(page.text.utf8).write(to: file)
            } catch {
                throw CommandFailure(
                    .cannotWrite, code: "cannot_write", message: "It cannot be written.",
                    file: file.path(percentEncoded: false))
            }
        }
        return .done
    }
}
