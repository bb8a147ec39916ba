/// A definition file for the Lua language server, read as strictly as its notation is described in
/// <https://luals.github.io/wiki/annotations/>: whatever is not understood is a fault.
struct LuaCATSFile {
    struct Class {
        var parent: String?
        var fields: [String: String] = [:]
        var operators: [String] = []
    }

    struct Function {
        var parameters: [String]
        var annotated: [String]
        var returns: [String]
    }

    private(set) var classes: [String: Class] = [:]
    private(set) var functions: [String: Function] = [:]
    private(set) var variables: Set<String> = []
    /// All types that are named, with those that nothing declares.
    private(set) var namedTypes: Set<String> = []
    private(set) var faults: [String] = []

    static let builtIn: Set<String> = ["any", "boolean", "integer", "number", "string", "function", "table", "nil"]

    private var current: String?
    private var parameters: [String] = []
    private var returns: [String] = []

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                try read(String(line))
            } catch {
                faults.append("\(index + 1): \(error): \(line)")
            }
        }
    }

    /// Names of types that nothing declares.
    var undeclared: Set<String> {
        namedTypes.union(classes.values.compactMap(\.parent)).subtracting(classes.keys).subtracting(Self.builtIn)
    }

    // MARK: - Lines

    private mutating func read(_ line: String) throws(LuaCATSFault) {
        if line.hasPrefix("---@") {
            let words = line.dropFirst(4).split(separator: " ", maxSplits: 1).map(String.init)
            try annotation(words.first ?? "", words.count > 1 ? words[1] : "")
        } else if line.isEmpty {
            (current, parameters, returns) = (nil, [], [])
        } else if !line.hasPrefix("--") {
            try statement(line)
        }
    }

    private mutating func annotation(_ kind: String, _ rest: String) throws(LuaCATSFault) {
        switch kind {
        case "meta": break
        case "class":
            let parts = rest.split(separator: ":", maxSplits: 1)
            let name = String(parts.first ?? "")
            guard LuaCATSType.isName(name), classes[name] == nil else { throw LuaCATSFault("no name, or twice") }
            let parent = parts.count > 1 ? parts[1].drop { $0 == " " } : nil
            classes[name] = Class(parent: parent.map(String.init))
            current = name
        case "alias":
            guard LuaCATSType.isName(rest), classes[rest] == nil else { throw LuaCATSFault("no name, or twice") }
            classes[rest] = Class()
        case "field":
            guard let current else { throw LuaCATSFault("a field of nothing") }
            let (name, type) = try named(rest)
            guard classes[current]?.fields.updateValue(type, forKey: name) == nil else { throw LuaCATSFault("twice") }
        case "operator":
            guard let current else { throw LuaCATSFault("an operator of nothing") }
            guard let match = rest.wholeMatch(of: /(add|sub|mul|div|unm)(\(([a-z.]+)\))?: ([a-z.]+)/) else {
                throw LuaCATSFault("no operator")
            }
            for name in [match.3, match.4].compactMap({ $0 }) { namedTypes.insert(String(name)) }
            classes[current]?.operators.append(rest)
        case "param": parameters.append(try named(rest).name)
        case "return": returns.append(try type(rest))
        case "type": _ = try type(rest)
        default: throw LuaCATSFault("unknown annotation")
        }
    }

    /// `name? type documentation`, or `[type] type documentation`.
    private mutating func named(_ text: String) throws(LuaCATSFault) -> (name: String, type: String) {
        guard let space = text.firstIndex(of: " ") else { throw LuaCATSFault("no type") }
        var name = String(text[..<space])
        if name.hasPrefix("["), name.hasSuffix("]") {
            _ = try type(String(name.dropFirst().dropLast()))
        } else {
            if name.last == "?" { name.removeLast() }
            guard LuaCATSType.isName(name) else { throw LuaCATSFault("no name") }
        }
        return (name, try type(String(text[text.index(after: space)...])))
    }

    /// Reads the type that a text begins with; what follows behind a blank is documentation.
    private mutating func type(_ text: String) throws(LuaCATSFault) -> String {
        var reader = LuaCATSType(text)
        let type = try reader.read()
        namedTypes.formUnion(reader.names)
        return type
    }

    private mutating func statement(_ line: String) throws(LuaCATSFault) {
        if let match = line.wholeMatch(of: /function ([a-z0-9_.]+)\(([a-z_, ]*)\) end/) {
            let names = match.2.split(separator: ", ").map(String.init)
            let name = String(match.1)
            guard functions[name] == nil else { throw LuaCATSFault("twice") }
            functions[name] = Function(parameters: names, annotated: parameters, returns: returns)
        } else if let match = line.wholeMatch(of: /([a-z_]+) = \{\}/) {
            variables.insert(String(match.1))
        } else {
            throw LuaCATSFault("no declaration")
        }
        (current, parameters, returns) = (nil, [], [])
    }
}

struct LuaCATSFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Reads a type of the annotations.
struct LuaCATSType {
    private let text: [Character]
    private var place = 0
    /// The types that it names.
    private(set) var names: Set<String> = []

    init(_ text: String) { self.text = Array(text) }

    static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/) != nil
    }

    /// The type that the text begins with; it ends with the text or at a blank.
    mutating func read() throws(LuaCATSFault) -> String {
        try union()
        guard place == text.count || text[place] == " " else { throw LuaCATSFault("'\(text[place])' is not expected") }
        return String(text[..<place])
    }

    private mutating func union() throws(LuaCATSFault) {
        try postfixed()
        while take("|") { try postfixed() }
    }

    private mutating func postfixed() throws(LuaCATSFault) {
        try primary()
        while take("[]") || take("?") {}
    }

    private mutating func primary() throws(LuaCATSFault) {
        if take("(") {
            try union()
            return try expect(")")
        }
        if take("fun(") { return try function() }
        if take("{ ") { return try table() }
        if take("\"") {
            while place < text.count, text[place] != "\"" { place += 1 }
            return try expect("\"")
        }
        let start = place
        while place < text.count, text[place].isLetter || text[place].isNumber || "_.".contains(text[place]) {
            place += 1
        }
        let name = String(text[start..<place])
        guard LuaCATSType.isName(name) else { throw LuaCATSFault("no type at \(start)") }
        names.insert(name)
        guard take("<") else { return }
        repeat { try union() } while take(", ")
        try expect(">")
    }

    private mutating func function() throws(LuaCATSFault) {
        if !take(")") {
            repeat { try field() } while take(", ")
            try expect(")")
        }
        if take(": ") { try union() }
    }

    private mutating func table() throws(LuaCATSFault) {
        repeat { try field() } while take(", ")
        try expect(" }")
    }

    /// `name?: type`
    private mutating func field() throws(LuaCATSFault) {
        let start = place
        while place < text.count, text[place].isLetter || text[place].isNumber || text[place] == "_" { place += 1 }
        guard place > start else { throw LuaCATSFault("no name at \(start)") }
        _ = take("?")
        try expect(": ")
        try union()
    }

    private mutating func take(_ expected: String) -> Bool {
        let characters = Array(expected)
        guard place + characters.count <= text.count, Array(text[place..<place + characters.count]) == characters
        else { return false }
        place += characters.count
        return true
    }

    private mutating func expect(_ expected: String) throws(LuaCATSFault) {
        guard take(expected) else { throw LuaCATSFault("'\(expected)' is missing at \(place)") }
    }
}
