/// A variable followed by fields, such as `case.patron.category`: the origin of a value, as far as it can be known
/// without running.
package struct AccessPath: Hashable, Sendable {
    package enum Root: Hashable, Sendable {
        case global(Identifier)
        /// The ``LocalDeclaration/id`` of a local variable of any function.
        case local(Int)
    }

    package enum Step: Hashable, Sendable {
        /// A field, written as a name or as a string in brackets.
        case field(Identifier)
        /// An element under a key that only running would tell, or under a number.
        case element
    }

    package var root: Root
    package var steps: [Step] = []

    func truncated(to count: Int) -> AccessPath {
        steps.count <= count ? self : AccessPath(root: root, steps: Array(steps.prefix(count)))
    }

    /// The names of the path, with `[]` for elements.
    func names(root name: String) -> String {
        steps.reduce(name) { text, step in
            switch step {
            case .field(let identifier): "\(text).\(identifier.name)"
            case .element: "\(text)[]"
            }
        }
    }
}

extension Expression {
    /// The path the expression is, if it is one; calls and operators make it none.
    package var accessPath: AccessPath? {
        guard let (path, count) = leadingPath else { return nil }
        guard case .suffixed(let expression) = withoutParentheses.kind else { return path }
        return count == expression.suffixes.count ? path : nil
    }

    /// The path at the beginning of the expression, up to its first call, and how many suffixes it takes.
    ///
    /// The name of a method counts as a step of the path, but not as a suffix taken.
    var leadingPath: (path: AccessPath, count: Int)? {
        switch withoutParentheses.kind {
        case .variable(let variable):
            return (AccessPath(root: variable.root), 0)
        case .suffixed(let expression):
            guard var (path, count) = expression.base.leadingPathOfBase else { return nil }
            for suffix in expression.suffixes {
                switch suffix.kind {
                case .field(let identifier): path.steps.append(.field(identifier))
                case .index(let index): path.steps.append(index.asStep)
                case .method(let identifier, _):
                    path.steps.append(.field(identifier))
                    return (path, count)
                case .call: return (path, count)
                }
                count += 1
            }
            return (path, count)
        default: return nil
        }
    }

    /// The first call of the expression, where what it calls is a path. Not for methods.
    var leadingCall: (callee: AccessPath, arguments: [Expression])? {
        guard case .suffixed(let expression) = kind, let (path, count) = leadingPath, count < expression.suffixes.count,
            case .call(let arguments) = expression.suffixes[count].kind
        else { return nil }
        return (path, arguments)
    }

    /// The path of a suffixed expression's base, which has to be one as a whole.
    private var leadingPathOfBase: (path: AccessPath, count: Int)? {
        accessPath.map { ($0, 0) }
    }

    private var asStep: AccessPath.Step {
        stringLiteral.map { .field(Identifier(name: $0, range: range)) } ?? .element
    }
}

extension Variable {
    var root: AccessPath.Root {
        declaration.map { .local($0) } ?? .global(identifier)
    }
}
