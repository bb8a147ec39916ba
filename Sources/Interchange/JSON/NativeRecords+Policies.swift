import Circulation
import TextFormats

extension NativeRecords {
    static func policyActivation(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "id", "policy", "name", "effective_from", "activated_at", "actor", "note", "retroactive",
            "withdrawn_at", "files",
        ])
        let policy = reader.requiredText("policy")
        let from = reader.required("effective_from", reader.instant("effective_from"))
        let at = reader.required("activated_at", reader.instant("activated_at"))
        let files = files(&reader)
        guard let policy, let from, let at, !reader.isRejected else { return [] }
        let activation = PolicyActivation(
            id: reader.integer("id") ?? 0, policy: policy, name: reader.text("name") ?? "", effectiveFrom: from,
            activatedAt: at, actor: reader.text("actor") ?? "", note: reader.text("note") ?? "",
            isRetroactive: reader.boolean("retroactive") ?? false, withdrawnAt: reader.instant("withdrawn_at"))
        return reader.isRejected ? [] : [.policyActivation(ImportedActivation(activation: activation, files: files))]
    }

    private static func files(_ reader: inout MemberReader) -> [PolicyBundle.File]? {
        guard let value = reader.value("files") else { return nil }
        var files: [PolicyBundle.File] = []
        for element in value.arrayValue ?? [.null] {
            guard let name = element["name"]?.stringValue, let source = element["source"]?.stringValue else {
                reader.reject("files", "wrong_type", "expected a list of files, each with name and source")
                return nil
            }
            files.append(PolicyBundle.File(name: name, source: source))
        }
        return files
    }
}
