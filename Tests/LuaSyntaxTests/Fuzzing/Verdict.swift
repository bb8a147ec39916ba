import LuaSyntax

/// What the parser and Lua say about one source.
struct Verdict {
    let source: [UInt8]
    /// Nil where accepted.
    let ours: LuaSyntaxError?
    let lua: String?

    init(on source: [UInt8], oracle: LuaOracle) {
        self.source = source
        lua = oracle.complaint(about: source)
        do throws(LuaSyntaxError) {
            _ = try LuaParser.parse(source, chunk: "x", skipsFirstLineComment: false)
            ours = nil
        } catch {
            ours = error
        }
    }

    /// Whether Lua refuses it for the code that it would generate, which the parser leaves to it.
    var lacksRegisters: Bool { lua?.contains("function or expression needs too many registers") ?? false }

    var agreesOnAcceptance: Bool { lacksRegisters || (ours == nil) == (lua == nil) }

    /// Whether both say the same, word for word and line for line.
    ///
    /// For faults of jumps and declarations we name the place of these, Lua the line it has read up to; some of its
    /// messages have no line.
    var agrees: Bool {
        guard !lacksRegisters, let ours, let lua else { return agreesOnAcceptance }
        if Verdict.namesItsOwnPlace(ours.message) { return lua.hasSuffix(": " + ours.message) }
        return lua == "x:\(ours.position.line): \(ours.message)"
            || (Verdict.placeless.contains(lua) && ours.message == lua)
    }

    private static let placeless = ["C stack overflow", "attempt to load a binary chunk (mode is 't')"]

    private static func namesItsOwnPlace(_ message: String) -> Bool {
        let beginnings = [
            "break outside", "no visible label", "<goto ", "label '", "attempt to assign to const", "unknown attribute",
            "multiple to-be-closed",
        ]
        return beginnings.contains { message.hasPrefix($0) }
    }
}

extension Verdict: CustomStringConvertible {
    var summary: String {
        """
        ours: \(ours.map { "\($0)" } ?? "accepted")
        lua:  \(lua ?? "accepted")
        """
    }

    var description: String {
        "\(summary)\n\(String(decoding: source.prefix(2000), as: UTF8.self).debugDescription)"
    }
}
