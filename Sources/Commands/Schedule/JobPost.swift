import Circulation
import Desk
import Foundation
import Languages
import Outbound
import Schedule
import Storage
import TextFormats
import Threads

/// Mails reports of jobs, and messages about failures.
struct JobPost: JobMailer {
    /// Read for each mail, since a mistake in the configuration may be corrected before the next attempt.
    let settings: @Sendable () throws -> DeliverySettings
    /// The library's.
    let languages: Languages
    let library: LibrarySettings
    /// Where jobs run.
    let folder: String

    func mail(_ job: ScheduledJob, _ mailing: JobMailing) async -> JobMail {
        let to = mailing.run.state == .succeeded ? job.mailTo : job.mailOnFailure
        guard !to.isEmpty else { return .none }
        // A mail server may take a minute; the threads of others are not to wait for it.
        return await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.detach { continuation.resume(returning: send(job, mailing, to)) }
            if !isStarted {
                continuation.resume(
                    returning: .failed("The mail did not go out: the system grants no further thread.", isFinal: false))
            }
        }
    }

    private func send(_ job: ScheduledJob, _ mailing: JobMailing, _ to: [String]) -> JobMail {
        let run = mailing.run
        do {
            let mail = try settings().mailNeeded(for: "Mail of a job")
            guard let id = MessageID(left: mailing.identity, right: "\(mailing.library.prefix(16)).moonshelf") else {
                return .failed("The library's id is none.", isFinal: true)
            }
            let letter = try letter(job, run)
            let post = ReportPost(mail: mail, to: to, isStopped: { StopSignals.ofCommand.signal != nil })
            do throws(OutboundFailure) {
                try post.send(letter, id: id, date: run.endedAt ?? run.plannedAt)
            } catch {
                return .failed("The mail did not go out: \(error.message)", isFinal: error.isFinal)
            }
            return .sent("Mailed to \(to.joined(separator: ", ")).")
        } catch {
            let failure = CommandFailure(error)
            return .failed(failure.words, isFinal: failure.code == "no_report")
        }
    }

    private func letter(_ job: ScheduledJob, _ run: JobRun) throws -> Letter {
        let letter = JobLetter(
            job: job, run: run, zone: job.zone(of: library.zone), library: library.name, language: languages.standard)
        let said = Self.lastLines(of: run.output)
        guard run.state == .succeeded else { return letter.failure(said: said) }
        guard let report = run.report else { return letter.success(.none, said: said) }
        return letter.success(try attachment(report).map { .attached($0) } ?? .tooLarge(report), said: said)
    }

    /// - Returns: nil if the file is too large.
    private func attachment(_ report: String) throws -> MailMessage.Attachment? {
        let url = URL(filePath: report, relativeTo: URL(filePath: folder))
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? NSNumber
        if let size, size.intValue > ReportPost.largest { return nil }
        guard let data = try? Data(contentsOf: url) else {
            throw CommandFailure(
                .cannotWrite, code: "no_report", message: "The report \(report) is not there any more.")
        }
        return ReportPost.attachment(report, data)
    }

    private static func lastLines(of output: String) -> String {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map {
            SafeText.line(String($0))
        }
        let last = lines.suffix(200).joined(separator: "\n")
        return last.trimmingCharacters(in: .newlines)
    }
}
