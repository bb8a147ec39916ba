import Circulation
import Foundation
import Languages
import Outbound
import Secrets
import Server
import Storage
import Synchronization
import Threads

/// Says what a server does, and sends the mails that it has to send.
final class ServingTeller: ServerTeller {
    /// How many mails are on their way.
    private let waiting = Mutex(0)
    private let out: @Sendable (String) -> Void
    private let note: @Sendable (String) -> Void
    private let isQuiet: Bool
    private let post: @Sendable () throws -> DeliverySettings

    /// As many mails may be on their way at once.
    private static let mostMails = 20

    private let languages: Languages

    init(_ workplace: Workplace, languages: Languages, isQuiet: Bool) {
        self.languages = languages
        let lines = LineSink(workplace.console)
        out = { lines.print($0) }
        note = { lines.note($0) }
        self.isQuiet = isQuiet
        let (file, environment) = (Result { try workplace.configurationFile() }, workplace.environment)
        post = { try DeliverySettings(file.get(), environment: environment) }
    }

    func say(_ line: String) { out(line) }

    func access(_ line: String) { if !isQuiet { out(line) } }

    func fault(_ line: String) { note(line) }

    func send(_ mail: AccountMail) {
        let isTaken = waiting.withLock { waiting in
            guard waiting < Self.mostMails else { return false }
            waiting += 1
            return true
        }
        guard isTaken else { return fault("Too many mails wait to be sent; \(mail.what) was not.") }
        let isStarted = WorkerThread.detach { [self] in
            defer { waiting.withLock { $0 -= 1 } }
            do {
                try deliver(mail)
            } catch {
                fault(
                    "\(mail.what.prefix(1).uppercased() + mail.what.dropFirst()) was not sent: \(CommandFailure(error).words)"
                )
            }
        }
        guard !isStarted else { return }
        waiting.withLock { $0 -= 1 }
        fault("The system grants no further thread; \(mail.what) was not sent.")
    }

    private func deliver(_ mail: AccountMail) throws {
        let post = try post().mailNeeded(for: mail.what.prefix(1).uppercased() + mail.what.dropFirst())
        guard let id = MessageID(left: SecretToken(kind: "account").digest, right: "moonshelf") else { return }
        do throws(OutboundFailure) {
            try ReportPost(mail: post, to: [mail.to], isStopped: { StopSignals.ofCommand.signal != nil }).send(
                mail.letter(in: languages.spoken(to: mail.patron.language)), id: id, date: SystemClock().now())
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
}
