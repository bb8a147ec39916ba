/// Reads Lua 5.4 into a tree.
///
/// A text is accepted just when Lua 5.4.4 accepts it, and refused with Lua's message, but for two limits of Lua's that
/// depend on where it is called from or on the code it generates:
///
/// - Nesting: Lua counts its levels from those already in use on its thread. ``maximumDepth`` is what a fresh state
///   has, so a text that nests within a few levels of it may still be refused by a state in use.
/// - Registers: a function may use 254 for its variables and the intermediate values of one expression. That is left
///   to Lua, which refuses such a text when it is loaded.
///
/// The deepest nesting needs about 3 MB of stack in a debug build and half of that in a release build; threads with
/// less should not parse what others wrote.
package enum LuaParser {
    /// How deeply statements and expressions may nest: Lua's `LUAI_MAXCCALLS` of 200, which it refuses to reach.
    package static let maximumDepth = 199

    /// The largest source read unless the caller asks for another size: 16 MB.
    package static let defaultMaximumSize = 16 * 1024 * 1024

    /// Parses a source.
    ///
    /// A first line that begins with `#` is skipped (and a byte order mark before it), as Lua does for files; its line
    /// still counts.
    ///
    /// - Parameters:
    ///   - source: the text.
    ///   - chunk: a name for it, for use in findings.
    ///   - maximumSize: refuses longer sources before reading them; in bytes.
    ///   - skipsFirstLineComment: false reads the text as Lua's `load` does, which does not take a `#` line as a
    ///     comment.
    /// - Throws: what Lua would say.
    package static func parse(
        _ source: String, chunk: String, maximumSize: Int = defaultMaximumSize, skipsFirstLineComment: Bool = true
    ) throws(LuaSyntaxError) -> Chunk {
        try parse(
            Array(source.utf8), chunk: chunk, maximumSize: maximumSize, skipsFirstLineComment: skipsFirstLineComment)
    }

    /// Parses a source of any bytes, valid UTF-8 or not, as above.
    package static func parse(
        _ source: [UInt8], chunk: String, maximumSize: Int = defaultMaximumSize, skipsFirstLineComment: Bool = true
    ) throws(LuaSyntaxError) -> Chunk {
        guard source.count <= maximumSize else {
            throw LuaSyntaxError(
                message: "source is too large (\(source.count) bytes, limit is \(maximumSize))", position: .start)
        }
        let start = skipsFirstLineComment ? codeStart(in: source) : 0
        if start < source.count, source[start] == 0x1B {
            throw LuaSyntaxError(message: "attempt to load a binary chunk (mode is 't')", position: .start)
        }
        do throws(LuaSyntaxError) {
            var parser = try Parser(source, from: start)
            let block = try parser.parseChunk()
            return Chunk(
                name: chunk, source: SourceText(source), block: block, declarations: parser.declarations)
        } catch {
            var error = error
            error.hint = SyntaxHint.hint(for: error, in: source, from: start)
            throw error
        }
    }

    /// Where the code begins: behind a byte order mark and a first line that begins with `#`.
    ///
    /// Lua's `load` knows neither, so the caller blanks these bytes before handing it a file's text.
    package static func codeStart(in source: [UInt8]) -> Int {
        let start = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard start < source.count, source[start] == UInt8(ascii: "#") else { return start }
        return source[start...].firstIndex { $0.isLineEnd } ?? source.count
    }
}
