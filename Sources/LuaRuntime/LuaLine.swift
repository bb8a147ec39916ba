/// A line that begins to run, or a function that returns on it, as reported to a watcher of a ``LuaState``.
package struct LuaLine {
    /// The name under which the chunk was loaded.
    package let chunk: String
    package let line: Int
    /// By the place of their path among those to be read at this line; a path that leads nowhere is left out.
    package let values: [Int: Seen]
    /// What the function that ends here returns first; nil where a line begins.
    package let returned: LuaValue?

    /// What a path leads to.
    package enum Seen {
        case value(LuaValue)
        /// A record of the host, which holds too much to be copied.
        case record
        /// A list of the host, with its count of elements.
        case list(Int)
        /// A table of Lua's, with its count of elements.
        case table(Int)
    }
}

extension LuaLine {
    /// From the arguments of the host's event: chunk, line, then number, kind and value of each path.
    init(_ arguments: LuaArguments, returns: Bool) {
        chunk = arguments[0].stringValue ?? ""
        line = Int(clamping: arguments[1].integerValue ?? 0)
        var values: [Int: Seen] = [:]
        var returned: LuaValue = .nil
        for place in stride(from: 2, to: arguments.count - 2, by: 3) {
            let number = Int(clamping: arguments[place].integerValue ?? 0)
            if number == 0 {
                returned = arguments[place + 2]
            } else {
                values[number - 1] = Seen(arguments[place + 1], arguments[place + 2])
            }
        }
        self.values = values
        // A plain `nil` would be Lua's.
        self.returned = returns ? .some(returned) : Optional<LuaValue>.none
    }
}

extension LuaLine.Seen {
    fileprivate init(_ kind: LuaValue, _ value: LuaValue) {
        let count = Int(clamping: value.integerValue ?? 0)
        switch kind.integerValue {
        case 1: self = .record
        case 2: self = .list(count)
        case 3: self = .table(count)
        default: self = .value(value)
        }
    }
}
