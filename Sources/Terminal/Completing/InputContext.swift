import LineEditing
import Scripting

/// Where the cursor stands in a statement of Lua: in which call, at which argument, behind what.
struct InputContext {
    enum Place: Hashable {
        /// A name, of which so much was typed.
        case name(String)
        /// A field of what stands in front of the dot.
        case member(InputShape, String)
        /// A text that is not closed yet.
        case text(String, quote: String)
        /// Where nothing is known: a comment, a number.
        case nothing
    }

    /// A call whose arguments are being typed.
    struct Call {
        var function: APIFunction
        /// The argument at the cursor, if it is known.
        var argument: APIParameter?
        /// Whether the name of an argument can stand at the cursor.
        var takesName: Bool
        /// The fields of the table in which the cursor stands that are not given yet.
        var missing: [APIParameter]
    }

    let place: Place
    let call: Call?
    /// The function whose name stands in front of the cursor, if no call of it has begun.
    let named: APIFunction?
    /// The name of a function that is called with a text, if that is where the cursor stands: `require`.
    let callee: String?
    /// What may stand at the cursor, as far as the API says.
    var expected: APIType? { call?.argument?.type }

    /// - Parameter api: the API as the library has it.
    init(_ head: String, api: LibraryAPI = .plain) {
        let characters = Array(head)
        let all = InputScanner.tokens(characters)
        var tokens = all
        var typed = ""
        var place: Place?
        if let last = all.last, last.range.upperBound == characters.count {
            switch last.kind {
            case .comment(isOpen: true): place = .nothing
            case .number, .comment, .string(isOpen: false): place = .nothing
            case .string(isOpen: true):
                place = .text(
                    last.stringContent ?? "", quote: last.text.hasPrefix("[") ? "" : String(last.text.prefix(1)))
                tokens.removeLast()
            case .name, .keyword:
                typed = last.text
                tokens.removeLast()
            case .symbol, .command: break
            }
        }
        let reader = InputReader(tokens: tokens, api: api)
        if place == nil, let dot = tokens.last, dot.isSymbol(".") || dot.isSymbol(":") {
            let end = tokens.count - 1
            let shape = reader.start(ofExpressionEndingBefore: end).map { reader.shape(from: $0, to: end) }
            place = .member(shape ?? .unknown, typed)
        }
        self.place = place ?? .name(typed)
        let full = InputReader(tokens: all, api: api)
        if case .function(let name)? = full.start(ofExpressionEndingBefore: all.count).map({
            full.shape(from: $0, to: all.count)
        }) {
            named = api.function(named: name)
        } else {
            named = nil
        }
        let isText = if case .text = self.place { true } else { false }
        callee = isText ? tokens.last { !$0.isSymbol("(") }?.text : nil
        call = CallReader(reader: reader).call(isText: isText)
    }
}

/// Finds the call around the end of the tokens.
private struct CallReader {
    let reader: InputReader

    private var tokens: [InputToken] { reader.tokens }

    func call(isText: Bool) -> InputContext.Call? {
        // `patrons.get "a`: the text is the first argument.
        if isText, let function = function(before: tokens.count) {
            return InputContext.Call(
                function: function, argument: function.parameters.first, takesName: false, missing: [])
        }
        let open = openers()
        for (depth, opener) in open.enumerated().reversed() {
            guard let function = function(before: opener) else { continue }
            return call(of: function, through: Array(open[depth...]))
        }
        return nil
    }

    /// The brackets that are not closed, from the outermost.
    private func openers() -> [Int] {
        var open: [Int] = []
        for (at, token) in tokens.enumerated() where token.kind == .symbol {
            if ["(", "{", "["].contains(token.text) { open.append(at) }
            if [")", "}", "]"].contains(token.text) { _ = open.popLast() }
        }
        return open
    }

    private func function(before place: Int) -> APIFunction? {
        guard place > 0, let start = reader.start(ofExpressionEndingBefore: place),
            case .function(let name) = reader.shape(from: start, to: place)
        else { return nil }
        return reader.api.function(named: name)
    }

    /// - Parameter open: the brackets from the one of the call to the innermost.
    private func call(of function: APIFunction, through open: [Int]) -> InputContext.Call {
        var type: APIType?
        var argument: APIParameter?
        for (depth, opener) in open.enumerated() {
            if tokens[opener].isSymbol("(") && depth > 0 {
                // In brackets of an expression nothing is known.
                return InputContext.Call(function: function, argument: nil, takesName: false, missing: [])
            }
            let end = depth + 1 < open.count ? open[depth + 1] : tokens.count
            if tokens[opener].isSymbol("(") {
                let place = commas(behind: opener, to: end)
                argument = function.parameters.indices.contains(place) ? function.parameters[place] : nil
                type = argument?.type
                continue
            }
            // A table: of named arguments, or a list.
            let holder = depth == 0 ? function.parameters.first?.type : type
            switch holder?.unwrapped {
            case .list(let element):
                type = element
                if depth + 1 == open.count {
                    return InputContext.Call(
                        function: function, argument: argument.map { $0.of(element) }, takesName: false, missing: [])
                }
            case .some(let holder):
                let fields = reader.fields(of: holder)
                let key = key(behind: opener, to: end)
                argument = key.flatMap { key in fields.first { $0.name == key } }
                type = argument?.type
                if depth + 1 == open.count {
                    let given = keys(behind: opener)
                    return InputContext.Call(
                        function: function, argument: argument, takesName: key == nil && !fields.isEmpty,
                        missing: fields.filter { !given.contains($0.name) })
                }
            case nil:
                return InputContext.Call(function: function, argument: nil, takesName: false, missing: [])
            }
        }
        return InputContext.Call(function: function, argument: argument, takesName: false, missing: [])
    }

    /// The places at the level of a bracket, with their tokens.
    private func level(behind opener: Int, to end: Int) -> [Int] {
        var depth = 0
        var places: [Int] = []
        for at in (opener + 1)..<max(opener + 1, end) {
            if tokens[at].kind == .symbol, [")", "}", "]"].contains(tokens[at].text) { depth -= 1 }
            if depth == 0 { places.append(at) }
            if tokens[at].kind == .symbol, ["(", "{", "["].contains(tokens[at].text) { depth += 1 }
        }
        return places
    }

    private func commas(behind opener: Int, to end: Int) -> Int {
        level(behind: opener, to: end).count { tokens[$0].isSymbol(",") }
    }

    /// The key whose value stands at the end, nil where a key can stand.
    private func key(behind opener: Int, to end: Int) -> String? {
        let places = level(behind: opener, to: end)
        let start = places.last { tokens[$0].isSymbol(",") || tokens[$0].isSymbol(";") }
        let part = places.filter { $0 > (start ?? opener) }
        guard part.count >= 2, tokens[part[1]].isSymbol("="), tokens[part[0]].kind == .name else {
            return part.isEmpty ? nil : ""
        }
        return tokens[part[0]].text
    }

    private func keys(behind opener: Int) -> Set<String> {
        let places = level(behind: opener, to: tokens.count)
        return Set(
            zip(places, places.dropFirst()).filter { tokens[$0.1].isSymbol("=") }.map { tokens[$0.0].text })
    }
}

extension APIParameter {
    /// The same argument, one of whose elements is meant.
    fileprivate func of(_ element: APIType) -> APIParameter {
        isRequired
            ? .required(name, element, documentation)
            : .optional(name, element, documentation, standard: standard)
    }
}
