package import Circulation
package import Desk
import Foundation
import Languages
import LuaRuntime
import Reports
package import Scripting

/// A report that a page wants: what is handed to the process that makes it.
package struct ReportRequest: Hashable, Sendable, Codable {
    /// What is wanted of it.
    package enum Form: String, Hashable, Sendable, Codable {
        /// Its arguments alone.
        case arguments
        /// A page with charts.
        case page
        /// A table for a spreadsheet.
        case sheet
        /// What stands below the heading of a page.
        case part
    }

    /// The folder of the library's scripts.
    var folder: String
    /// A script of it, without the ending `.lua`, or a report of a plugin.
    var name: String
    /// The text of a report that is in no folder yet.
    var script: String?
    var form: Form
    /// What was filled in, by the names of its arguments.
    var values: [String: String] = [:]
    /// Who runs the report, as events name an actor.
    var actor: String
    var branch: String?
    /// Where a page leads back to: pairs of a path and its words.
    var ways: [[String]] = []
    /// How long it may take, in seconds.
    package var seconds: Int

    /// The limit of processor time: staff at the desk do not wait longer for a report.
    private var limits: LuaLimits {
        LuaLimits(memory: 128 << 20, deadline: .seconds(form == .arguments ? 2 : min(20, max(1, seconds * 2 / 3))))
    }

    /// Makes it here. It can read, and no more.
    ///
    /// - Parameter appearance: the languages that reports may speak, and the library's sign; asked for where it is needed.
    /// - Returns: nil if the folder has no such report.
    package func made(
        at desk: Desk, clock: any Clock, appearance: @escaping () throws -> PageAppearance = { PageAppearance() }
    ) throws -> ReportReply? {
        let shelf = try ReportShelf(folder, at: desk, clock: clock)
        let written = script.map { ScriptSource(text: $0, name: name + ".lua") }
        guard let source = written ?? shelf.source(name) else { return nil }
        let desk = desk.acting(as: Actor(name: actor, role: .staff, channel: .web, branch: branch))
        let declared = try run(shelf, source, ["--help"], desk, clock, appearance)
        var reply = ReportReply(parameters: declared.parameters, wrong: declared.failure?.description)
        guard form != .arguments, reply.wrong == nil else { return reply }
        let result = try run(shelf, source, words(declared.parameters), desk, clock, appearance)
        if let failure = result.failure {
            reply.wrong = failure.status == .usage ? failure.message : failure.description
        } else if let refusal = result.refusal {
            reply.wrong = refusal.message
        } else {
            // What it returned is shown as the command shows it.
            var document = ValueReport.document(result, isForProgram: false, isExact: false)
            document.madeBy = try desk.read { try $0.events.person(ofActor: actor) }
            reply.text = form == .sheet ? ReportFormat.csv.render(document) : try shown(document, appearance())
        }
        return reply
    }

    /// The report on a page of staff.
    private func shown(_ document: ReportDocument, _ appearance: PageAppearance) -> String {
        let ways = ways.filter { $0.count == 2 }.map { HTMLReport.Way($0[0], $0[1]) }
        let addresses = ReportAddresses(for: .staff)
        let page = HTMLReport(document, ways: ways, logo: appearance.reportLogo) { addresses($0) }
        return document.spoken(in: appearance.languages) { form == .part ? page.fragment : page.render() }
    }

    private func run(
        _ shelf: ReportShelf, _ source: ScriptSource, _ words: [String], _ desk: Desk, _ clock: any Clock,
        _ appearance: @escaping () throws -> PageAppearance
    ) throws -> ScriptResult {
        // What it needs was looked at before it came off the shelf.
        var options = ScriptOptions(granted: try ScriptRunner.needs(of: source), arguments: words, limits: limits)
        options.languages = { (try? appearance().languages) ?? .shipped }
        return shelf.run(name, source, at: desk, clock: clock, options: options)
    }

    /// What was filled in, as the command line would say it.
    private func words(_ declared: [ScriptParameter]) -> [String] {
        declared.compactMap { parameter in
            values[parameter.name].map { "--\(parameter.name.replacing("_", with: "-"))=\($0)" }
        }
    }
}

/// What came of a report.
package struct ReportReply: Hashable, Sendable, Codable {
    /// Its arguments, as far as it declares them.
    package var parameters: [ScriptParameter] = []
    /// Why there is none.
    package var wrong: String?
    /// The report, as HTML or CSV.
    package var text: String?

    package init(parameters: [ScriptParameter] = [], wrong: String? = nil, text: String? = nil) {
        self.parameters = parameters
        self.wrong = wrong
        self.text = text
    }
}

/// Has reports made where no script can take the server down.
package protocol ReportMaker: Sendable {
    /// Waits until it is made. A report that ended its process has a reply that says so.
    ///
    /// - Returns: nil if the report does not exist.
    func make(_ order: ReportRequest) throws -> ReportReply?
}
