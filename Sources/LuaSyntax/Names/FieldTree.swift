/// The fields a record has, and those of the records inside it, such as `patron` with `category` and `fees_owed`.
package struct FieldTree: Hashable, Sendable {
    package var fields: [String: FieldTree]
    /// What the elements of a list are; nil for a value that is not a list.
    private var elements: [FieldTree]
    /// Whether there may be fields that are not listed.
    package var isOpen: Bool
    /// Of what kind the value is, in the words of the tree's maker; nil where that is not known.
    package private(set) var kind: String?
    /// Whether the value is there in every case.
    package private(set) var isAlwaysThere = false

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

    /// The same, with the kinds of values and those that are always there, by path.
    package init(
        paths: some Sequence<String>, kinds: [String: String], alwaysThere: Set<String> = []
    ) {
        self.init(paths: paths)
        for (path, kind) in kinds { update(FieldTree.steps(of: path)[...]) { $0.kind = kind } }
        for path in alwaysThere { update(FieldTree.steps(of: path)[...]) { $0.isAlwaysThere = true } }
    }

    /// Changes the part at a path, if there is one.
    private mutating func update(_ path: ArraySlice<String>, _ change: (inout FieldTree) -> Void) {
        guard let first = path.first else { return change(&self) }
        if first == "[]" {
            if !elements.isEmpty { elements[0].update(path.dropFirst(), change) }
        } else {
            fields[first]?.update(path.dropFirst(), change)
        }
    }

    package var element: FieldTree? { elements.first }

    /// The fields of either, for a value that may be the one or the other.
    package func merging(_ other: FieldTree) -> FieldTree {
        var result = self
        result.isOpen = isOpen || other.isOpen
        result.kind = kind == other.kind ? kind : nil
        result.isAlwaysThere = isAlwaysThere && other.isAlwaysThere
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
