package import Circulation
import TextFormats

/// Something that the schedule has done again and again.
package struct ScheduledJob: Hashable, Sendable {
    /// What happens to moments at which no scheduler was running.
    package enum CatchUp: String, CaseIterable, Hashable, Sendable {
        /// They are passed over, unless they are over for less than five minutes.
        case skip
        /// The last of them is made up for.
        case once
        /// Each of them is made up for, in order, the latest hundred at most.
        case each
    }

    package var name: String
    package var timing: JobTiming
    /// nil: the library's.
    package var zone: Zone?
    package var catchUp: CatchUp
    /// What the program is started with, without the options that name store and configuration. `{date}` stands for the
    /// planned day, `{time}` for hour and minute.
    package var arguments: [String]
    /// The file that it writes, with the same places in it.
    package var report: String?
    /// How long it may take, in seconds.
    package var timeLimit: Int64
    /// How much processor time it may take, in seconds; nil: as much as it gets.
    package var processorLimit: Int64?
    /// How much address space it may have, and each process that it starts, in bytes.
    package var addressSpace: Int64 = standardAddressSpace
    /// To whom the report is mailed, with the file attached.
    package var mailTo: [String] = []
    /// Who gets a mail when it fails.
    package var mailOnFailure: [String] = []
    /// What will keep it from running unless it is mended.
    package var warning: String?

    package static let standardAddressSpace: Int64 = 4 << 30

    package init(
        name: String, timing: JobTiming, zone: Zone? = nil, catchUp: CatchUp = .once, arguments: [String],
        report: String? = nil, timeLimit: Int64 = 3_600
    ) {
        self.name = name
        self.timing = timing
        self.zone = zone
        self.catchUp = catchUp
        self.arguments = arguments
        self.report = report
        self.timeLimit = timeLimit
    }

    /// Identifies this definition of the job, in twelve digits: what was planned under another one is not run
    /// under this. The recipients of mail are not part of it.
    package var version: String {
        var parts = [timing.text, zone?.identifier ?? "", catchUp.rawValue, "\(timeLimit)"] + arguments
        if let processorLimit { parts.append("cpu_limit \(processorLimit)") }
        if addressSpace != Self.standardAddressSpace { parts.append("address_space \(addressSpace)") }
        return String(SHA256.hexadecimal(of: parts.joined(separator: "\0").utf8).prefix(12))
    }

    /// By whose clocks it runs: what its expression or itself says, else the library's.
    package func zone(of library: Zone) -> Zone {
        if case .cron(let expression) = timing, let own = expression.zone { return own }
        return zone ?? library
    }

    /// A text with the places filled for a planned moment.
    package static func filled(_ text: String, at planned: Instant, in zone: Zone) -> String {
        guard text.contains("{") else { return text }
        let (date, time) = zone.local(of: planned)
        let clock = [time.hour, time.minute].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: "-")
        return text.replacing("{date}", with: date.description).replacing("{time}", with: clock)
    }
}
