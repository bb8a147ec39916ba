package import Circulation
import LuaRuntime
import LuaSyntax
package import Prover
package import Scripting
import TextFormats

/// Proves what a policy promises: the properties beside its tests, and those that every policy has.
package struct PolicyProof {
    package let policy: ParsedPolicy
    /// The file of tests, where there is one.
    package var tests: (source: String, file: String)?
    /// Where the tests find what they require.
    package var folder: ScriptFolder?
    package var codes: ProofDomain.Codes
    package var currency: Currency
    /// How long all of it may take.
    package var time: Duration
    /// Whether what every policy promises is looked at as well.
    package var withBuiltIn = true

    package init(
        _ policy: ParsedPolicy, tests: (source: String, file: String)? = nil, folder: ScriptFolder? = nil,
        codes: ProofDomain.Codes = .init(), currency: Currency = .eur, time: Duration = .seconds(60)
    ) {
        self.policy = policy
        self.tests = tests
        self.folder = folder
        self.codes = codes
        self.currency = currency
        self.time = time
    }

    /// - Parameter progress: called with the name of each property before it is looked at.
    /// - Throws: ``PolicyProblems`` for a policy that cannot be loaded; ``LuaError`` or ``Unsettled`` for a file of tests
    ///   that cannot be run; ``ProofError`` without a solver.
    package func report(progress: (String) -> Void = { _ in }) throws -> ProofReport {
        let session = try ProofSession(self)
        var report = ProofReport(policy: policy)
        let deadline = ContinuousClock.now + time
        for property in session.prover.properties {
            progress(property.name)
            report.results.append(try session.prove(property, until: deadline))
        }
        for property in withBuiltIn ? BuiltInProperty.allCases : [] {
            for point in session.points(of: property) {
                progress("\(point.rawValue): \(property.rawValue)")
                report.results.append(try session.prove(property, at: point, until: deadline))
            }
        }
        return report
    }
}

/// A policy, loaded for the desk and for proofs. Used by one thread.
final class ProofSession {
    let prover: PolicyProver
    private let subject: FuzzSubject
    private let properties: LuaProperties?
    private let records: LibraryCase
    private let policy: ParsedPolicy

    init(_ proof: PolicyProof) throws {
        policy = proof.policy
        subject = try FuzzSubject(proof.policy)
        records = LibraryCase(proof.policy.fields)
        let library = try LuaLibrary()
        let tables = try LuaPolicy(proof.policy, currency: proof.currency).tables
        let prelude = try LuaParser.parse(PolicyPrelude.source, chunk: PolicyPrelude.chunk)
        prover = try PolicyProver(
            proof.policy.chunks, tables: tables,
            domain: ProofDomain(records, codes: proof.codes, currency: proof.currency),
            surroundings: .init(prelude: prelude, names: PolicyPrelude.names) { try library.reckon($0, $1) })
        guard let tests = proof.tests else {
            properties = nil
            return
        }
        let chunk = try LuaParser.parse(tests.source, chunk: tests.file)
        let others = PolicyTestWord.all.map(\.name).filter { !LuaProperties.words.contains($0) && $0 != "within" }
        properties = try LuaProperties(
            chunk, source: tests.source, folder: proof.folder, others: others, tables: tables,
            fields: proof.policy.fields,
            currency: proof.currency, limits: PolicyTestWorker.limits)
        try prover.declare(chunk, others: others) { [folder = proof.folder] name in
            guard let found = try? folder?.source(of: name) else { return nil }
            return try? LuaParser.parse(found.source, chunk: found.chunk)
        }
    }

    // MARK: - Declared properties

    func prove(_ property: Property, until deadline: ContinuousClock.Instant) throws -> ProofReport.Result {
        let proof = try prover.prove(property, until: deadline) { [self] in breaks(property, $0) }
        return result(
            proof, name: property.name, point: property.point, kind: property.kind.rawValue, file: property.file,
            line: property.line)
    }

    /// Whether the desk itself decides a case so that the property does not hold.
    func breaks(_ property: Property, _ object: JSONObject) -> Bool {
        guard let question = try? Case(json: .object(object), records), let properties,
            let answer = try? properties.answer(property.index, of: question, decision: seen(question))
        else { return false }
        return answer == (property.kind == .never)
    }

    /// A decision as properties see it: a fine of nothing is money too.
    private func seen(_ question: Case) -> LuaValue {
        let decision = subject.policy.decide(question)
        let words = decision.refusal.flatMap {
            subject.policy.message(for: $0.code, language: question.patron.language)
        }
        guard case .table(var table) = DecisionTable.table(of: decision, refusalMessage: words) else { return .nil }
        if question.point == .fine, decision.answer != .failed, table["fine"].isNil {
            table["fine"] = LuaValue(.zero(question.currency))
        }
        return .table(table)
    }

    // MARK: - Properties of every policy

    /// The points at which a property of every policy says anything of this one.
    func points(of property: BuiltInProperty) -> [DecisionPoint] {
        property.points.filter { !property.isOfFunctions || subject.policy.points.contains($0) }
    }

    func prove(
        _ property: BuiltInProperty, at point: DecisionPoint, until deadline: ContinuousClock.Instant
    ) throws -> ProofReport.Result {
        let proof = try prover.prove(property, at: point, until: deadline) { [self] object in
            guard let question = try? Case(json: .object(object), records) else { return false }
            return property.isBroken(by: subject.policy.decide(question))
        }
        let place = subject.policy.parsed.bundle.files.first?.name ?? "policy.lua"
        return result(proof, name: property.rawValue, point: point, kind: "built in", file: place, line: nil)
    }

    // MARK: - Results

    private func result(
        _ proof: Proof, name: String, point: DecisionPoint, kind: String, file: String, line: Int?
    ) -> ProofReport.Result {
        var result = ProofReport.Result(
            name: name, point: point, kind: kind, file: file, line: line, paths: proof.paths)
        switch proof.outcome {
        case .proved: result.status = .proved
        case .unknown(let why):
            result.status = .unknown
            result.because = why
        case .refuted(let object): refute(&result, object)
        }
        return result
    }

    private func refute(_ result: inout ProofReport.Result, _ object: JSONObject) {
        let (point, known) = (result.point, result)
        let small = CaseShrinker.shrunk(object, tries: 400) { [self] in isStillBroken(known, $0) }
        result.status = .refuted
        result.question = small
        result.question?["point"] = .string(point.rawValue)
        if let question = try? Case(json: .object(small), records) {
            let decision = subject.policy.decide(question)
            result.decision = decision.json()
            result.ran = subject.linesThatRan(for: small)
            result.test = ProofReport.test(result.name, small, decision)
        }
    }

    private func isStillBroken(_ result: ProofReport.Result, _ object: JSONObject) -> Bool {
        guard object["point"]?.stringValue == result.point.rawValue else { return false }
        if let property = prover.properties.first(where: { $0.name == result.name && $0.line == result.line }) {
            return breaks(property, object)
        }
        guard let property = BuiltInProperty(rawValue: result.name),
            let question = try? Case(json: .object(object), records)
        else { return false }
        return property.isBroken(by: subject.policy.decide(question))
    }
}
