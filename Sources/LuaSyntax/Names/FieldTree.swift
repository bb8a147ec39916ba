/// The fields a record has, and those of the records inside it, such as `patron` with `category` and `fees_owed`.
package struct FieldTree: Hashable, Sendable {
    package var fields: [String: FieldTree]
    /// What the elements of a list are; nil for what is no list.
    private var elements: [FieldTree]
    /// Whether there may be fields that are not listed.
    package var isOpen: Bool

    package init(_ fields: [String: FieldTree] = [:], isOpen: Bool = false) {
        self.fields = fields
        elements = []
        self.isOpen = isOpen
    }

    /// A value of which nothing more is followed: a number, a text, a date.
    package static let leaf = FieldTree(isOpen: true)

    /// A list, each element of which has the fields of `element`.
    package static func list(of element: FieldTree) -> FieldTree {
        var list = FieldTree()
        list.elements = [element]
        return list
    }

    /// Fields of the form `patron.category` and, for lists, `patron.loans[].title`.
    package init(paths: some Sequence<String>) {
        self.init()
        for path in paths { insert(FieldTree.steps(of: path)[...]) }
        closeLeaves()
    }

    package var element: FieldTree? { elements.first }

    /// The fields of either, for a value that may be the one or the other.
    package func merging(_ other: FieldTree) -> FieldTree {
        var result = self
        result.isOpen = isOpen || other.isOpen
        result.fields.merge(other.fields) { $0.merging($1) }
        if let mine = element, let theirs = other.element {
            result.elements = [mine.merging(theirs)]
        } else {
            result.elements = elements + other.elements
        }
        return result
    }

    private static func steps(of path: String) -> [String] {
        path.split(separator: ".").flatMap { part in
            part.hasSuffix("[]") ? [String(part.dropLast(2)), "[]"] : [String(part)]
        }
    }

    private mutating func insert(_ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        if first == "[]" {
            var element = element ?? FieldTree()
            element.insert(path.dropFirst())
            elements = [element]
        } else {
            fields[first, default: FieldTree()].insert(path.dropFirst())
        }
    }

    private mutating func closeLeaves() {
        for name in fields.keys { fields[name]?.closeLeaves() }
        for index in elements.indices { elements[index].closeLeaves() }
        if fields.isEmpty, elements.isEmpty { isOpen = true }
    }
}
