import Circulation
import Foundation
import TextFormats

/// Asks for a password without showing it.
struct PasswordPrompt {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    /// - Throws: ``CommandFailure`` where there is none, or the second is another one.
    func ask(for username: String, twice: Bool) throws -> String {
        let name = SafeText.line(username)
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let password = try hidden("Password for \(name): ")
        if twice, try hidden("Once more: ") != password {
            throw CommandFailure.usage("The two passwords differ.")
        }
        return password
    }

    private func line() throws -> String {
        guard let line = readLine(), !line.isEmpty else {
            throw CommandFailure.usage("A password is expected as the first line of standard input.")
        }
        return line
    }

    private func hidden(_ words: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try line() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = console.error.write(Array(words.utf8))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            _ = console.error.write(Array("\n".utf8))
        }
        return try line()
    }
}
