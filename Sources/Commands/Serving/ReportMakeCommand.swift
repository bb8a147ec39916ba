import ArgumentParser
import Circulation
import Foundation
import Server

/// `moonshelf make-report`: a report that the server wants, made in this process, which ends with it.
struct ReportMakeCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-report", abstract: "Make a report for the server.", shouldDisplay: false)

    /// Where the server says what it wants.
    static let variable = "MOONSHELF_REPORT"

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard let text = workplace.environment[Self.variable],
            let order = try? JSONDecoder().decode(ReportRequest.self, from: Data(text.utf8))
        else { throw CommandFailure.usage("The server runs this; reports are made with 'moonshelf run'.") }
        Self.closeSockets()
        Self.limit(seconds: order.seconds)
        let reply = try order.made(at: workplace.desk(.reading), clock: workplace.clock()) {
            try workplace.appearanceSettings().appearance()
        }
        workplace.console.write(String(decoding: try JSONEncoder().encode(reply), as: UTF8.self))
        return .done
    }

    /// Of the server's connections none is a report's, should one have been handed down.
    private static func closeSockets() {
        for descriptor in STDERR_FILENO + 1..<1_024 {
            var facts = stat()
            if fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK { close(descriptor) }
        }
    }

    /// What a report's own limits let through ends this process, and no other.
    private static func limit(seconds: Int) {
        for (resource, most) in [
            // A crash must not write the process's memory to a core file.
            (RLIMIT_CORE, 0), (RLIMIT_AS, ReportProcess.addressSpace), (RLIMIT_CPU, seconds),
            (RLIMIT_FSIZE, ReportProcess.mostBytes),
        ] {
            var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
            setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
        }
        // The server ends it as well; this is for a report whose server is gone.
        alarm(UInt32(clamping: seconds + 5))
    }
}
