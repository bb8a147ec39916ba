import Foundation
import Schedule
import Server

/// Has each report of the server made by a process of this program, with limits of its own: whatever a script does, it
/// does it there.
struct ReportProcess: ReportMaker {
    private let process: BoundedProcess

    /// Of memory that a report's process may ask for, in bytes.
    static let addressSpace = 1 << 30
    /// The longest answer, in bytes.
    static let mostBytes = 64 << 20

    /// - Throws: what the configuration or the store's address is wrong in.
    init(_ workplace: Workplace) throws {
        let file = workplace.configurationPath
        let options = FileManager.default.fileExists(atPath: file) ? ["--config", file] : []
        var seen = workplace.environment.filter { JobProcess.passed.contains($0.key) }
        // Not as an option: an address may hold a password, and others can read the arguments of a process.
        seen["MOONSHELF_STORE"] = try workplace.storeAddress()
        process = try BoundedProcess(
            ["make-report"] + options + workplace.travelOptions, environment: seen, mostBytes: Self.mostBytes)
    }

    func make(_ order: ReportRequest) throws -> ReportReply? {
        var process = process
        process.environment[ReportMakeCommand.variable] = String(
            decoding: try JSONEncoder().encode(order), as: UTF8.self)
        let ending: BoundedProcess.Ending
        do {
            ending = try process.run(until: .now + .seconds(order.seconds))
        } catch {
            throw CommandFailure(
                .internalFault, code: "report_process", message: "No report can be made: \(error.words).")
        }
        if ending.isLate { return ReportReply(wrong: "The report was stopped after \(order.seconds) seconds.") }
        guard let answer = ending.answer, ending.status == 0 else {
            return ReportReply(wrong: "The report was stopped: it needs more than a report may.")
        }
        return try JSONDecoder().decode(ReportReply?.self, from: answer)
    }
}
