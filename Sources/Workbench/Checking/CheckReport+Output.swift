import LuaSyntax
package import TextFormats

extension PolicyCheck.Report {
    /// `{"ok","findings":[{"code","severity","file","line","column","message","suggestion"}]}`
    package var json: JSON {
        var report = JSONObject()
        report["ok"] = .bool(isOK)
        report["findings"] = .array(
            findings.map { finding in
                var object = JSONObject()
                object["code"] = .string(finding.code)
                object["severity"] = .string(finding.severity.rawValue)
                object["file"] = .string(finding.file)
                object["line"] = .integer(Int64(finding.position.line))
                object["column"] = .integer(Int64(finding.position.column))
                object["message"] = .string(finding.message)
                object["suggestion"] = finding.suggestion.map { .string($0) } ?? .null
                return .object(object)
            })
        return .object(report)
    }

    /// Each finding with its line of source and a marker beneath, and a last line that counts them.
    package var text: String {
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count - errors
        let counts =
            findings.isEmpty ? "No problems found." : "\(counted(errors, "error")), \(counted(warnings, "warning"))."
        return (findings.map { $0.rendered(with: sources[$0.file]) } + [counts]).joined(separator: "\n")
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
