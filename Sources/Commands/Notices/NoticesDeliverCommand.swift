import ArgumentParser
import Circulation
import Desk
import Foundation
import Plugins
import Storage
import TextFormats

/// `moonshelf notices deliver`
struct NoticesDeliverCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliver",
        abstract: "Send the notices that wait: by "
            + NoticeChannel.sent.map(\.words).listed(by: "and") + ".",
        discussion: """
            The channels are set up in moonshelf.toml: \(DeliverySettings.channelTables); plugins bring others. Can be stopped or killed at any point, \
            run again, and run on several machines at once; a notice that was under way may arrive twice then, with \
            the same Message-ID. Ends with 69 if a channel is out of order, with 1 if something did not go out.
            """,
        aliases: ["send"])

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
    var limit: Int?

    @Flag(help: "Show what would be sent, and send nothing.")
    var dryRun = false

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if let limit, !(1...1_000_000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000000.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        dryRun ? try show(in: workplace) : try deliver(in: workplace)
    }

    private func deliver(in workplace: Workplace) throws -> ExitStatus {
        let settings = try workplace.deliverySettings()
        let clock = try workplace.clock()
        let stop = StopSignals.ofCommand
        StopSignals.listen(for: .command)
        let desk = try workplace.desk(.writing, clock: clock)
        let delivery = try PluginDelivery(
            NetworkDelivery(
                settings: settings, languages: try workplace.appearanceSettings().languages, clock: clock,
                isStopped: { stop.signal != nil }),
            of: workplace.plugins(desk), at: desk)
        let control = DeliveryControl(
            isStopped: { stop.signal != nil },
            // With a fixed clock, the limit per minute would never reset.
            wait: { clock is SystemClock && stop.wait($0) })
        let report = try desk.deliver(
            by: delivery, terms: DeliveryTerms(tries: settings.tries), limit: limit.map(Int64.init), control: control)
        let console = workplace.console
        if json { console.print(json: Self.json(report)) } else { Self.tell(report, console) }
        if let signal = stop.signal { return ExitStatus(signal: signal) }
        if !report.outOfOrder.isEmpty { return .unreachable }
        return report.givenUp + report.putOff > 0 || !report.notSetUp.isEmpty ? .refused : .done
    }

    /// A delivery without senders, so that nothing can be sent.
    private func show(in workplace: Workplace) throws -> ExitStatus {
        // Faults in the settings are reported now rather than at night.
        let settings = try workplace.deliverySettings()
        let (planned, quiet) = try workplace.desk(.reading).read { session in
            let planned = try session.notices.due(limit: limit ?? 1_000)
            var quiet: [String: Instant] = [:]
            for channel in Set(planned.map(\.notice.channel)) {
                quiet[channel] = try session.notices.quietUntil(settings.quietHours(of: channel))
            }
            return (planned, quiet)
        }
        let console = workplace.console
        if json {
            console.print(json: ["due": .array(planned.map(Self.json)), "quiet_until": Self.json(quiet)])
            return .done
        }
        for one in planned {
            let company = one.lead.map { " (in the message of \($0))" } ?? ""
            let what = one.fault.map { "would be given up: \($0.words)" } ?? one.notice.subject + company
            console.print(
                SafeText.line(
                    "\(one.notice.id)  \(one.notice.channel)  \(one.recipient.username)  \(what)"))
        }
        console.print("\(planned.count) due (shown only, nothing sent).")
        Self.tell(quiet, console)
        return .done
    }

    private static func tell(_ report: DeliveryReport, _ console: Console) {
        let together =
            report.messagesOfSeveral > 0
            ? " (\(report.sentTogether) of them in messages of several: \(report.messagesOfSeveral))" : ""
        console.print(
            "\(report.sent) sent\(together), \(report.putOff) put off, \(report.givenUp) given up, \(report.waiting) waiting"
                + (report.isStopped ? " (stopped)." : "."))
        for problem in report.problems {
            console.note(
                SafeText.line(
                    "notice \(problem.notice), \(problem.channel): \(problem.fault.words)"
                        + (problem.isGivenUp ? " Given up." : "")))
        }
        for (channel, words) in report.outOfOrder.sorted(by: { $0.key < $1.key }) {
            console.note(SafeText.line("The channel \(channel) is out of order: \(words)"))
        }
        tell(report.quiet, console)
        for (channel, count) in report.notSetUp.sorted(by: { $0.key < $1.key }) {
            let why = PluginPart(channel) == nil ? "moonshelf.toml does not set up" : "no plugin in force has"
            console.note(SafeText.line("\(count) wait for the channel \(channel), which \(why)."))
        }
    }

    private static func tell(_ quiet: [String: Instant], _ console: Console) {
        for (channel, end) in quiet.sorted(by: { $0.key < $1.key }) {
            console.note(SafeText.line("Quiet hours: nothing goes out by \(channel) before \(end)."))
        }
    }

    private static func json(_ quiet: [String: Instant]) -> JSON {
        .object(JSONObject(quiet) { .string($0.description) })
    }

    private static func json(_ report: DeliveryReport) -> JSON {
        [
            "sent": .integer(report.sent), "put_off": .integer(report.putOff), "given_up": .integer(report.givenUp),
            "sent_together": .integer(report.sentTogether), "messages_of_several": .integer(report.messagesOfSeveral),
            "waiting": .integer(report.waiting), "stopped": .bool(report.isStopped),
            "not_set_up": .object(JSONObject(report.notSetUp) { .integer($0) }),
            "out_of_order": .object(JSONObject(report.outOfOrder) { .string($0) }),
            "quiet_until": json(report.quiet),
            "problems": .array(
                report.problems.map { problem in
                    [
                        "notice": .integer(problem.notice), "channel": .string(problem.channel),
                        "code": .string(problem.fault.code), "message": .string(problem.fault.words),
                        "given_up": .bool(problem.isGivenUp),
                    ]
                }),
        ]
    }

    private static func json(_ planned: PlannedDelivery) -> JSON {
        [
            "notice": .integer(planned.notice.id), "channel": .string(planned.notice.channel),
            "patron": .string(planned.recipient.username), "subject": .string(planned.notice.subject),
            "in_message_of": planned.lead.map { .integer($0) } ?? .null,
            "tries": .integer(planned.notice.tries), "failure": planned.fault.map { .string($0.code) } ?? .null,
        ]
    }
}

extension JSONObject {
    /// The entries of a dictionary in the order of their keys.
    fileprivate init<Value>(_ values: [String: Value], _ json: (Value) -> JSON) {
        self.init()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { self[key] = json(value) }
    }
}
