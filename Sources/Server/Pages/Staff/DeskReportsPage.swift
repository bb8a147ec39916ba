import Circulation
import Desk
import Languages
import Reports
import Scripting
import TextFormats

/// Reports: the library's scripts that read and do nothing else, with their arguments as a form.
enum DeskReportsPage: PageGroup {
    static let templates = [
        PageTemplate("desk-report", PackageResources.desk_report_mustache),
        PageTemplate("desk-reports", PackageResources.desk_reports_mustache),
    ]

    static let pages = [
        Page(
            verb: .get, path: "/desk/reports", access: .staff,
            work: .entering { call in
                let shelf = try shelf(call)
                let reports = shelf.names.compactMap { name -> [String: Any]? in
                    guard let source = shelf.source(name) else { return nil }
                    return ["name": words(name), "link": "/desk/reports/\(name)", "summary": summary(source)]
                }
                return .view(
                    PageView(
                        template: "desk-reports", title: say("Reports"),
                        fields: ["reports": reports, "builder": ReportBuilderPage.path]))
            }),
        Page(
            verb: .get, path: "/desk/reports/{report}", access: .staff,
            work: .entering { call in
                let (_, source) = try source(call)
                return .view(try view(call, source, try reply(call, call.values[0], .arguments), status: 200))
            }),
        Page(
            verb: .get, path: "/desk/reports/{report}/result", access: .staff,
            work: .entering { call in
                let (name, source) = try source(call)
                let form: ReportRequest.Form = call.query[format] == "csv" ? .sheet : .page
                let reply = try made(call, name: name, form, back: nil)
                guard let text = reply.text else { return .view(try view(call, source, reply, status: 422)) }
                return PageResponse(
                    kind: .document(
                        form == .sheet ? ReportResponse.sheet(text, name: name) : ReportResponse.page(text)))
            }),
    ]

    /// The field that says in which form the report is wanted; no argument of a script can be called so.
    static let format = ".as"

    /// From a report back to its form, as it was filled in, and to the others.
    private static func ways(_ call: PageCall) -> [[String]] {
        let form = "/desk/reports/\(call.value())"
        let filled = OwnPath(form + (call.request.query.map { "?\($0)" } ?? ""))
        return [[filled?.text ?? form, say("Change the parameters")], ["/desk/reports", say("All reports")]]
    }

    private static func words(_ name: String) -> String {
        if let part = PluginPart(name) { return "\(words(part.name)) (\(part.plugin))" }
        let text = name.replacing("_", with: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func summary(_ source: ScriptSource) -> String {
        PageWords.safe(ScriptHelp.firstComment(of: source.text).prefix { !$0.isEmpty }.joined(separator: " "))
    }

    private static func source(_ call: PageCall) throws -> (name: String, source: ScriptSource) {
        let name = call.values[0]
        guard let source = try shelf(call).source(name) else { throw Problem.notFound }
        return (name, source)
    }

    private static func shelf(_ call: PageCall) throws -> ReportShelf {
        try ReportShelf(call.services.settings.scripts, at: call.services.desk, clock: call.services.clock)
    }

    /// Has a report made, in its turn.
    ///
    /// - Parameters:
    ///   - script: the text of the report; nil: a script of the library's or a plugin's, with the arguments of the query.
    ///   - back: the page that the report leads back to; nil: its form.
    /// - Throws: ``Problem`` while another one is made.
    static func made(
        _ call: PageCall, name: String, _ form: ReportRequest.Form, script: String? = nil, back: String?
    ) throws -> ReportReply {
        guard call.services.reportTurn.begin() else {
            throw Problem(
                503, "busy", "Another report is being prepared. Please try again in a moment.",
                fields: ["Retry-After": "5"])
        }
        defer { call.services.reportTurn.end() }
        let ways = back.map { [[$0, say("Change the report")], ["/desk/reports", say("All reports")]] }
        return try reply(call, name, form, script: script, ways: ways ?? Self.ways(call))
    }

    /// Has the report made, in a process of its own.
    private static func reply(
        _ call: PageCall, _ name: String, _ form: ReportRequest.Form, script: String? = nil, ways: [[String]] = []
    ) throws -> ReportReply {
        let services = call.services
        let order = ReportRequest(
            folder: services.settings.scripts ?? "", name: name, script: script, form: form,
            values: form == .arguments || script != nil ? [:] : call.query.texts, actor: call.caller.actor.name,
            branch: call.caller.actor.branch, ways: ways,
            // So that there is time left to say that it took too long.
            seconds: max(1, services.settings.seconds - 2))
        guard let reply = try services.reports.make(order) else { throw Problem.notFound }
        return reply
    }

    // MARK: - The form

    private static func view(
        _ call: PageCall, _ source: ScriptSource, _ reply: ReportReply, status: Int
    ) throws -> PageView {
        var fields: [String: Any] = [
            "path": "/desk/reports/\(call.value())/result", "summary": summary(source),
            "inputs": try reply.parameters.map { try input($0, call) },
        ]
        fields["wrong"] = reply.wrong.map(PageWords.safe)
        return PageView(template: "desk-report", title: words(call.values[0]), fields: fields, status: status)
    }

    static func input(_ parameter: ScriptParameter, _ call: PageCall) throws -> [String: Any] {
        var fields = input(parameter, value: call.query[parameter.name] ?? parameter.standard ?? "", isFilter: true)
        // Not everybody may ask for all that the library declares.
        guard parameter.choices == nil, call.caller.isStaff, var codes = try codes(of: parameter, call) else {
            return fields
        }
        let value = fields["value"] as? String ?? ""
        if !value.isEmpty, !codes.contains(where: { $0.value == value }) { codes.append((value, value)) }
        fields["choices"] = codes.map { code -> [String: Any] in
            ["value": PageWords.safe(code.value), "words": code.name, "isChosen": code.value == value]
        }
        fields["mayBeEmpty"] = parameter.standard == nil
        return fields
    }

    /// What the library declares under the codes of an argument; nil: they are other codes, or none.
    private static func codes(
        of parameter: ScriptParameter, _ call: PageCall
    ) throws -> [(value: String, name: String)]? {
        let kind = (parameter.codes?.rawValue).flatMap(APIReference.init)
        return try kind.flatMap { RecordForm.lists[$0] }.map { try RecordForm.codes($0, call) }
    }

    /// - Parameter isFilter: whether what is left open stands for all there is.
    static func input(_ parameter: ScriptParameter, value: String, isFilter: Bool) -> [String: Any] {
        var fields: [String: Any] = [
            "id": parameter.name, "name": parameter.name, "isFilter": isFilter, "label": words(parameter.name),
            "value": PageWords.safe(value),
            "isRequired": parameter.isRequired && parameter.standard == nil, "isNumber": parameter.kind == .integer,
        ]
        let help =
            parameter.help.isEmpty ? nil : parameter.help.prefix(1).uppercased() + parameter.help.dropFirst() + "."
        // Many scripts say by themselves how it is written.
        let isShown = parameter.help.contains("such as")
        let hint = [help, isShown ? nil : example(parameter.kind)].compactMap(\.self).joined(separator: " ")
        if !hint.isEmpty { fields["hint"] = PageWords.safe(hint) }
        guard let choices = parameter.kind == .boolean ? ["false", "true"] : parameter.choices else { return fields }
        fields["choices"] = choices.map { choice -> [String: Any] in
            let shown = parameter.kind == .boolean ? (choice == "true" ? say("Yes") : say("No")) : words(choice)
            return ["value": PageWords.safe(choice), "words": PageWords.safe(shown), "isChosen": choice == value]
        }
        fields["mayBeEmpty"] = parameter.standard == nil
        return fields
    }

    private static func example(_ kind: ScriptParameter.Kind) -> String? {
        switch kind {
        case .period: say("For example, last_month, this_year, 2026, 2026-12 or 2026-09-01..2026-12-24.")
        case .date: say("For example, today or 2026-12-24.")
        case .instant: say("For example, 2026-12-24 18:00.")
        case .money: say("For example, 5.00.")
        case .text, .integer, .number, .boolean, .file: nil
        }
    }
}
