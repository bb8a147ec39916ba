import ArgumentParser
import Pictures

/// `moonshelf picture`: one picture that was uploaded, read in this process, which ends with it.
struct PictureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Write a picture from standard input anew.", shouldDisplay: false)

    @Option(help: "Try what the process may not do.")
    var attempt: String?

    func run() {
        if let attempt { PictureWork.attempt(attempt) }
        PictureWork.perform()
    }
}
