import Desk
import Foundation
import Interchange
import TestSupport
import Testing

/// Damaged files, many times over: whatever comes, an import ends, says what it refused and why, and leaves the store
/// sound.
@Suite("Importing damaged files")
struct ImportFuzzTests {
    /// Damaged files of each seed; `MOONSHELF_IMPORT_FUZZ` asks for more.
    static let count = ProcessInfo.processInfo.environment["MOONSHELF_IMPORT_FUZZ"].flatMap { Int($0) } ?? 7

    /// What an import came to: a report, or the reason why the file could not be read at all.
    typealias Outcome = Result<ImportReport, ImportProblem>

    static func outcome(_ bench: ImportBench, _ path: String, _ options: ImportOptions = ImportOptions()) throws
        -> Outcome
    {
        do {
            return .success(try bench.importing(path, options: options))
        } catch let problem as ImportProblem {
            return .failure(problem)
        }
    }

    /// Every rejection says file, line and why, and every record is counted once.
    static func check(_ report: ImportReport, of path: String, _ note: Comment) {
        #expect(report.read == report.added + report.updated + report.unchanged + report.rejected, note)
        let errors = report.problems.filter { $0.severity == .error }
        #expect(errors.isEmpty == (report.rejected == 0), note)
        for problem in report.problems {
            #expect(problem.file == path && problem.line >= 1, note)
            #expect(!problem.code.isEmpty && !problem.message.isEmpty, note)
        }
    }

    @Test("each ends with a report; again it adds nothing; the store is sound", arguments: ImportSeed.all)
    func damaged(seed: ImportSeed) throws {
        let bench = try ImportBench()
        try bench.importing(try bench.file("ground.jsonl", ImportFuzzTests.ground))
        for number in 0..<ImportFuzzTests.count {
            var mutator = ByteMutator(seed: UInt64(number) &* 7919 &+ UInt64(seed.name.utf8.count))
            let bytes = mutator.mutate(Array(seed.text.utf8))
            let path = try bench.file(seed.name, bytes: bytes)
            let note: Comment = "\(seed.name), damage \(number)"
            let first = try ImportFuzzTests.outcome(bench, path)
            guard case .success(let report) = first else {
                #expect(try ImportFuzzTests.outcome(bench, path) == first, note)
                continue
            }
            ImportFuzzTests.check(report, of: path, note)
            let second = try ImportFuzzTests.outcome(bench, path).get()
            #expect(second.added == 0, "\(seed.name), damage \(number): \(second.problems) \(report.problems)")
            #expect(second.read == report.read, note)
        }
        let doctor = try bench.desk.examine()
        #expect(doctor.isSound, "\(doctor)")
    }

    @Test("a strict import of each keeps all or nothing, and a dry run keeps nothing", arguments: ImportSeed.all)
    func strict(seed: ImportSeed) throws {
        let bench = try ImportBench()
        try bench.importing(try bench.file("ground.jsonl", ImportFuzzTests.ground))
        var before = try bench.export()
        for number in 0..<ImportFuzzTests.count / 3 {
            var mutator = ByteMutator(seed: UInt64(number) &+ 100_000)
            let path = try bench.file(seed.name, bytes: mutator.mutate(Array(seed.text.utf8)))
            let note: Comment = "\(seed.name), damage \(number)"
            let tried = try ImportFuzzTests.outcome(bench, path, ImportOptions(isDryRun: true))
            #expect(try bench.export() == before, note)
            let outcome = try ImportFuzzTests.outcome(bench, path, ImportOptions(isStrict: true))
            let after = try bench.export()
            guard case .success(let report) = outcome, report.rejected == 0 else {
                #expect(after == before, note)
                continue
            }
            #expect(try tried.get() == report, note)
            if report.added + report.updated == 0 { #expect(after == before, note) }
            before = after
        }
    }

    @Test(
        "what was kept of damaged files is exported and imported again as the same library", arguments: ImportSeed.all)
    func roundTrip(seed: ImportSeed) throws {
        let bench = try ImportBench()
        try bench.importing(try bench.file("ground.jsonl", ImportFuzzTests.ground))
        for number in 0..<ImportFuzzTests.count / 3 {
            var mutator = ByteMutator(seed: UInt64(number) &+ 200_000)
            _ = try ImportFuzzTests.outcome(
                bench, try bench.file(seed.name, bytes: mutator.mutate(Array(seed.text.utf8))))
        }
        let text = try bench.export()
        let other = try ImportBench()
        let report = try other.importing(try other.file("export.jsonl", text))
        #expect(report.rejected == 0, "\(report.problems.prefix(3))")
        let lost = Set(text.split(separator: "\n")).subtracting(try other.export().split(separator: "\n"))
        #expect(lost.isEmpty, "\(lost.first?.prefix(500) ?? "")")
    }

    /// A title with copies and a patron, which the loans of the seeds refer to.
    static let ground = """
        {"branch":{"code":"main","name":"Main"}}
        {"category":{"code":"public","name":"Public"}}
        {"title":{"isbn":"9780140449136","title":"Odyssey","authors":["Homer"],"copies":5}}
        {"patron":{"username":"ada","name":"Ada","surname":"Byron","category":"public","home_branch":"main"}}
        """
}
