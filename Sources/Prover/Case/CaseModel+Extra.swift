// Fields of the library's own, which nothing declares.
extension CaseModel {
    func extra(at prefix: String) -> Record {
        Record(prefix, at: prefix, names: nil, path.journal) { [unowned self] name in
            let path = "\(prefix).\(name)"
            let value = try undeclared(path)
            note(path, value)
            return value
        }
    }

    /// A value of any kind that JSON has.
    private func undeclared(_ path: String) throws -> Value {
        func isOf(_ kind: String) throws -> Bool {
            try self.path.holds(try self.path.condition("\(path) is \(kind)"))
        }
        // What is plainest to look at.
        self.path.wish(try self.path.condition("\(path) is a text"))
        if try !isOf("there") { return .null }
        if try isOf("a text") { return .text(.symbol(try self.path.number(path, Self.texts))) }
        if try isOf("a whole number") {
            return .integer(try self.path.number("\(path) as a number", -1_000_000...1_000_000))
        }
        if try isOf("true or false") { return .flag(try self.path.condition("\(path) is true")) }
        if try isOf("a number") { return .opaque(path) }
        return .list(texts(at: path))
    }
}
