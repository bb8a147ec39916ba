import Circulation
import LuaSyntax
package import Scripting

/// The codes that a policy names and that a library does not have, each kind sorted.
package struct UndeclaredCodes: Hashable, Sendable {
    package let categories: [String]
    package let itemTypes: [String]
    package let branches: [String]

    package var isEmpty: Bool { categories.isEmpty && itemTypes.isEmpty && branches.isEmpty }

    /// - Parameter declared: what the library has.
    package init(in policy: ParsedPolicy, declared: DeclaredValues) {
        let uses = PolicyCheck.wordUses(in: policy, fields: declared.fields)
        func missing(_ kind: String, _ known: Set<String>) -> [String] {
            Set(uses.filter { $0.kind == kind }.map(\.value)).subtracting(known).sorted()
        }
        categories = missing("text:category", declared.categories)
        itemTypes = missing("text:item_type", declared.itemTypes)
        branches = missing("text:branch", declared.branches)
    }
}
