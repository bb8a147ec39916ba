import Scripting
import Testing
import Workbench

@Suite("What the check knows of the case")
struct CaseFieldKindTests {
    @Test("the check and the reference agree on the kind of every field", arguments: PolicyRecords.references)
    func kinds(record: APIRecordType) {
        let lists = [
            "case.patron.blocks", "case.patron.loans", "case.patron.history", "case.loan.notices", "case.lines",
        ]
        let path = record.name.split(separator: ".").dropFirst().joined(separator: ".")
        let prefix = path.isEmpty ? "" : lists.contains(record.name) ? "\(path)[]." : "\(path)."
        guard record.name.hasPrefix("case") else { return }
        for field in record.fields {
            let known = PolicyCheck.fieldKinds[prefix + field.name].map { String($0.prefix { $0 != ":" }) }
            #expect(known == kind(of: field.type), "\(prefix)\(field.name)")
        }
    }

    /// Nil for records and for what may be anything.
    private func kind(of type: APIType) -> String? {
        switch type {
        case .record, .any: nil
        case .text, .choice: "text"
        case .integer: "number"
        case .list: "list"
        default: type.name
        }
    }
}
