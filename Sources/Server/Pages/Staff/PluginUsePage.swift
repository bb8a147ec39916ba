import Circulation
import Desk
import Languages
import LuaSyntax
import Plugins
import Scripting
import TextFormats
import Workbench

/// Puts a plugin that comes with the program into force, for administrators: as `moonshelf plugin use` does, it is checked, its tests
/// are run and what it needs is granted.
enum PluginUsePage: PageGroup {
    static let pages = [
        // Tests run outside of any transaction, and not among what the desk does.
        Page(
            verb: .post, path: PluginsPage.path + "/{plugin}/use", access: .admin, work: .working(use),
            mayTakeLong: true, again: PluginsPage.view)
    ]

    /// So many tests that failed are listed.
    private static let mostTests = 20

    private static func use(_ call: PageCall) throws -> PageOutcome {
        guard let shipped = call.services.shippedPlugins.plugin(call.values[0]) else { throw Problem.notFound }
        let (bundle, manifest) = (shipped.bundle, shipped.manifest)
        let back = "\(PluginsPage.path)/\(call.value())"
        let before = try call.context.look { try $0.plugins.get(manifest.name) }
        // Rights are granted to what was looked at, and to nothing else.
        guard call.form["sha256"] == bundle.sha256 else {
            return refused(
                "changed", [say("The plugin's files have changed since this page was shown. Look at them again.")], back
            )
        }
        guard before?.sha256 != bundle.sha256 else {
            return refused("in_force", [say("This version is in force already.")], back)
        }
        let report = try ShippedPluginFields.check(shipped, call).report
        guard report.isOK else {
            return refused("check_failed", report.findings.filter { $0.severity == .error }.map(\.message), back)
        }
        let allowed = Set(
            manifest.needs.map(\.rawValue).filter { call.form[ShippedPluginFields.box($0)] != nil })
        let missing = manifest.needs.map(\.rawValue)
            .filter { !allowed.contains($0) && before?.rights.contains($0) != true }
        guard missing.isEmpty else {
            throw Problem.input(
                say("It needs all that it asks for; not granted: \(missing.joined(separator: ", "))."),
                argument: "rights")
        }
        let settings = try PluginSettingFields(settings: manifest.settings, kept: before?.settings ?? [:])
            .values(sentBy: call.form)
        if let failed = try failures(of: shipped) { return refused("tests_failed", failed, back) }
        // Sent twice at once it comes into force once: the other one was done while the tests ran.
        let done = PageOutcome.done(to: back, saying: say("\(PageWords.safe(manifest.name)) is in force."))
        if try call.context.look({ try $0.plugins.get(manifest.name) })?.sha256 == bundle.sha256 { return done }
        let candidate = PluginCandidate(bundle, manifest, settings: settings)
        let outcome = try changing(call) {
            try $0.use(candidate, allowing: allowed, note: call.form.text("note") ?? "")
        }
        switch outcome {
        case .done: return done
        case .refused(let refusal): return refused(refusal.code, [refusal.message], back)
        }
    }

    /// Which of its tests fail and why; nil: none does.
    private static func failures(of shipped: ShippedPlugin) throws -> [String]? {
        guard shipped.bundle.pluginTests != nil else { return nil }
        do {
            let report = try PluginTestRun(shipped.bundle, manifest: shipped.manifest).run()
            if report.isOK { return nil }
            let failed = report.tests.filter { [.fail, .error, .timeout].contains($0.status) }
            return failed.prefix(mostTests).map { test in
                let message = PageWords.safe(test.message ?? test.status.rawValue)
                return say("Its test “\(PageWords.safe(test.name))”, line \(test.line), fails: \(message)")
            }
        } catch let fault as PluginFault {
            return [say("Its tests cannot be run: \(PageWords.safe(fault.description))")]
        }
    }

    private static func refused(_ code: String, _ messages: [String], _ back: String) -> PageOutcome {
        let reasons = messages.map { JSON.object(["code": .string(code), "message": .string(PageWords.safe($0))]) }
        return .refused(
            [
                "code": .string(code), "message": .string(messages.first ?? ""),
                "details": ["reasons": .array(reasons)],
            ], back: back)
    }

    /// Changes which version of a plugin is in force, with what it does about the one before, in transactions of its own.
    ///
    /// - Throws: what the store throws.
    static func changing(
        _ call: PageCall, _ change: (PluginChanging) throws -> Outcome<Plugin>
    ) throws -> Outcome<Plugin> {
        let changing = PluginChanging(
            call.services.desk.acting(as: call.caller.actor), clock: call.services.clock,
            output: PluginNotes(call.services.teller))
        do {
            return try change(changing)
        } catch let fault as PluginFault {
            return .refused(Refusal(code: fault.code, message: fault.description))
        }
    }
}
