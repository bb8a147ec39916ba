import LineEditing
import Scripting

/// What is known about the value of an expression before it runs.
enum InputShape: Hashable {
    case module(APIModule.Name)
    case function(String)
    case value(APIType)
    /// A path of names and indices from a global: what it is can be looked up.
    case live(String)
    case unknown
}

extension APIModule {
    typealias Name = String
}

/// Reads the tokens of a statement that is being typed as far as is needed to know what stands at its end.
struct InputReader {
    let tokens: [InputToken]
    /// The API as the library has it.
    let api: LibraryAPI

    // MARK: - Expressions

    /// Where the expression begins that ends before a token.
    func start(ofExpressionEndingBefore end: Int) -> Int? {
        var at = end - 1
        while at >= 0 {
            let token = tokens[at]
            switch token.kind {
            case .name:
                guard at >= 1, tokens[at - 1].isSymbol(".") || tokens[at - 1].isSymbol(":") else { return at }
                at -= 2
            case .string:
                // The argument of a call, or the root of nothing that is known.
                guard at >= 1, endsExpression(at - 1) else { return at }
                at -= 1
            case .symbol where [")", "]", "}"].contains(token.text):
                guard let opener = opener(of: at) else { return nil }
                if opener >= 1, endsExpression(opener - 1) { at = opener - 1 } else { return opener }
            default: return nil
            }
        }
        return nil
    }

    private func endsExpression(_ at: Int) -> Bool {
        let token = tokens[at]
        return token.kind == .name || token.isSymbol(")") || token.isSymbol("]") || token.isSymbol("}")
    }

    /// The place of the bracket that a closing one belongs to.
    private func opener(of closer: Int) -> Int? {
        var depth = 0
        for at in stride(from: closer, through: 0, by: -1) where tokens[at].kind == .symbol {
            switch tokens[at].text {
            case ")", "]", "}": depth += 1
            case "(", "[", "{":
                depth -= 1
                if depth == 0 { return at }
            default: break
            }
        }
        return nil
    }

    /// The place behind the bracket that closes what opens at a place; the end if nothing does.
    private func end(ofBracketAt opener: Int) -> Int {
        var depth = 0
        for at in opener..<tokens.count where tokens[at].kind == .symbol {
            switch tokens[at].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
        }
        return tokens.count
    }

    /// What the expression is that stands between two places.
    func shape(from start: Int, to end: Int) -> InputShape { shape(from: start, to: end, depth: 0) }

    private func shape(from start: Int, to end: Int, depth: Int) -> InputShape {
        guard start < end, depth < 8 else { return .unknown }
        var at = start
        var shape = InputShape.unknown
        if tokens[at].isSymbol("(") {
            let close = self.end(ofBracketAt: at)
            shape = self.shape(from: at + 1, to: min(end, close - 1), depth: depth + 1)
            at = close
        } else if tokens[at].kind == .name {
            shape = root(tokens[at].text, before: start, depth: depth)
            at += 1
        } else {
            return .unknown
        }
        while at < end {
            let token = tokens[at]
            if token.isSymbol("."), at + 1 < end, tokens[at + 1].kind == .name {
                shape = member(tokens[at + 1].text, of: shape)
                at += 2
            } else if token.isSymbol("[") {
                let close = self.end(ofBracketAt: at)
                shape = element(of: shape, index: tokens[(at + 1)..<max(at + 1, min(end, close) - 1)])
                at = close
            } else if token.isSymbol("(") || token.isSymbol("{") {
                shape = result(of: shape)
                at = self.end(ofBracketAt: at)
            } else if case .string = token.kind {
                shape = result(of: shape)
                at += 1
            } else {
                return .unknown
            }
        }
        return shape
    }

    private func member(_ name: String, of shape: InputShape) -> InputShape {
        switch shape {
        case .module(let module): LuaAPI.function("\(module).\(name)").map { .function($0.fullName) } ?? .unknown
        case .value(let type): fields(of: type).first { $0.name == name }.map { .value($0.type) } ?? .unknown
        case .live(let path): .live("\(path).\(name)")
        case .function, .unknown: .unknown
        }
    }

    private func element(of shape: InputShape, index: ArraySlice<InputToken>) -> InputShape {
        switch shape {
        case .value(let type): if case .list(let element) = type.unwrapped { .value(element) } else { .unknown }
        case .live(let path):
            if index.count == 1, let token = index.first, token.kind == .number || token.stringContent != nil {
                .live("\(path)[\(token.text)]")
            } else {
                .unknown
            }
        case .module, .function, .unknown: .unknown
        }
    }

    private func result(of shape: InputShape) -> InputShape {
        guard case .function(let name) = shape, let type = LuaAPI.function(name)?.result.type else { return .unknown }
        return .value(type)
    }

    /// The fields that a record of a type has, or the arguments that a table of them takes.
    func fields(of type: APIType) -> [APIParameter] { InputReader.fields(of: type, api) }

    static func fields(of type: APIType, _ api: LibraryAPI) -> [APIParameter] {
        switch type.unwrapped {
        case .record(let name): api.record(named: name)?.fields ?? []
        case .reference(let reference): api.record(named: reference.rawValue)?.fields ?? []
        case .fields(let fields): fields
        case .date: LuaAPI.fields(ofValue: "date")
        case .instant: LuaAPI.fields(ofValue: "instant")
        case .money: LuaAPI.fields(ofValue: "money")
        case .period: LuaAPI.fields(ofValue: "period")
        default: []
        }
    }

    // MARK: - Names

    private func root(_ name: String, before place: Int, depth: Int) -> InputShape {
        if let known = variable(name, before: place, depth: depth) { return known }
        if LuaAPI.module(name) != nil { return .module(name) }
        if LuaAPI.function(name) != nil { return .function(name) }
        return .live(name)
    }

    /// What a variable of this very statement was given last.
    private func variable(_ name: String, before place: Int, depth: Int) -> InputShape? {
        for at in stride(from: place - 2, through: 0, by: -1) where tokens[at].kind == .name && tokens[at].text == name
        {
            if at > 0, tokens[at - 1].isSymbol(".") { continue }
            if tokens[at + 1].isSymbol("="), !isField(at) {
                return shape(from: at + 2, to: end(ofExpressionFrom: at + 2, limit: place), depth: depth + 1)
            }
            if let found = loopVariable(at, depth: depth) { return found }
        }
        return nil
    }

    /// `key =` in a table.
    private func isField(_ at: Int) -> Bool {
        at > 0 && (tokens[at - 1].isSymbol("{") || tokens[at - 1].isSymbol(","))
    }

    /// `for loan in loans.each{}`, `for _, loan in ipairs(loans.overdue{})`.
    private func loopVariable(_ at: Int, depth: Int) -> InputShape? {
        guard tokens[at + 1].text == "in", at > 0 else { return nil }
        let start = at + 2
        let end = end(ofExpressionFrom: start, limit: tokens.count)
        guard start < end else { return nil }
        if ["ipairs", "pairs"].contains(tokens[start].text), start + 1 < end {
            let list = shape(from: start + 2, to: end - 1, depth: depth + 1)
            guard case .value(let type) = list, case .list(let element) = type.unwrapped else { return .unknown }
            return .value(element)
        }
        guard tokens[at - 1].text == "for" else { return .unknown }
        return shape(from: start, to: end, depth: depth + 1)
    }

    /// Where a simple expression ends: a name with what hangs on it.
    private func end(ofExpressionFrom start: Int, limit: Int) -> Int {
        var at = start
        while at < min(limit, tokens.count) {
            let token = tokens[at]
            if token.isSymbol("(") || token.isSymbol("[") || token.isSymbol("{") {
                at = end(ofBracketAt: at)
            } else if token.isSymbol(".") {
                at += 2
            } else if at == start {
                at += 1
            } else if case .string = token.kind {
                at += 1
            } else {
                break
            }
        }
        return min(at, limit)
    }
}

extension APIType {
    /// The type without `or nil`.
    var unwrapped: APIType { if case .optional(let type) = self { type.unwrapped } else { self } }
}
