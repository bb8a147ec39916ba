import Scripting
import Testing
import Workbench

@Suite("What the check knows of the case")
struct CaseFieldKindTests {
    @Test("the check and the reference agree on the kind of every field", arguments: PolicyRecords.references)
    func kinds(record: APIRecordType) {
        let lists = ["case.patron.blocks", "case.patron.loans", "case.loan.notices", "case.lines"]
        let path = record.name.split(separator: ".").dropFirst().joined(separator: ".")
        let prefix = path.isEmpty ? "" : lists.contains(record.name) ? "\(path)[]." : "\(path)."
        guard record.name.hasPrefix("case") else { return }
        for field in record.fields {
            guard let known = PolicyCheck.fieldKinds[prefix + field.name] else { continue }
            #expect(known.prefix { $0 != ":" } == kind(of: field.type), "\(prefix)\(field.name)")
        }
    }

    private func kind(of type: APIType) -> String {
        switch type {
        case .text, .choice: "text"
        case .integer: "number"
        case .list: "list"
        default: type.name
        }
    }
}
