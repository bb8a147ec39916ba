package import Circulation
import LuaSyntax
import Prover
import Reports
import Scripting
import TextFormats

/// What was proved of a policy as a page for those who answer for the library: each promise in words with what came of it,
/// a case for each that is broken, and what was taken for granted.
///
/// One file without scripts; it follows the reader's light or dark colours and is fit for printing.
package struct ProofPage {
    private let report: ProofReport
    private let policy: String
    private let library: Library?
    private let date: CivilDate

    /// The library whose codes and words the cases have.
    package struct Library: Sendable {
        package var name: String
        package var currency: Currency
        /// Whether all its categories, item types and branches are known, so that no others are reckoned with.
        package var hasCodes: Bool

        package init(name: String, currency: Currency, hasCodes: Bool) {
            (self.name, self.currency, self.hasCodes) = (name, currency, hasCodes)
        }
    }

    /// - Parameters:
    ///   - policy: its name.
    ///   - library: nil where it was proved without a store.
    ///   - date: the day on which it was proved.
    package init(_ report: ProofReport, policy: String, library: Library?, date: CivilDate) {
        (self.report, self.policy, self.library, self.date) = (report, policy, library, date)
    }

    package var html: String {
        let title = "What the lending policy promises"
        let parts = [
            "<h1>\(title)</h1>", facts, verdict,
            """
            <p><strong>Proved</strong> means: a program has gone through every way that a question can take through the policy,
            for every patron, title, copy and moment there can be, and no case breaks the promise. It is not a sample.</p>
            """,
            promises, broken, unknown, builtIn, assumptions,
        ]
        return HTMLPage.page(
            title: (library.map { "\($0.name): " } ?? "") + title, style: PolicyPage.style + Self.style,
            body: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    // MARK: - At the top

    private var facts: String {
        let version = report.policy.bundle.sha256.prefix(12)
        let facts = [
            ("Library", library?.name), ("Policy", policy), ("Version", "\(version)"), ("Proved on", "\(date)"),
        ]
        let entries = facts.compactMap { name, value in
            value.map { "<div><dt>\(name)</dt><dd>\(HTMLPage.escaped($0))</dd></div>" }
        }
        return "<dl class=\"facts\">\(entries.joined())</dl>"
    }

    private var verdict: String {
        let (refuted, unknown) = (report.count(.refuted), report.count(.unknown))
        if refuted > 0 {
            let how = refuted == 1 ? "One promise is broken" : "\(refuted) promises are broken"
            return "<p class=\"answer no\">\(how); \(report.count(.proved)) are proved"
                + (unknown > 0 ? ", of \(unknown) it is not known." : ".") + "</p>"
        }
        if unknown > 0 {
            return "<p class=\"answer ask\">\(report.count(.proved)) promises are proved, none is broken;"
                + " of \(unknown) it is not known.</p>"
        }
        return "<p class=\"answer\">All \(report.results.count) promises are proved: they hold for every case.</p>"
    }

    // MARK: - Promises

    private var own: [ProofReport.Result] { report.results.filter { $0.isOwn } }

    private var promises: String {
        if own.isEmpty {
            return
                "<h2>Promises of this library</h2>\n<p class=\"soft\">None are written beside the policy's tests.</p>"
        }
        let rows = own.map { result in
            "<tr><td>\(HTMLPage.escaped(Self.words(result)))</td><td>\(result.point.rawValue)</td>"
                + "<td>\(Self.badge(result.status))</td><td class=\"figure\">\(ways(result))</td></tr>"
        }
        return table("Promises of this library", ["promise", "about", "outcome", "ways gone through"], rows)
    }

    /// What every policy promises: of each promise the points at which it came to the same.
    private var builtIn: String {
        var rows: [String] = []
        for name in unique(report.results.filter { !$0.isOwn }.map(\.name)) {
            for status in [ProofReport.Status.refuted, .unknown, .proved] {
                let alike = report.results.filter { !$0.isOwn && $0.name == name && $0.status == status }
                if alike.isEmpty { continue }
                let points = alike.map(\.point.rawValue).joined(separator: ", ")
                rows.append(
                    "<tr><td>\(HTMLPage.escaped(Self.sentence(name)))</td><td>\(points)</td><td>\(Self.badge(status))</td>"
                        + "<td class=\"figure\">\(alike.reduce(0) { $0 + $1.paths })</td></tr>")
            }
        }
        return rows.isEmpty
            ? "" : table("Promises of every policy", ["promise", "about", "outcome", "ways gone through"], rows)
    }

    private func unique(_ names: [String]) -> [String] {
        names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func ways(_ result: ProofReport.Result) -> String { result.status == .proved ? "\(result.paths)" : "" }

    private static func words(_ result: ProofReport.Result) -> String {
        switch result.kind {
        case "same": "The same: \(result.name)."
        case "never", "always": "\(sentence(result.kind)): \(result.name)."
        default: sentence(result.name) + "."
        }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func badge(_ status: ProofReport.Status) -> String {
        switch status {
        case .proved: "<span class=\"badge proved\">✓ proved</span>"
        case .refuted: "<span class=\"badge refuted\">✗ broken</span>"
        case .unknown: "<span class=\"badge unknown\">? not known</span>"
        }
    }

    private func table(_ title: String, _ heads: [String], _ rows: [String]) -> String {
        let head = heads.map { "<th scope=\"col\"\($0.hasPrefix("ways") ? " class=\"figure\"" : "")>\($0)</th>" }
        return """
            <h2>\(title)</h2>
            <div class="wide" role="group" aria-label="\(title)" tabindex="0"><table class="promises"><caption class="unseen">\(title)</caption>
            <thead><tr>\(head.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
    }

    // MARK: - What is broken, and what is not known

    private var broken: String {
        report.results.filter { $0.status == .refuted }.map { result in
            """
            <section class="broken">
            <h2>Broken: \(HTMLPage.escaped(Self.words(result)))</h2>
            <p>The desk itself was asked about this case, and breaks the promise:</p>
            \(caseTable(result.question ?? [:]))
            \(answer(result))
            \(lines(result))
            <p class="soft">\(HTMLPage.escaped(place(result)))</p>
            </section>
            """
        }.joined(separator: "\n")
    }

    private func caseTable(_ question: JSONObject) -> String {
        let facts = Self.facts(.object(question), [])
        let rows = facts.map { fact in
            "<tr><th scope=\"row\">\(HTMLPage.escaped(fact.name))</th><td>\(HTMLPage.escaped(fact.value))</td></tr>"
        }
        return """
            <table class="case"><caption>The case; all else of it is as usual</caption><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            """
    }

    /// Each value of a case with the way to it: `patron, category`.
    private static func facts(_ value: JSON, _ path: [String]) -> [(name: String, value: String)] {
        switch value {
        case .object(let object):
            return object.entries.flatMap { facts($0.value, path + [$0.key.replacing("_", with: " ")]) }
        case .array(let elements) where elements.contains { $0.isComposite }:
            return elements.enumerated().flatMap { index, value in facts(value, path + ["\(index + 1)"]) }
        case .array(let elements):
            return [(path.joined(separator: ", "), elements.map(words).joined(separator: ", "))]
        default: return [(path.joined(separator: ", "), words(value))]
        }
    }

    private static func words(_ value: JSON) -> String {
        switch value {
        case .null: "none"
        case .bool(let flag): flag ? "yes" : "no"
        case .string(let text): text
        default: value.text()
        }
    }

    private func answer(_ result: ProofReport.Result) -> String {
        let own = sentence(of: report.policy, result.question).map { "<p class=\"answer no\">\($0)</p>" } ?? ""
        guard let other = result.other, let words = sentence(of: other.policy, result.question) else { return own }
        return """
            \(own)
            <p>\(HTMLPage.escaped(other.file)) decides otherwise (\(HTMLPage.escaped(other.change.words))):</p>
            <p class="answer">\(words)</p>
            """
    }

    private func sentence(of policy: ParsedPolicy, _ question: JSONObject?) -> String? {
        guard let question, let asked = try? Case(json: .object(question), LibraryCase(policy.fields)),
            let explanation = try? PolicyExplanation(policy, question: asked)
        else { return nil }
        return HTMLPage.escaped(explanation.sentence)
    }

    private func lines(_ result: ProofReport.Result) -> String {
        if result.ran.isEmpty { return "" }
        let lines = result.ran.map { "<div>\(HTMLPage.escaped($0))</div>" }.joined()
        return
            "<details open><summary>The lines of the policy that ran</summary><div class=\"source\">\(lines)</div></details>"
    }

    private func place(_ result: ProofReport.Result) -> String {
        let point = "It is about the decision point \(result.point.rawValue)."
        return result.line.map { "\(point) The promise stands in \(result.file), line \($0)." } ?? point
    }

    private var unknown: String {
        let rows = report.results.filter { $0.status == .unknown }.map { result in
            let why = result.because
            return "<tr><td>\(HTMLPage.escaped(Self.words(result)))</td><td>\(result.point.rawValue)</td>"
                + "<td>\(HTMLPage.escaped(why?.message ?? ""))"
                + (result.question.map { "<br>\(HTMLPage.escaped("as in \(JSON.object($0).text())"))" } ?? "") + "</td>"
                + "<td class=\"whole\">\(HTMLPage.escaped(why.map { "\($0.file):\($0.line)" } ?? ""))</td></tr>"
        }
        return rows.isEmpty ? "" : table("What is not known, and why", ["promise", "about", "why", "where"], rows)
    }

    // MARK: - What is taken for granted

    private var assumptions: String {
        let codes =
            library?.hasCodes == true
            ? "Categories, item types and branches are those that the library has today, each below what it lies below."
            : "Any category, item type or branch may lie below any other: a promise about children also speaks of a category"
                + " below it that is declared later."
        let points = [
            codes,
            "Fields of the library's own that nothing declares may be missing, a text, a number, true or false, or a list.",
            "A branch may be closed on any days, so that a due date lies on the day that the rule says or later.",
            "Clocks do not change between summer and winter time.",
            "Counts go up to a million and amounts to a thousand million; it is asked between 1990 and 2149.",
            "Of functions on texts it is known what they give for the texts that stand in the policy and its tests.",
        ]
        return "<h2>What “every case” means</h2>\n<ul>\n"
            + points.map { "<li>\(HTMLPage.escaped($0))</li>" }.joined(separator: "\n") + "\n</ul>"
    }

    private static let style = """

        main { max-width: 60rem; }
        .facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .2rem 0 1.2rem; }
        .facts dt { color: var(--soft); font-size: .9rem; } .facts dd { margin: 0; font-weight: 600; }
        .promises th { position: static; } .promises td:first-child { width: 55%; }
        .badge { display: inline-block; white-space: nowrap; padding: 0 .5rem; border-radius: .3rem; font-weight: 600; }
        .badge.proved { background-color: var(--granted); } .badge.refuted { background-color: var(--refused); }
        .badge.unknown { background-color: var(--mark); }
        .case { width: auto; min-width: 24rem; margin: .6rem 0 1rem; }
        .case th { position: static; background: none; font-weight: 400; padding-right: 2rem; }
        .broken details { margin: .8rem 0; } .broken .source { padding: .4rem .6rem; }
        .broken .source > div { white-space: pre-wrap; }
        @media print { .broken { break-inside: avoid; } }
        """
}

extension ProofReport.Result {
    /// Whether the policy's tests say it.
    fileprivate var isOwn: Bool { kind != "built in" }
}

extension JSON {
    fileprivate var isComposite: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }
}
