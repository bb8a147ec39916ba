import Circulation
package import Desk
package import Schedule
import TextFormats

extension ContributionKind {
    /// What the plugin has the schedule do again and again: `{ name = "list", cron = "0 7 * * *", run = function() ... end }`.
    ///
    /// `mail_to` and `mail_on_failure` name settings of the plugin, whose values are addresses: who puts it into force
    /// says who gets mail.
    package static let jobs = ContributionKind(
        "jobs", "a job", .list(named: "name"),
        ScheduledJob.timingKeys.map { Field($0, .text) } + mailKeys.map { Field($0, .text) }
            + [Field(run, .function, isRequired: true)],
        faults: { entry, manifest in
            var faults: [Fault] = []
            do throws(JobFault) {
                _ = try ScheduledJob(name: entry.name, text: entry.text)
            } catch {
                faults.append(Fault(error.key, "of a job: \(error.words)"))
            }
            if !PluginPart.isName(entry.name) {
                faults.append(Fault(nil, "the name of a job is lower-case letters, digits, - and _, such as \"list\""))
            }
            for key in mailKeys {
                guard let name = entry.text(key) else { continue }
                guard manifest.settings.contains(where: { $0.name == name && $0.kind == .text }) else {
                    faults.append(
                        Fault(key, "of a job names a setting of the type text, with the addresses as its value"))
                    continue
                }
            }
            return faults
        })

    fileprivate static let mailKeys = ["mail_to", "mail_on_failure"]
}

extension PluginPool {
    /// The jobs of the plugins in force.
    ///
    /// - Throws: what the store throws.
    package func jobs(in session: DeskSession) throws -> [ScheduledJob] {
        try active(in: session).flatMap { entry in
            entry.manifest.contributions(of: .jobs).compactMap { ScheduledJob($0, of: entry) }
        }
    }
}

extension ScheduledJob {
    /// A job of a plugin: the program is started with `plugin job NAME`. What it did is another job's if its times
    /// change, not if the plugin does.
    ///
    /// - Returns: nil where its times cannot be read: a plugin of another version of Moonshelf.
    fileprivate init?(_ entry: Contribution, of plugin: PluginPool.Entry) {
        let name = PluginPart(plugin: plugin.plugin.name, name: entry.name).description
        do {
            try self.init(name: name, arguments: ["plugin", "job", name], text: entry.text)
        } catch {
            return nil
        }
        let settings = plugin.manifest.settings.complete(plugin.plugin.settings)
        func addresses(_ key: String) -> [String] {
            let text = entry.text(key).flatMap { settings[$0]?.stringValue } ?? ""
            return text.split(separator: ",").map { String($0.trimmingPrefix(while: \.isWhitespace)) }
        }
        mailTo = addresses("mail_to")
        mailOnFailure = addresses("mail_on_failure")
    }
}
