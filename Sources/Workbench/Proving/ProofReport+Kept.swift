package import Desk
import Prover
import TextFormats

extension ProofReport {
    /// What stays known of the promises once the policy is in force.
    package var kept: [KeptPromise] {
        results.filter { $0.kind != "built in" }.map { result in
            KeptPromise(
                name: result.name, point: result.point, kind: result.kind, status: result.status.rawValue,
                reason: result.status == .unknown
                    ? result.because.map { "\($0.file):\($0.line): \(SafeText.line($0.message))" } : nil)
        }
    }
}
