/// A field of the case with the way to it, as a policy's function writes it: `patron.loans[].branch`.
package struct CasePath: Hashable, Sendable {
    package let path: String
    /// Nil for a record, a list of records and the calendar.
    package let kind: FieldKind?
    package let isList: Bool
    package let mayBeAbsent: Bool
    package let meaning: CaseMeaning?
}

extension CaseRecord {
    /// Its fields and those of the records inside it, as far as a policy's functions have them.
    package func paths(under prefix: String = "") -> [CasePath] {
        let fields = fields.filter(\.isForPolicies)
        let own = fields.map { field in
            var (kind, isList): (FieldKind?, Bool) = (nil, false)
            switch field.content {
            case .value(let it, _): (kind, isList) = (it, it.isList)
            case .nested(let nesting): isList = nesting.isList
            case .calendar: break
            }
            return CasePath(
                path: prefix + field.name, kind: kind, isList: isList, mayBeAbsent: field.mayBeAbsent,
                meaning: field.meaning)
        }
        return own
            + fields.flatMap { field -> [CasePath] in
                guard case .nested(let nesting) = field.content else { return [] }
                return nesting.paths(under: prefix + field.name)
            }
    }
}

extension CaseNesting {
    fileprivate func paths(under path: String) -> [CasePath] { record.paths(under: path + (isList ? "[]." : ".")) }
}
