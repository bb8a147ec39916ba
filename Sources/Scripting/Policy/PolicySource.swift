import Circulation
import LuaRuntime
import LuaSyntax

/// The text of a policy's file as Lua is given it.
///
/// Lua forgets the caller of a tail call, so that `return deny(5)` could not say where it stands. Calls of the answers'
/// words are put in parentheses, which leaves every line where it was. A first line that begins with `#`, and a byte
/// order mark, are blanked, since Lua's `load` knows neither.
enum PolicySource {
    /// A piece of text that is put before the byte at an offset.
    struct Insertion {
        let offset: Int
        let text: String
        /// What ends there goes before what begins there.
        var isEnd = false
    }

    /// - Parameters:
    ///   - probes: counts what runs; its marks keep every line where it was too.
    ///   - rows: knows where rows are made, by marks of its own.
    static func text(of chunk: Chunk, probes: PolicyProbes? = nil, rows: RowMarks? = nil) -> String {
        var visitor = TailCalls()
        chunk.walk(&visitor)
        var insertions = (probes?.insertions(in: chunk.name) ?? []) + (rows?.insertions(in: chunk.name) ?? [])
        var size = chunk.source.bytes.count + insertions.reduce(0) { $0 + $1.text.utf8.count }
        for range in visitor.ranges where size + 2 <= LuaProfile.policy.maximumSourceSize {
            insertions.append(Insertion(offset: range.start.offset, text: "("))
            insertions.append(Insertion(offset: range.end.offset, text: ")", isEnd: true))
            size += 2
        }
        return text(of: chunk, with: insertions)
    }

    static func text(of chunk: Chunk, with insertions: [Insertion]) -> String {
        var bytes = inserted(insertions, into: chunk.source.bytes)
        for index in 0..<LuaParser.codeStart(in: chunk.source.bytes) { bytes[index] = UInt8(ascii: " ") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Insertions of one offset keep their order, ends first.
    private static func inserted(_ insertions: [Insertion], into bytes: [UInt8]) -> [UInt8] {
        let sorted = insertions.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.offset != other.offset { return one.offset < other.offset }
            if one.isEnd != other.isEnd { return one.isEnd }
            return left.offset < right.offset
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + insertions.count * 12)
        var start = 0
        for (_, insertion) in sorted {
            result += bytes[start..<insertion.offset]
            result += insertion.text.utf8
            start = insertion.offset
        }
        return result + bytes[start...]
    }

    private struct TailCalls: LuaVisitor {
        private(set) var ranges: [SourceRange] = []

        mutating func enter(_ statement: Statement) {
            guard case .return(let values) = statement.kind, values.count == 1, let value = values.first,
                case .suffixed(let call) = value.kind, call.suffixes.count == 1,
                case .call? = call.suffixes.first?.kind,
                case .variable(let word) = call.base.kind, word.binding == .global,
                PolicyPrelude.names.contains(word.name)
            else { return }
            ranges.append(value.range)
        }
    }
}
