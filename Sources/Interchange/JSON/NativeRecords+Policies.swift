import Circulation
import TextFormats

extension NativeRecords {
    static func policyActivation(_ reader: inout MemberReader) -> [ImportedRecord] {
        let activation = reader.record(ImportShapes.activation)
        let files = files(&reader)
        guard let activation, !reader.isRejected else { return [] }
        return [.policyActivation(ImportedActivation(activation: activation, files: files))]
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
