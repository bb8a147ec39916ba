import Circulation
import Foundation
import Outbound
import Secrets
import Server
import Storage
import Synchronization

/// Says what a server does, and sends the mails that it has to send.
final class ServingTeller: ServerTeller {
    private struct State {
        var zone = Zone.utc
        var waiting = 0
    }

    private let state = Mutex(State())
    private let out: @Sendable (String) -> Void
    private let note: @Sendable (String) -> Void
    private let isQuiet: Bool
    private let post: @Sendable () throws -> PostSettings

    /// As many mails may be on their way at once.
    private static let mostMails = 20

    init(_ workplace: Workplace, isQuiet: Bool) {
        let lines = LineSink(workplace.console)
        out = { lines.print($0) }
        note = { lines.note($0) }
        self.isQuiet = isQuiet
        let (file, environment) = (workplace.configurationOption, workplace.environment)
        post = { try PostSettings.read(file, environment: environment) }
    }

    /// From now on moments are told by these clocks.
    func use(_ zone: Zone) { state.withLock { $0.zone = zone } }

    func say(_ line: String) { out(line) }

    func access(_ line: String) { if !isQuiet { out(line) } }

    func fault(_ line: String) { note(line) }

    func sendReset(to patron: Patron, link: String, until moment: Instant) {
        let zone: Zone? = state.withLock { state in
            guard state.waiting < Self.mostMails else { return nil }
            state.waiting += 1
            return state.zone
        }
        guard let zone else { return fault("Too many mails wait to be sent; a link to a new password was not.") }
        Thread.detachNewThread { [self] in
            defer { state.withLock { $0.waiting -= 1 } }
            do {
                try send(patron, link, moment, zone)
            } catch {
                fault("A link to a new password was not sent: \(CommandFailure(error).words)")
            }
        }
    }

    private func send(_ patron: Patron, _ link: String, _ moment: Instant, _ zone: Zone) throws {
        guard let email = patron.email else { return }
        let mail = try post().mailNeeded(for: "A forgotten password")
        guard let id = MessageID(left: SecretToken(kind: "reset").digest, right: "moonshelf") else { return }
        let text = """
            Somebody, you perhaps, asked for a new password for the account \(patron.username).

            \(link)

            The link is good once, until \(ScheduleWords.local(moment, zone)) (\(zone)). If it was not you who asked, do \
            nothing: your password is what it was.

            """
        do throws(OutboundFailure) {
            try ReportPost(mail: mail, to: [email], isStopped: { StopSignals.ofCommand.signal != nil }).send(
                id: id, date: SystemClock().now(), subject: "A new password", text: text, attached: nil)
        } catch {
            throw CommandFailure(error)
        }
    }
}
