import Circulation
import Foundation
import Outbound
import Secrets
import Server
import Storage
import Synchronization
import Threads

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
    private let post: @Sendable () throws -> DeliverySettings

    /// As many mails may be on their way at once.
    private static let mostMails = 20

    init(_ workplace: Workplace, isQuiet: Bool) {
        let lines = LineSink(workplace.console)
        out = { lines.print($0) }
        note = { lines.note($0) }
        self.isQuiet = isQuiet
        let (file, environment) = (Result { try workplace.configurationFile() }, workplace.environment)
        post = { try DeliverySettings(file.get(), environment: environment) }
    }

    /// From now on moments are shown in this zone.
    func use(_ zone: Zone) { state.withLock { $0.zone = zone } }

    func say(_ line: String) { out(line) }

    func access(_ line: String) { if !isQuiet { out(line) } }

    func fault(_ line: String) { note(line) }

    func send(_ mail: AccountMail) {
        let zone: Zone? = state.withLock { state in
            guard state.waiting < Self.mostMails else { return nil }
            state.waiting += 1
            return state.zone
        }
        guard let zone else { return fault("Too many mails wait to be sent; \(mail.what) was not.") }
        let isStarted = WorkerThread.detach { [self] in
            defer { state.withLock { $0.waiting -= 1 } }
            do {
                try send(mail, zone)
            } catch {
                fault(
                    "\(mail.what.prefix(1).uppercased() + mail.what.dropFirst()) was not sent: \(CommandFailure(error).words)"
                )
            }
        }
        guard !isStarted else { return }
        state.withLock { $0.waiting -= 1 }
        fault("The system grants no further thread; \(mail.what) was not sent.")
    }

    private func send(_ mail: AccountMail, _ zone: Zone) throws {
        let post = try post().mailNeeded(for: mail.what.prefix(1).uppercased() + mail.what.dropFirst())
        guard let id = MessageID(left: SecretToken(kind: "account").digest, right: "moonshelf") else { return }
        do throws(OutboundFailure) {
            try ReportPost(mail: post, to: [mail.to], isStopped: { StopSignals.ofCommand.signal != nil }).send(
                id: id, date: SystemClock().now(), subject: mail.subject, text: mail.text(zone), attached: nil)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension AccountMail {
    fileprivate var what: String {
        switch kind {
        case .reset: "a link to a new password"
        case .confirmation: "a link to confirm an e-mail address"
        case .addressChanged: "a word to the former e-mail address of an account"
        }
    }

    fileprivate var subject: String {
        switch kind {
        case .reset: "A new password"
        case .confirmation: "Your new e-mail address"
        case .addressChanged: "Your e-mail address was changed"
        }
    }

    fileprivate func text(_ zone: Zone) -> String {
        switch kind {
        case .reset(let link, let moment):
            """
            You, or another person, asked for a new password for the account \(patron.username).

            \(link)

            The link is good once, until \(ScheduleWords.local(moment, zone)) (\(zone)). If it was not you who asked, do \
            nothing: your password is what it was.

            """
        case .confirmation(let link, let moment):
            """
            You, or another person, want the library's mail for an account to go to this address.

            \(link)

            The link is good once, until \(ScheduleWords.local(moment, zone)) (\(zone)). If it was not you who asked, do \
            nothing: no mail will come here.

            """
        case .addressChanged:
            """
            The e-mail address of your account \(patron.username) at the library was changed; mail goes to another address \
            from now on. If it was not you who did so, tell the library at once.

            """
        }
    }
}
