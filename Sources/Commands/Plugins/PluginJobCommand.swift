import ArgumentParser
import Circulation
import Plugins
import Reports
import Scripting
import TextFormats

/// `moonshelf plugin job NAME`
struct PluginJobCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "job",
        abstract: "Run a job of a plugin now, as the schedule does when its time comes.",
        discussion: "'moonshelf schedule list' lists the jobs. What it does, it does as the plugin.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions
    @OptionGroup var settings: AnswerSettings

    @Argument(help: ArgumentHelp("The job, such as courier:list.", valueName: "NAME"))
    var name: String

    @Flag(help: "Answer in JSON, as --format json.")
    var json = false

    var answersInJSON: Bool { json || settings.format == .json }

    func validate() throws { try settings.check(json) }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = settings.answering(inJSON: json)
        let call = PluginCall(settings: settings, workplace: workplace)
        let desk = try call.desk()
        let jobs = try PluginCall.parts(of: .jobs, workplace, desk)
        guard let job = jobs.first(where: { $0.part.description == name }) else {
            let names = jobs.map(\.part.description)
            let hint = NameSuggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            throw CommandFailure(
                .refused, code: "unknown_job",
                message: "No plugin in force has a job '\(SafeText.line(name))'; "
                    + (hint ?? "'moonshelf schedule list' lists jobs."))
        }
        return try call.run(job.plugin, job.entry, of: name, at: desk) { $0.run(job.entry, isDryRun: settings.dryRun) }
    }
}
