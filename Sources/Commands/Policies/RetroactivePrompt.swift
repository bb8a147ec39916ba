import Circulation
import Desk
import Foundation
import TextFormats

/// Reports what a policy would change for earlier loans, and asks for confirmation.
struct RetroactivePrompt {
    private let effect: RetroactiveEffect
    private let currency: Currency

    /// - Throws: ``CommandFailure`` if the bundle is not a policy.
    init(_ bundle: PolicyBundle, _ desk: Desk, _ settings: LibrarySettings) throws {
        do {
            effect = try desk.read { try $0.policies.retroactiveEffect(of: bundle) }
        } catch let failure as PolicyFailure {
            throw CommandFailure(
                .refused, code: Refusal.Code.policyFailed, message: failure.message, file: failure.file,
                line: failure.line)
        }
        currency = settings.currency
    }

    /// - Parameter yes: goes on without asking.
    /// - Returns: the figures for a program.
    /// - Throws: ``CommandFailure`` with the code `not_confirmed` if the answer is not yes, or standard input is not a
    ///   terminal.
    func asked(_ console: Console, yes: Bool) throws -> JSON {
        console.note(words)
        if yes { return json }
        guard isatty(STDIN_FILENO) == 1 else { throw refused("Confirm it with --yes; nothing was changed.") }
        _ = console.error.write(Array("Let it decide about them? [y/N] ".utf8))
        let answer = readLine()?.lowercased().filter { !$0.isWhitespace }
        guard answer == "y" || answer == "yes" else { throw refused("Nothing was changed.") }
        return json
    }

    private func refused(_ message: String) -> CommandFailure {
        CommandFailure(.refused, code: "not_confirmed", message: message)
    }

    private var words: String {
        let loans = effect.loans == 1 ? "1 open loan" : "\(effect.loans) open loans"
        let fined =
            "\(effect.fined) of them the fine so far changes: \(money(effect.before)) before, \(money(effect.after)) after"
        let failed = effect.failed == 0 ? "" : " For \(effect.failed) a version fails; their fines are not counted."
        return "\(loans) would be decided by this version from then on. For \(fined).\(failed) No due date moves."
    }

    private var json: JSON {
        [
            "loans": .integer(effect.loans), "fined": .integer(effect.fined),
            "fees": ["before": .string(money(effect.before)), "after": .string(money(effect.after))],
            "failed": .integer(effect.failed),
        ]
    }

    private func money(_ minorUnits: Int64) -> String {
        Money(minorUnits: minorUnits, currency: currency).description
    }
}
