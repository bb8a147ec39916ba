import Circulation
import Foundation
import Scripting

extension GrowthUnit {
    /// The reports that come with the program, with their usual arguments.
    static var reports: [GrowthUnit] {
        let folder = Bench.package.appendingPathComponent("scripts")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".lua") }.sorted().compactMap { file in
            guard let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8) else {
                return nil
            }
            let source = ScriptSource(text: text, name: file, folder: ScriptFolder(path: folder.path))
            guard let needs = try? ScriptRunner.needs(of: source), !needs.writes else { return nil }
            return GrowthUnit(kind: .report, name: String(file.dropLast(4))) { library in
                let runner = ScriptRunner(desk: library.desk, clock: library.clock.now, output: RecordedOutput())
                let result = runner.run(source, options: ScriptOptions(granted: needs))
                if let failure = result.failure { throw BenchFailure("\(file): \(failure.description)") }
                return 1
            }
        }
    }
}
