import Circulation
import LuaSyntax

/// The text of a policy's file as Lua is given it.
///
/// Lua forgets the caller of a tail call, so that `return deny(5)` could not say where it stands. Calls of the answers'
/// words are put in parentheses, which leaves every line where it was. A first line that begins with `#`, and a byte
/// order mark, are blanked, since Lua's `load` knows neither.
enum PolicySource {
    static func text(of chunk: Chunk) -> String {
        var bytes = chunk.source.bytes
        var visitor = TailCalls()
        chunk.walk(&visitor)
        // From the end to the beginning, so that the offsets still hold.
        for range in visitor.ranges.sorted(by: { $0.start > $1.start })
        where bytes.count + 2 <= PolicyBundle.maximumFileSize {
            bytes.insert(UInt8(ascii: ")"), at: range.end.offset)
            bytes.insert(UInt8(ascii: "("), at: range.start.offset)
        }
        for index in 0..<LuaParser.codeStart(in: chunk.source.bytes) { bytes[index] = UInt8(ascii: " ") }
        return String(decoding: bytes, as: UTF8.self)
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
