import Circulation
import Languages
import Outbound
import Schedule
import TextFormats

/// What is mailed of a run of a job: its report, or that it failed.
struct JobLetter {
    /// What became of the report.
    enum Report {
        case attached(MailMessage.Attachment)
        /// The file is too large for a mail.
        case tooLarge(String)
        case none
    }

    let job: ScheduledJob
    let run: JobRun
    /// The clock by which the job was planned.
    let zone: Zone
    let library: String
    /// The library's.
    let language: Language

    private static let weekdays: [Weekday: Phrase] = [
        .monday: "Mon", .tuesday: "Tue", .wednesday: "Wed", .thursday: "Thu", .friday: "Fri", .saturday: "Sat",
        .sunday: "Sun",
    ]

    /// `Mon 2026-11-23 07:00`, as the log of the schedule has it.
    private var moment: String {
        let (date, time) = zone.local(of: run.plannedAt)
        let seconds = time.second == 0 ? 5 : 8
        let day = Self.weekdays[date.weekday].map(language.text) ?? ""
        return "\(day) \(date) \(time.description.prefix(seconds))"
    }

    private func text(_ phrase: Phrase) -> String { language.text(of: phrase) }

    private var head: [String] {
        let words: Phrase = "\(job.name), planned for \(moment) (\(zone))."
        return [text(words), ""]
    }

    private var foot: [String] {
        let words: Phrase = "For details, run 'moonshelf schedule log --show \(run.id)'."
        return ["", text(words)]
    }

    /// - Parameter said: the last lines that the job said.
    func failure(said: String) -> Letter {
        let subject: Phrase = "Failed: \(job.name), \(moment)"
        let why: Phrase = "It failed: \(language.sentence(ScheduleWords.reason(run)))"
        let last: Phrase = "Its last output:"
        return Letter(
            text(subject), of: library,
            lines: head + [text(why)] + (said.isEmpty ? [] : ["", text(last), "", said]) + foot, attached: nil)
    }

    /// - Parameter said: the last lines that the job said.
    func success(_ report: Report, said: String) -> Letter {
        var lines = head
        var file: MailMessage.Attachment?
        switch report {
        case .attached(let attached):
            file = attached
            lines.append(text(Self.attached(attached.name)))
        case .tooLarge(let path):
            let words: Phrase = "The report is too large for an e-mail; it is in \(path)."
            lines.append(text(words))
        case .none:
            let words: Phrase = "The job has finished without any output."
            if said.isEmpty { lines.append(text(words)) }
        }
        if !said.isEmpty { lines += lines.last == "" ? [said] : ["", said] }
        return Letter("\(job.name), \(moment)", of: library, lines: lines + foot, attached: file)
    }

    /// What stands before a report that comes as a file.
    static func attached(_ name: String) -> Phrase {
        let words: Phrase = "Attached: \(name)"
        return words
    }
}
