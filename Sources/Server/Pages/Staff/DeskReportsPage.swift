import Circulation
import Desk
import Foundation
import Reports
import Scripting
import TextFormats

/// Reports: the library's scripts that read and do nothing else, with their arguments as a form.
enum DeskReportsPage {
    static let pages = [
        Page.shown("/desk/reports", .staff) { call in
            let reports = ReportShelf(call.services.settings.scripts).names.compactMap { name -> [String: Any]? in
                guard let source = ReportShelf(call.services.settings.scripts).source(name) else { return nil }
                let summary = ScriptHelp.firstComment(of: source.text).prefix { !$0.isEmpty }.joined(separator: " ")
                return ["name": words(name), "link": "/desk/reports/\(name)", "summary": PageWords.safe(summary)]
            }
            return PageView(template: "desk-reports", title: "Reports", fields: ["reports": reports])
        },
        Page(
            verb: .get, path: "/desk/reports/{report}", access: .staff,
            work: .entering { call in
                let source = try source(call)
                // It says what arguments it declares, in a transaction of its own.
                let result = run(source, ["--help"], call)
                if let failure = result.failure { throw Problem(422, "report", failure.message) }
                let summary = ScriptHelp.firstComment(of: source.text).prefix { !$0.isEmpty }.joined(separator: " ")
                return .view(
                    PageView(
                        template: "desk-report", title: words(call.values[0]),
                        fields: [
                            "path": "/desk/reports/\(call.value())/result", "summary": PageWords.safe(summary),
                            "inputs": result.parameters.map(input),
                        ]))
            }),
        Page(
            verb: .get, path: "/desk/reports/{report}/result", access: .staff,
            work: .serving { call in
                let source = try source(call)
                let declared = run(source, ["--help"], call).parameters
                let result = run(source, arguments(call, declared), call)
                if let failure = result.failure { throw Problem(422, "report", failure.message) }
                var answer = WebAnswer(200, text: HTMLReport(result.document).render(), "text/html; charset=utf-8")
                // The page names its own styles and the one script that sorts its tables; this adds who may frame it.
                answer.fields["Content-Security-Policy"] =
                    "default-src 'none'; style-src 'unsafe-inline'; script-src '\(HTMLPage.sortingSource)'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                answer.fields["Referrer-Policy"] = "same-origin"
                return answer
            }),
    ]

    private static func words(_ name: String) -> String {
        let text = name.replacing("_", with: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func source(_ call: PageCall) throws -> ScriptSource {
        guard let source = ReportShelf(call.services.settings.scripts).source(call.values[0]) else {
            throw Problem.notFound
        }
        return source
    }

    /// Runs a report with nothing granted: it can read, and no more.
    private static func run(_ source: ScriptSource, _ arguments: [String], _ call: PageCall) -> ScriptResult {
        let runner = ScriptRunner(
            desk: call.services.desk.acting(as: call.caller.actor),
            clock: { [clock = call.services.clock] in clock.now() },
            output: RecordedOutput())
        return runner.run(source, options: ScriptOptions(arguments: arguments))
    }

    private static func input(_ parameter: ScriptParameter) -> [String: Any] {
        var fields: [String: Any] = [
            "name": parameter.name, "label": words(parameter.name), "isFlag": parameter.kind == .boolean,
            "isRequired": parameter.isRequired, "kind": parameter.kind == .integer ? "number" : "text",
        ]
        let standard = parameter.standard.map { "Unless said otherwise: \($0)." }
        let help =
            parameter.help.isEmpty ? nil : parameter.help.prefix(1).uppercased() + parameter.help.dropFirst() + "."
        let hint = [help, standard].compactMap(\.self).joined(separator: " ")
        if !hint.isEmpty { fields["hint"] = PageWords.safe(hint) }
        fields["choices"] = (parameter.choices ?? []).map { choice in
            ["value": PageWords.safe(choice), "isChosen": choice == parameter.standard] as [String: Any]
        }
        return fields
    }

    /// What was filled in, as the command line would say it.
    private static func arguments(_ call: PageCall, _ declared: [ScriptParameter]) -> [String] {
        declared.compactMap { parameter in
            guard let text = call.query.text(parameter.name) else { return nil }
            let option = "--" + parameter.name.replacing("_", with: "-")
            return parameter.kind == .boolean ? option : "\(option)=\(text)"
        }
    }
}

/// The folder of the library's scripts, of which those are reports that need nothing but to read.
struct ReportShelf {
    private let folder: String?

    init(_ folder: String?) {
        self.folder = folder
    }

    /// Without the ending `.lua`, by the alphabet.
    var names: [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return files.filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }.filter { source($0) != nil }
            .sorted()
    }

    /// A report; nil for a name that is none, and for a script that asks to change something.
    func source(_ name: String) -> ScriptSource? {
        let isName =
            !name.isEmpty && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
            }
        guard isName, let folder,
            let text = try? String(contentsOf: URL(filePath: folder).appending(path: name + ".lua"), encoding: .utf8)
        else { return nil }
        let source = ScriptSource(text: text, name: name + ".lua", folder: ScriptFolder(path: folder))
        guard let needs = try? ScriptRunner.needs(of: source), needs.isEmpty else { return nil }
        return source
    }
}
