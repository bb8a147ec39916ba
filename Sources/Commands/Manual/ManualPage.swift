/// A page of the manual, made from what the argument parser declares.
struct ManualPage {
    /// The file, such as `moonshelf-policy.1`.
    let file: String
    let text: String

    /// The program's own page, and one for each of its commands with the subcommands that it has.
    static func all(of program: CommandDescription) -> [ManualPage] {
        [whole(program)] + program.subcommands.map { command($0, of: program) }
    }

    private static let everywhere = "Options of every command"

    private static func whole(_ program: CommandDescription) -> ManualPage {
        var page = begun(program.name, program.abstract)
        page.macro("Nm", program.name)
        synopsis(program.arguments.filter { $0.section == everywhere }, &page)
        page.line(["Ar", "command"])
        page.line(["Op", "Ar", "argument", "..."])
        page.macro("Sh", "DESCRIPTION")
        page.text(program.discussion)
        page.macro("Pp")
        page.text("The commands are:")
        page.macro("Bl", "-tag", "-width", "restore")
        for command in program.subcommands {
            page.macro("It", "Ic", command.name)
            page.text(command.abstract)
            page.text("See")
            page.line(["Xr", "\(program.name)-\(command.name)", "1", "."])
        }
        page.macro("El")
        page.macro("Pp")
        page.text("These options stand before the command or after it:")
        options(program.arguments, &page)
        ManualSections.environment(&page)
        ManualSections.files(&page)
        ManualSections.status(&page)
        ManualSections.examples(&page)
        page.macro("Sh", "SEE ALSO")
        for (index, command) in program.subcommands.sorted(by: { $0.name < $1.name }).enumerated() {
            let isLast = index == program.subcommands.count - 1
            page.line(["Xr", "\(program.name)-\(command.name)", "1"] + (isLast ? [] : [","]))
        }
        return ManualPage(file: "\(program.name).1", text: page.whole)
    }

    private static func command(_ command: CommandDescription, of program: CommandDescription) -> ManualPage {
        let name = "\(program.name)-\(command.name)"
        var page = begun(name, command.abstract)
        let family = command.subcommands.isEmpty ? [command] : command.subcommands
        let prefix = command.subcommands.isEmpty ? program.name : "\(program.name) \(command.name)"
        for member in family {
            page.line(["Nm", ManualText.argument("\(prefix) \(member.name)")])
            synopsis(member.arguments.filter { $0.section != everywhere && !isGeneral($0) }, &page)
        }
        page.macro("Sh", "DESCRIPTION")
        page.text(command.abstract)
        if !command.discussion.isEmpty {
            page.macro("Pp")
            page.text(command.discussion)
        }
        for member in family {
            if !command.subcommands.isEmpty {
                page.macro("Ss", "\(prefix) \(member.name)")
                page.text(member.abstract)
                if !member.discussion.isEmpty {
                    page.macro("Pp")
                    page.text(member.discussion)
                }
            }
            options(member.arguments.filter { $0.section != everywhere && !isGeneral($0) }, &page)
        }
        page.macro("Pp")
        page.text("The options of every command, the exit status, the environment and the files stand in")
        page.line(["Xr", program.name, "1", "."])
        page.macro("Sh", "SEE ALSO")
        page.line(["Xr", program.name, "1"])
        return ManualPage(file: "\(name).1", text: page.whole)
    }

    /// What every command has beside the options of its own.
    private static func isGeneral(_ argument: CommandDescription.Argument) -> Bool {
        argument.names.contains("--help") || argument.names.contains("--version")
    }

    // MARK: - Parts

    private static func begun(_ name: String, _ abstract: String) -> ManualText {
        var page = ManualText()
        page.remark("Generated from the declaration of the commands by `moonshelf manual`.")
        page.macro("Dd", Version.date)
        page.macro("Dt", name.uppercased(), "1")
        page.macro("Os", "moonshelf \(Version.current)")
        page.macro("Sh", "NAME")
        page.macro("Nm", name)
        // Descriptions of pages are not sentences and have no full stop.
        page.macro("Nd", abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)
        page.macro("Sh", "SYNOPSIS")
        return page
    }

    private static func synopsis(_ arguments: [CommandDescription.Argument], _ page: inout ManualText) {
        for argument in arguments where argument.kind != .positional {
            page.line((argument.isOptional ? ["Op"] : []) + words(of: argument))
        }
        for argument in arguments where argument.kind == .positional {
            page.line((argument.isOptional ? ["Op"] : []) + words(of: argument))
        }
    }

    private static func words(of argument: CommandDescription.Argument) -> [String] {
        let value = ["Ar", ManualText.argument(argument.valueName)]
        let repeated = argument.isRepeating ? ["..."] : []
        switch argument.kind {
        case .positional: return value + repeated
        case .flag: return flags(argument)
        case .option: return flags(argument) + value
        }
    }

    /// `Fl` writes the first hyphen itself.
    private static func flags(_ argument: CommandDescription.Argument) -> [String] {
        argument.names.enumerated().flatMap { index, name in
            (index > 0 ? ["|"] : []) + ["Fl", String(name.dropFirst())]
        }
    }

    private static func options(_ arguments: [CommandDescription.Argument], _ page: inout ManualText) {
        guard !arguments.isEmpty else { return }
        page.macro("Bl", "-tag", "-width", "Ds")
        for argument in arguments {
            let repeated = argument.kind == .positional && argument.isRepeating ? ["..."] : []
            page.line(["It"] + words(of: argument).filter { $0 != "..." } + repeated)
            page.text(argument.abstract.isEmpty ? "\(argument.valueName)." : argument.abstract)
            if let standard = argument.standard, argument.kind == .option, !standard.isEmpty {
                page.text("Without it: \(standard).")
            }
        }
        page.macro("El")
    }
}
