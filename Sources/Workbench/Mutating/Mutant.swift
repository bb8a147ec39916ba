import Circulation
import Desk
package import LuaSyntax
package import Scripting

/// A small change to a policy or a plugin that its tests should notice.
package struct Mutant: Hashable, Sendable {
    package internal(set) var file: String
    /// What is replaced.
    package let range: SourceRange
    /// The text there, and what stands in its place; empty: it is taken out.
    package let from: String
    package let to: String

    package var line: Int { range.start.line }
    package var column: Int { range.start.column }

    /// All small changes to a policy, in the order of its files.
    package static func all(of policy: ParsedPolicy) -> [Mutant] {
        policy.chunks.flatMap { MutantFinder.mutants(of: $0) }
    }

    /// The policy with the change made.
    package func applied(to policy: ParsedPolicy) -> ParsedPolicy {
        var bytes = policy[file]?.source.bytes ?? []
        let start = min(range.start.offset, bytes.count)
        bytes.replaceSubrange(start..<min(max(range.end.offset, start), bytes.count), with: Array(to.utf8))
        return policy.replacing(file, with: String(decoding: bytes, as: UTF8.self))
    }
}
