/// What a script may use: one of two explicit lists.
package enum LuaProfile: Sendable, Hashable {
    /// Pure functions, for code that is not trusted: base subset, `string`, `table`, `math`, `utf8`.
    case policy
    /// Reports and chores: the same, plus metatables by a white-list, coroutines, `require`, `load` of text, random
    /// numbers.
    case script

    /// The most bytes of source that are compiled at once.
    package var maximumSourceSize: Int { self == .policy ? 2 << 20 : 1 << 20 }
}
