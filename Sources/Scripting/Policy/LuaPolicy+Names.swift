import Circulation
package import LuaSyntax

extension PolicyRecords {
    /// What `case` has, for the check of fields.
    package static let caseFields = FieldTree(paths: casePaths)

    /// What `rule` has: the built-in fields and the library's own.
    package static func ruleFields(free: some Sequence<String>) -> FieldTree {
        FieldTree(paths: RuleField.all.map(\.name) + free)
    }
}
