package import LuaRuntime

/// A word that Lua code finds ready: a function that makes values, or a constant.
package struct ValueWord {
    package enum Meaning {
        case function((LuaArguments, LuaValueContext) throws -> LuaValue)
        case constant(LuaValue)
    }

    package var name: String
    /// As it is written: `days(n)`.
    package var signature: String
    /// One sentence for help and documentation.
    package var summary: String
    package var meaning: Meaning

    package init(_ name: String, _ signature: String, _ summary: String, _ meaning: Meaning) {
        self.name = name
        self.signature = signature
        self.summary = summary
        self.meaning = meaning
    }
}
