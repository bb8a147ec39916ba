package import Circulation
package import LuaSyntax

/// Why a bundle is not a policy: all that was found wrong with what it gave to `policy`.
package struct PolicyProblems: Error, Sendable {
    /// At least one, in order of place.
    package let findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
    }

    /// The first of them, as the desk reports it.
    package var failure: PolicyFailure {
        guard let first = findings.first else { return PolicyFailure(code: "wrong_type", message: "no policy") }
        let hint = first.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
        return PolicyFailure(
            code: first.code, message: first.message + hint, file: first.file, line: first.position.line)
    }
}
