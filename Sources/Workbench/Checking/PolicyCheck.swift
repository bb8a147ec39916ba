package import Circulation
import Foundation
package import LuaSyntax
package import Scripting

/// Reads a policy without running any of its decisions and reports what is wrong with it.
///
/// Its file runs once, as it would when it is put into force, so that values of the wrong kind are found where they
/// come from calls and loops as well.
package struct PolicyCheck {
    /// What was found.
    package struct Report: Sendable {
        package let findings: [Finding]
        /// The sources by file, for excerpts.
        package let sources: [String: SourceText]
        /// The policy that was checked, where its files could be read.
        package private(set) var policy: ParsedPolicy?

        package init(findings: [Finding], sources: [String: SourceText], policy: ParsedPolicy? = nil) {
            self.findings = findings
            self.sources = sources
            self.policy = policy
        }

        /// Whether the report has no errors; warnings are allowed.
        package var isOK: Bool { !findings.contains { $0.severity == .error } }
    }

    private static let limits = LuaPolicy.limitsForChecking

    /// Checks a policy file and what it requires from its folder. A file that cannot be read, or is not Lua, is a
    /// finding.
    ///
    /// A script of the desk is checked as one: its names and its capabilities.
    /// - Parameters:
    ///   - files: reads them; what it has read already is what is checked.
    ///   - declared: what the library declares, where a store is at hand.
    ///   - fields: those of the library's own.
    package static func check(
        file path: String, from files: SourceFiles = SourceFiles(), currency: Currency = .eur,
        declared: DeclaredValues? = nil, fields: CustomFields = .none
    ) -> Report {
        if path.hasSuffix("_test.lua") { return check(testsIn: path, files, fields) }
        if let report = check(scriptIn: path, files, fields) { return report.named(by: path) }
        do {
            var policy = try ParsedPolicy(file: path, from: files)
            policy.fields = fields
            return check(policy, currency: currency, declared: declared).named(by: path)
        } catch {
            return report(of: error, path: path, files).named(by: path)
        }
    }

    /// Checks a file as a script, whatever stands in it. One that cannot be read, or is not Lua, is a finding.
    package static func check(script path: String, from files: SourceFiles = SourceFiles()) -> Report {
        if path.hasSuffix("_test.lua") { return check(testsIn: path, files) }
        return check(path, files) { ScriptCheck.findings(in: $0) }.named(by: path)
    }

    /// The findings in a file that is no policy.
    private static func check(_ path: String, _ files: SourceFiles, _ findings: (Chunk) -> [Finding]) -> Report {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let source: String
        do {
            source = try files.text(at: path, named: name)
        } catch {
            return Report(findings: [Finding(error, file: name)], sources: [:])
        }
        let sources = [name: SourceText(source)]
        do {
            let chunk = try LuaParser.parse(source, chunk: name, maximumSize: PolicyBundle.maximumSize)
            return Report(findings: findings(chunk).sorted(), sources: sources)
        } catch {
            return Report(findings: [Finding(error, file: name)], sources: sources)
        }
    }

    /// nil for other files and for a file that cannot be read; the check of a policy reports the latter.
    private static func check(scriptIn path: String, _ files: SourceFiles, _ fields: CustomFields) -> Report? {
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard let source = try? files.text(at: path, named: name),
            let chunk = try? LuaParser.parse(source, chunk: name, maximumSize: PolicyBundle.maximumSize),
            ScriptCheck.isScript(chunk)
        else { return nil }
        return Report(
            findings: ScriptCheck.findings(in: chunk, fields: fields).sorted(), sources: [name: SourceText(source)])
    }

    /// Tests are not policies: they may keep state, and have the words of tests beside those of policies.
    private static func check(
        testsIn path: String, _ files: SourceFiles, _ fields: CustomFields = .none
    ) -> Report {
        let folder = ScriptFolder(path: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return check(path, files) { chunk in
            GlobalUse(known: KnownNames(paths: PolicyTestWord.paths), file: chunk.name).findings(in: chunk)
                + ArgumentUse.findings(in: chunk, fields: fields)
                + PromiseUse.findings(in: chunk, fields: fields, folder: folder)
        }
    }

    /// Why a policy could not be read, with the column and the source line of a syntax error.
    private static func report(of failure: PolicyFailure, path: String, _ files: SourceFiles) -> Report {
        let name = failure.file ?? path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let isMain = name == URL(fileURLWithPath: path).lastPathComponent
        let url = isMain ? URL(fileURLWithPath: path) : folder.appendingPathComponent(name)
        guard failure.code == "syntax", let source = try? files.text(at: url.path, named: name) else {
            return Report(findings: [Finding(failure, file: name)], sources: [:])
        }
        let finding: Finding
        do {
            _ = try LuaParser.parse(source, chunk: name, maximumSize: PolicyBundle.maximumFileSize)
            finding = Finding(failure, file: name)
        } catch {
            finding = Finding(error, file: name)
        }
        return Report(findings: [finding], sources: [name: SourceText(source)])
    }

    package static func check(
        _ policy: ParsedPolicy, currency: Currency = .eur, declared: DeclaredValues? = nil
    ) -> Report {
        var policy = policy
        if let declared { policy.fields = declared.fields }
        var findings = policy.faults
        let chunks = policy.chunks
        let sources = Dictionary(policy.bundle.files.map { ($0.name, SourceText($0.source)) }) { first, _ in first }
        let outline = chunks.first.flatMap { PolicyOutline($0) }
        let own = ownFields(outline, chunks.first)
        let free = freeFields(outline, own)
        for chunk in chunks { findings += self.findings(in: chunk, free: free, own, policy.fields, declared) }
        findings += MessageCodes.findings(in: chunks)
        if policy.faults.isEmpty {
            let loaded = loading(policy, currency, outline: outline, chunk: chunks.first)
            let scopes = chunks.first.map { ScopeAnalysis($0) }
            findings += loaded.filter { !isKnown($0, among: findings) }
                .map {
                    ValueCorrection.added(
                        to: $0, in: chunks.first?.name, outline: outline, source: chunks.first?.source, scopes: scopes)
                }
        }
        return Report(findings: findings.sorted(), sources: sources, policy: policy)
    }

    /// The fields of the library's own that the policy declares, as far as they are written down.
    private static func ownFields(_ outline: PolicyOutline?, _ chunk: Chunk?) -> [String] {
        guard let chunk, let value = outline?[PolicyKey.fields.rawValue]?.value,
            case .table(let list) = ScopeAnalysis(chunk).resolved(value).kind
        else { return [] }
        return list.entries.compactMap { $0.value.stringLiteral }
    }

    /// The fields of rules that the policy itself gives a meaning.
    private static func freeFields(_ outline: PolicyOutline?, _ own: [String]) -> [String] {
        (outline?.rules ?? []).flatMap(\.fields).map(\.name).filter { RuleField.named[$0] == nil } + own
    }

    /// The texts in a policy that name something of the library, such as a category's code.
    static func wordUses(in policy: ParsedPolicy, fields: CustomFields) -> [WordUses.Use] {
        let chunks = policy.chunks
        let outline = chunks.first.flatMap { PolicyOutline($0) }
        let free = freeFields(outline, ownFields(outline, chunks.first))
        return chunks.flatMap { chunk in
            let kinds = KindInference(
                chunk, caseFields: PolicyKinds.caseFields(fields), ruleFields: PolicyKinds.ruleFields(free: free),
                calls: PolicyKinds.calls)
            return WordUses.uses(
                in: chunk, PolicyOutline(chunk, scopes: kinds.scopes), kinds,
                CallBindings(chunk, scopes: kinds.scopes))
        }
    }

    private static func findings(
        in chunk: Chunk, free: [String], _ own: [String], _ fields: CustomFields, _ declared: DeclaredValues?
    ) -> [Finding] {
        let caseFields = PolicyKinds.caseFields(fields)
        let file = chunk.name
        var findings = PolicyRestrictions.findings(in: chunk, file: file)
        findings += GlobalUse(known: KnownNames(paths: PolicyWord.names), file: file).findings(in: chunk)
            .filter { unknown in !findings.contains { $0.position == unknown.position } }
        findings +=
            FieldUse(
                caseFields: { _ in caseFields }, ruleFields: PolicyRecords.ruleFields(free: free), file: file
            ).findings(in: chunk).map { declared == nil ? $0 : $0.naming(CustomField.Owner.allCases) }
        let kinds = KindInference(
            chunk, caseFields: caseFields, ruleFields: PolicyKinds.ruleFields(free: free),
            calls: PolicyKinds.calls)
        let outline = PolicyOutline(chunk, scopes: kinds.scopes)
        let bindings = CallBindings(chunk, scopes: kinds.scopes)
        let uses = WordUses.uses(in: chunk, outline, kinds, bindings)
        findings += KnownValues(declared: declared, uses: uses, in: chunk).findings
        findings += ComparisonFaults.findings(in: chunk, kinds, bindings, outline: outline)
        findings += AnswerFaults.findings(in: chunk, outline: outline, kinds)
        findings += ConstantConditions.findings(in: chunk, scopes: kinds.scopes)
        findings += AbsentValues.findings(in: chunk, scopes: kinds.scopes)
        findings += TableFaults.findings(in: chunk) + UnreachableCode.findings(in: chunk)
        let unused = UnusedValues.findings(in: chunk, scopes: kinds.scopes)
        findings += unused + ShadowedLocals.findings(in: chunk)
        if let outline {
            let read = RuleReads.names(in: chunk)
            findings += keys(file, declared: Set(own), read: read).findings(in: outline)
            findings += MissingAnswer(points: [DecisionPoint.publish.rawValue], file: file)
                .findings(in: outline, scopes: kinds.scopes)
            findings += AbsentParts.findings(in: outline, scopes: kinds.scopes, file: file)
            findings += SilentFunctions.findings(in: chunk, outline: outline, kinds.scopes, unless: unused + findings)
        }
        return findings + TemplateFields.findings(in: chunk)
    }

    private static func keys(_ file: String, declared: Set<String>, read: Set<String>) -> PolicyKeys {
        PolicyKeys(
            topLevel: PolicyKey.all, rowFields: PolicyKey.rowFields(declared: declared, read: read), file: file)
    }

    /// What loading says, and of a policy that loads which rows can never win. The parser's own findings are not
    /// repeated.
    private static func loading(
        _ parsed: ParsedPolicy, _ currency: Currency, outline: PolicyOutline?, chunk: Chunk?
    ) -> [Finding] {
        do {
            let policy = try LuaPolicy(parsed, currency: currency, limits: limits)
            let file = parsed.bundle.files.first?.name ?? policy.name
            let placed = PlacedTables(policy)
            let empty = EmptyLoans.findings(in: placed)
            let hidden = UnreachableRows.findings(in: placed)
            let idle = NoEffectRows(placed).findings
            let together = UnreachableRows.hiddenTogether(in: policy, placed, known: hidden + idle)
            let known = Set(hidden.map(FindingPlace.init))
            let windows = parsed.chunks.flatMap { HistoryUse.findings(in: $0, policy.tables.source) }
            return windows + empty + hidden + idle.filter { !known.contains(FindingPlace($0)) } + together
                + UnaskedFunctions.findings(in: policy.tables, outline: outline, chunk: chunk, file: file)
        } catch {
            return error.findings
        }
    }

    private struct FindingPlace: Hashable {
        let file: String
        let position: SourcePosition

        init(_ finding: Finding) { (file, position) = (finding.file, finding.position) }
    }

    private static func isKnown(_ finding: Finding, among known: [Finding]) -> Bool {
        known.contains { other in
            guard other.file == finding.file, other.position.line == finding.position.line else { return false }
            // An error at run time has a line only; what the analysis found there is its cause.
            return other.code == finding.code || finding.code == "lua_error"
        }
    }
}

extension PolicyCheck.Report {
    /// The same with the files named as the checked one was: by a path, not within its folder.
    package func named(by path: String) -> PolicyCheck.Report {
        guard let slash = path.lastIndex(of: "/") else { return self }
        let folder = String(path[...slash])
        func name(_ file: String) -> String { file.hasPrefix(folder) ? file : folder + file }
        return PolicyCheck.Report(
            findings: findings.map { finding in
                Finding(
                    code: finding.code, severity: finding.severity, file: name(finding.file),
                    position: finding.position, endColumn: finding.endColumn, message: finding.message,
                    suggestion: finding.suggestion)
            }, sources: Dictionary(sources.map { (name($0), $1) }) { first, _ in first }, policy: policy)
    }
}

extension Finding {
    /// Of a field that is unknown on a record that plugins may add to: that none does.
    fileprivate func naming(_ owners: [CustomField.Owner]) -> Finding {
        guard code == "unknown_field", suggestion == nil,
            owners.contains(where: { message.hasPrefix("'case.\($0.rawValue)' ") })
        else { return self }
        return Finding(
            code: code, severity: severity, file: file, position: position, endColumn: endColumn,
            message: message + ", and no plugin declares it", suggestion: nil)
    }
}
