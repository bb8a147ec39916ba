import ArgumentParser
import Foundation

/// `moonshelf schedule units`
struct ScheduleUnitsCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "units",
        abstract: "Write units for systemd: a service that watches, or a timer that runs each minute.",
        discussion: """
            Prints the service of 'schedule watch'; with --timer a service and a timer of 'schedule run'. With --folder they \
            are written there, such as /etc/systemd/system.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "A timer that starts 'schedule run' each minute, instead of a service.")
    var timer = false

    @Option(help: ArgumentHelp("The user that the units work as.", valueName: "NAME"))
    var user: String?

    @Option(help: ArgumentHelp("Where to write them.", valueName: "FOLDER"), completion: .directory)
    var folder: String?

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let units = try units(workplace)
        guard let folder else {
            for (place, unit) in units.enumerated() {
                workplace.console.print((place > 0 ? "\n" : "") + "# \(unit.name)\n\(unit.text)")
            }
            return .done
        }
        for unit in units {
            let path = URL(filePath: folder).appending(path: unit.name).path(percentEncoded: false)
            try WholeFile.write(unit.text + "\n", to: path, isPublic: true)
            workplace.console.print(path)
        }
        return .done
    }

    private func units(_ workplace: Workplace) throws -> [(name: String, text: String)] {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let file = workplace.configurationPath
        let home = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        let action = timer ? "run" : "watch"
        let name = timer ? "moonshelf-run" : "moonshelf-schedule"
        var service = [
            "[Unit]", "Description=Moonshelf: reports and chores that are due",
            "After=network.target postgresql.service", "",
            "[Service]", "Type=\(timer ? "oneshot" : "exec")",
            "ExecStart=\(Self.quoted(program)) --config \(Self.quoted(file)) schedule \(action)",
            "WorkingDirectory=\(Self.escaped(home))",
        ]
        if let user { service.append("User=\(user)") }
        if let store = try workplace.namedStore() {
            service.append("Environment=\(Self.quoted("MOONSHELF_STORE=" + store))")
        }
        service += ["KillMode=mixed", "NoNewPrivileges=yes", "PrivateTmp=yes"]
        guard timer else {
            // A job may take ten seconds to stop.
            service += [
                "Restart=on-failure", "RestartSec=5", "TimeoutStopSec=30", "", "[Install]",
                "WantedBy=multi-user.target",
            ]
            return [("\(name).service", service.joined(separator: "\n"))]
        }
        let clock = [
            "[Unit]", "Description=Moonshelf: look each minute for what is due", "", "[Timer]",
            "OnCalendar=*-*-* *:*:00",
            "AccuracySec=1s", "", "[Install]", "WantedBy=timers.target",
        ]
        return [
            ("\(name).service", service.joined(separator: "\n")), ("\(name).timer", clock.joined(separator: "\n")),
        ]
    }

    /// Each `%` of a unit is doubled, since it begins a specifier.
    private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }

    /// A word of a unit, in quotation marks where it needs them; `$` begins a variable there.
    private static func quoted(_ text: String) -> String {
        let safe = escaped(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "$$")
        return safe.contains { " ;'\"\\".contains($0) } ? "\"\(safe)\"" : safe
    }
}
