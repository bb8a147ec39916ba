import Circulation
import Desk
import Foundation
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
    let zone: Zone
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
                try post.send(
                    id: id, date: run.endedAt ?? run.plannedAt, subject: letter.subject, text: letter.text,
                    attached: letter.attached)
            } catch {
                return .failed("The mail did not go out: \(error.message)", isFinal: error.isFinal)
            }
            return .sent("Mailed to \(to.joined(separator: ", ")).")
        } catch {
            let failure = CommandFailure(error)
            return .failed(failure.words, isFinal: failure.code == "no_report")
        }
    }

    private struct Letter {
        var subject: String
        var text: String
        var attached: MailMessage.Attachment?
    }

    private func letter(_ job: ScheduledJob, _ run: JobRun) throws -> Letter {
        let zone = job.zone(of: zone)
        let moment = ScheduleWords.local(run.plannedAt, zone)
        let head = "\(job.name), planned for \(moment) (\(zone))."
        let said = Self.lastLines(of: run.output)
        let foot = "'moonshelf schedule log --show \(run.id)' tells all about it."
        guard run.state == .succeeded else {
            var lines = [head, "", "It failed: \(ScheduleWords.reason(run))"]
            if !said.isEmpty { lines += ["", "The last that it said:", "", said] }
            lines += ["", foot]
            return Letter(subject: "Failed: \(job.name), \(moment)", text: lines.joined(separator: "\n") + "\n")
        }
        var letter = Letter(subject: "\(job.name), \(moment)", text: "")
        var lines = [head, ""]
        if let report = run.report {
            let attached = try attachment(report)
            letter.attached = attached
            lines.append(
                attached.map { "Attached: \($0.name)" }
                    ?? "The report is too large for a mail; it is in \(report).")
        }
        if !said.isEmpty { lines += run.report == nil ? [said] : ["", said] }
        if run.report == nil && said.isEmpty { lines.append("It is done, and had nothing to say.") }
        letter.text = (lines + ["", foot]).joined(separator: "\n") + "\n"
        return letter
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
