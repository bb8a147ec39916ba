import Circulation
import Desk
import TextFormats

// What the commands about the versions of policies and plugins have in common.

extension Outcome {
    /// What was done.
    ///
    /// - Parameter file: what it was about.
    /// - Throws: ``CommandFailure`` in the words of the refusal.
    func orFailure(in file: String? = nil) throws -> Value {
        switch self {
        case .done(let value): return value
        case .refused(let refusal):
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message, file: file)
        }
    }
}

/// A version that a command names by the beginning of its SHA-256.
enum VersionName {
    /// - Parameter known: the SHA-256 of all that were in force, the latest first.
    /// - Returns: nil for what is no such beginning.
    /// - Throws: ``CommandFailure`` if several begin so.
    static func find(_ prefix: String, among known: [String]) throws -> String? {
        guard prefix.count >= 4, prefix.allSatisfy(\.isHexDigit) else { return nil }
        let found = known.filter { $0.hasPrefix(prefix.lowercased()) }
        if Set(found).count > 1 {
            throw CommandFailure.usage("Several versions begin with '\(prefix)'; give more of it.")
        }
        return found.first
    }
}

extension Console {
    /// Prints the files of a version, each under its name.
    func print(filesOf bundle: PolicyBundle) {
        for file in bundle.files {
            print("-- \(file.name)")
            write(file.source.hasSuffix("\n") ? file.source : file.source + "\n")
        }
    }

    /// Prints what differs between two versions.
    ///
    /// - Parameters:
    ///   - main: what the first files of both are called.
    ///   - decisions: what is decided differently, asked for where any line differs; nil: it is not said.
    /// - Returns: ``ExitStatus/refused`` if anything does.
    func print(
        differenceOf before: PolicyBundle, _ after: PolicyBundle, main: String = "policy", json: Bool,
        decisions: () throws -> (json: JSON, text: String)? = { nil }
    ) throws -> ExitStatus {
        let lines = LineDifference.lines(of: before, after, main: main)
        let decided = lines.isEmpty ? nil : try decisions()
        if json {
            var object: JSONObject = [
                "before": .string(before.sha256), "after": .string(after.sha256),
                "lines": .array(lines.map { .string($0) }),
            ]
            object["decisions"] = decided?.json
            print(json: .object(object))
        } else {
            for line in lines { print(SafeText.line(line)) }
            if let decided { print("\n" + SafeText.lines(decided.text)) }
        }
        return lines.isEmpty ? .done : .refused
    }

    /// Prints a history, an entry a line or as JSON.
    func print(history: [(line: String, json: JSONObject)], json: Bool, ifEmpty words: String) {
        if json { return print(json: .array(history.map { .object($0.json) })) }
        for entry in history { print(entry.line) }
        if history.isEmpty { print(words) }
    }
}
