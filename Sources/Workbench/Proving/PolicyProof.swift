package import Circulation
import LuaRuntime
import LuaSyntax
package import Prover
package import Scripting
package import TextFormats

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
    /// Only what is promised at this point.
    package var point: DecisionPoint?
    /// Only the promises in whose words this stands.
    package var words: String?
    /// Asked again and again; once it is true the rest is left out.
    package var isStopped: @Sendable () -> Bool = { false }

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

    /// - Parameter progress: called with the name of each decision point before it is looked at.
    /// - Throws: ``PolicyProblems`` for a policy that cannot be loaded; ``LuaError`` or ``Unsettled`` for a file of tests
    ///   that cannot be run; ``ProofError`` without a solver.
    package func report(progress: (String) -> Void = { _ in }) throws -> ProofReport {
        let session = try ProofSession(self)
        var report = ProofReport(policy: policy, others: session.others)
        let deadline = ContinuousClock.now + time
        let promises = session.promises(withBuiltIn: withBuiltIn).filter { isWanted($0.promise, $0.point) }
        let looksAtReach = withBuiltIn && point == nil && words == nil
        if looksAtReach { session.beginReach() }
        var results: [Int: ProofReport.Result] = [:]
        // What is promised of one point is looked at together. Each has its share of the time; what is left at the end is for those
        // that needed more.
        var (points, isAgain) = (
            DecisionPoint.allCases.filter { point in promises.contains { $0.point == point } }, false
        )
        while !points.isEmpty {
            var late: [DecisionPoint] = []
            for (index, point) in points.enumerated() where !isStopped() {
                let places = promises.indices.filter { promises[$0].point == point && results[$0]?.isKnown != true }
                progress(point.rawValue)
                let share = max(.zero, deadline - .now) / (points.count - index)
                let found = try session.prove(places.map { promises[$0].promise }, at: point, until: .now + share)
                for (place, result) in zip(places, found) { results[place] = result }
                if found.contains(where: { $0.because?.message == Unsettled.timeLimit }) { late.append(point) }
            }
            points = isAgain || ContinuousClock.now >= deadline ? [] : late
            isAgain = true
        }
        report.results = promises.indices.compactMap { results[$0] }
        if looksAtReach, !isStopped() { report.results += try session.reach(until: deadline) }
        return report
    }

    private func isWanted(_ promise: Promise, _ point: DecisionPoint) -> Bool {
        let name =
            switch promise {
            case .declared(let property): property.name
            case .builtIn(let property): property.rawValue
            }
        return (self.point.map { $0 == point } ?? true) && (words.map(name.contains) ?? true)
    }
}

/// A policy, loaded for the desk and for proofs. Used by one thread.
package final class ProofSession {
    package let prover: PolicyProver
    private let subject: FuzzSubject
    private let properties: LuaProperties?
    private let records: LibraryCase
    private let policy: ParsedPolicy
    /// What is said by `same`, by the property's place.
    private var likenesses: [Int: SamePromise] = [:]

    /// - Throws: as ``PolicyProof/report(progress:)``.
    package init(_ proof: PolicyProof) throws {
        policy = proof.policy
        subject = try FuzzSubject(proof.policy)
        records = LibraryCase(proof.policy.fields)
        let tables = try LuaPolicy(
            proof.policy, currency: proof.currency, limits: LuaPolicy.limitsForChecking
        ).tables
        prover = try PolicyProver(proof.policy, tables: tables, codes: proof.codes, currency: proof.currency)
        prover.isStopped = proof.isStopped
        guard let tests = proof.tests else {
            properties = nil
            return
        }
        let chunk = try LuaParser.parse(tests.source, chunk: tests.file)
        let words = LuaProperties.words + [SameDeclaration.fileWord, "within"]
        let others = PolicyTestWord.all.map(\.name).filter { !words.contains($0) }
        properties = try LuaProperties(
            chunk, source: tests.source, folder: proof.folder, others: others, tables: tables,
            fields: proof.policy.fields,
            currency: proof.currency, limits: PolicyTestWorker.limits)
        try prover.declare(chunk, others: others) { [folder = proof.folder] name in
            guard let found = try? folder?.source(of: name) else { return nil }
            return try? LuaParser.parse(found.source, chunk: found.chunk)
        }
        likenesses = try SamePromise.all(properties?.sameDeclarations ?? [:], prover.properties, proof)
    }

    // MARK: - Proving

    /// What the desk itself decides.
    package func decide(_ question: Case) -> Decision { subject.policy.decide(question) }

    /// Makes random cases, close to where the policy decides one way or the other.
    package func cases(seed: UInt64) -> (DecisionPoint) -> JSONObject {
        var maker = CaseMaker(CaseVocabulary(policy, tables: subject.policy.tables), seed: seed)
        return { maker.make($0) }
    }

    /// What is promised, each at its point.
    func promises(withBuiltIn: Bool) -> [(promise: Promise, point: DecisionPoint)] {
        let builtIn = withBuiltIn ? BuiltInProperty.allCases : []
        return prover.properties.map { (.declared($0), $0.point) }
            + builtIn.flatMap { property in points(of: property).map { (.builtIn(property), $0) } }
    }

    /// The points at which a property of every policy says anything of this one.
    package func points(of property: BuiltInProperty) -> [DecisionPoint] {
        property.points(Set(subject.policy.points))
    }

    /// Proves or refutes a declared property.
    package func prove(_ property: Property, until deadline: ContinuousClock.Instant) throws -> ProofReport.Result {
        try prove([.declared(property)], at: property.point, until: deadline)[0]
    }

    /// Proves or refutes what every policy promises.
    package func prove(
        _ property: BuiltInProperty, at point: DecisionPoint, until deadline: ContinuousClock.Instant
    ) throws -> ProofReport.Result {
        try prove([.builtIn(property)], at: point, until: deadline)[0]
    }

    func prove(
        _ promises: [Promise], at point: DecisionPoint, until deadline: ContinuousClock.Instant
    ) throws -> [ProofReport.Result] {
        let ofCases = promises.filter { likeness($0) == nil }
        let proofs =
            ofCases.isEmpty
            ? []
            : try prover.prove(ofCases, at: point, until: deadline) { [self] in
                breaks($0, $1, beside: $2)
            }
        let proved = Dictionary(zip(ofCases, proofs)) { first, _ in first }
        return try promises.compactMap { promise in
            try (likeness(promise)?.proof(until: deadline) ?? proved[promise]).map {
                result($0, of: promise, at: point)
            }
        }
    }

    /// The files of other policies that promises are held against.
    var others: [(file: String, sha256: String)] {
        likenesses.values.map(\.source).sorted { $0.file < $1.file }.reduce(into: []) { others, source in
            if others.last?.file != source.file { others.append(source) }
        }
    }

    private func likeness(_ promise: Promise) -> SamePromise? {
        if case .declared(let property) = promise { likenesses[property.index] } else { nil }
    }

    /// Whether the desk itself decides a case, or two of them, so that a promise does not hold.
    func breaks(_ promise: Promise, _ object: JSONObject, beside: JSONObject? = nil) -> Bool {
        switch promise {
        case .declared(let property): return breaks(property, object)
        case .builtIn(let property):
            guard let question = try? Case(json: .object(object), records) else { return false }
            let other = beside.flatMap { try? Case(json: .object($0), records) }
            return property.isBroken(
                by: subject.policy.decide(question), of: question,
                beside: other.map { (subject.policy.decide($0), $0) })
        }
    }

    /// Whether the desk itself decides a case so that the property does not hold.
    package func breaks(_ property: Property, _ object: JSONObject) -> Bool {
        guard let question = try? Case(json: .object(object), records) else { return false }
        return breaks(property, object, question, subject.policy.decide(question))
    }

    /// The same of a case that has been read and decided.
    package func breaks(
        _ property: Property, _ object: JSONObject, _ question: Case, _ decision: Decision
    ) -> Bool {
        if let likeness = likenesses[property.index] { return likeness.isBroken(by: object) }
        guard let properties,
            let answer = try? properties.answer(property.index, of: question, decision: seen(decision, question))
        else { return false }
        return answer == (property.kind == .never)
    }

    /// A decision as properties see it: a fine of nothing is money too.
    private func seen(_ decision: Decision, _ question: Case) -> LuaValue {
        let words = decision.refusal.flatMap {
            subject.policy.message(for: $0.code, language: question.patron.language)
        }
        guard case .table(var table) = DecisionTable.table(of: decision, refusalMessage: words) else { return .nil }
        if question.point == .fine, decision.answer != .failed, table["fine"].isNil {
            table["fine"] = LuaValue(.zero(question.currency))
        }
        return .table(table)
    }

    // MARK: - What is reached

    /// Has the desk decide cases of all ways that are gone from now on.
    func beginReach() {
        prover.reach { [self] object in
            if let question = try? Case(json: .object(object), records) { _ = subject.decide(question) }
        }
    }

    /// Whether each row decides something in some case, and each statement of a function runs in some: a result for each place
    /// that no case was found for, or one for all.
    func reach(until deadline: ContinuousClock.Instant) throws -> [ProofReport.Result] {
        try prover.reachRows(until: deadline)
        let missed = searched()
        let name = "every row and every branch is reached"
        func result(_ point: DecisionPoint, _ file: String, _ line: Int?) -> ProofReport.Result {
            ProofReport.Result(name: name, point: point, kind: "built in", file: file, line: line, paths: 0)
        }
        var results = missed.map { place in
            let row = place.row.map { TableRow(table: $0.table, row: $0.row) }
            var result = result(row?.table.point ?? .checkout, place.file, place.line)
            let isReached = row.map(prover.reaches) ?? prover.reaches(SourcePlace(file: place.file, line: place.line))
            let what = place.row.map { "row \($0.row + 1) of \($0.table.rawValue)" } ?? "the line"
            if !isReached && prover.gap == nil { result.status = .refuted }
            result.because = Unsettled(
                file: place.file, line: place.line,
                message: result.status == .refuted
                    ? "\(what) is reached by no case" : "no case was found that reaches \(what)")
            return result
        }
        if results.isEmpty {
            results = [result(.checkout, subject.mainFile, nil)]
            results[0].status = .proved
        }
        return results
    }

    /// What no case reached, nor any of some thousand random ones: texts that a proof knows by their functions alone are found so.
    private func searched() -> [PolicyCoverage.Place] {
        var maker = CaseMaker(CaseVocabulary(policy, tables: subject.policy.tables), seed: 1)
        var missed = missedPlaces
        for _ in 0..<Self.rounds where !missed.isEmpty {
            for _ in 0..<Self.casesPerRound {
                if let question = try? Case(json: .object(maker.make()), records) { _ = subject.decide(question) }
            }
            missed = missedPlaces
        }
        return missed
    }

    private static let (rounds, casesPerRound) = (40, 500)

    private var missedPlaces: [PolicyCoverage.Place] {
        subject.coverage.places.filter { $0.count == 0 && $0.kind != .branch }
    }

    // MARK: - Results

    private func result(_ proof: Proof, of promise: Promise, at point: DecisionPoint) -> ProofReport.Result {
        var result: ProofReport.Result
        switch promise {
        case .declared(let property):
            result = .init(
                name: property.name, point: point, kind: property.kind.rawValue, file: property.file,
                line: property.line, paths: proof.paths)
        case .builtIn(let property):
            result = .init(
                name: property.rawValue, point: point, kind: "built in",
                file: subject.policy.parsed.bundle.files.first?.name ?? "policy.lua", line: nil, paths: proof.paths)
        }
        switch proof.outcome {
        case .proved: result.status = .proved
        case .unknown(let why):
            result.status = .unknown
            result.because = why
            if case .declared(let property) = promise { show(&result, property, raisingIn: proof.raising) }
        case .refuted(let object, let beside): refute(&result, promise, object, beside)
        }
        return result
    }

    /// Shows a case in which the promise itself raises an error.
    private func show(_ result: inout ProofReport.Result, _ property: Property, raisingIn cases: [JSONObject]) {
        func raises(_ object: JSONObject) -> Bool {
            guard object["point"]?.stringValue == property.point.rawValue, let properties,
                let question = try? Case(json: .object(object), records)
            else { return false }
            do {
                _ = try properties.answer(
                    property.index, of: question, decision: seen(subject.policy.decide(question), question))
                return false
            } catch {
                return true
            }
        }
        guard let first = cases.first(where: raises) else { return }
        let small = CaseShrinker.shrunk(first, while: raises)
        result.question = small
        if let question = try? Case(json: .object(small), records) {
            result.decision = subject.policy.decide(question).json()
        }
    }

    private func refute(
        _ result: inout ProofReport.Result, _ promise: Promise, _ object: JSONObject, _ beside: JSONObject?
    ) {
        let point = result.point
        let small = CaseShrinker.shrunk(object, tries: 400) { [self] in
            $0["point"]?.stringValue == point.rawValue
                && breaks(promise, $0, beside: beside?.differing(as: object, from: $0))
        }
        if let other = beside?.differing(as: object, from: small) {
            result.beside = other
            if let (one, another) = try? (Case(json: .object(small), records), Case(json: .object(other), records)) {
                let (decision, beside) = (subject.policy.decide(one), subject.policy.decide(another))
                result.decisionBeside = beside.json()
                result.changeBeside =
                    DecisionAspect.allCases.lazy.compactMap {
                        PolicyJudgement.differs.change(of: $0, from: decision, to: beside)
                    }.first
            }
        }
        result.status = .refuted
        result.question = small
        result.question?["point"] = .string(point.rawValue)
        if let question = try? Case(json: .object(small), records) {
            let decision = subject.policy.decide(question)
            result.decision = decision.json()
            result.ran = subject.linesThatRan(for: small)
            result.test = ProofReport.test(result.name, small, decision)
            if let likeness = likeness(promise) { likeness.complete(&result, small, question) }
        }
    }
}

extension JSONObject {
    /// Another case that differs from this one as this one does from a third: in the same fields of the same parts.
    fileprivate func differing(as origin: JSONObject, from other: JSONObject) -> JSONObject {
        var result = other
        for part in self where part.value != origin[part.key] {
            guard let fields = part.value.objectValue else { continue }
            var changed = other[part.key]?.objectValue ?? JSONObject()
            for field in fields where field.value != origin[part.key]?.objectValue?[field.key] {
                changed[field.key] = field.value
            }
            result[part.key] = .object(changed)
        }
        return result
    }
}

extension PolicyTable {
    /// Where its rows are read first.
    fileprivate var point: DecisionPoint {
        switch self {
        case .limits, .rules: .checkout
        case .notices: .overdue
        case .membership: .expiry
        }
    }
}
