import Circulation
import TextFormats

// What readers say of titles, and their lists.
extension NativeRecords {
    static func rating(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(work: work(&reader), username: reader.requiredText("username"))
        let rating = reader.record(ImportShapes.rating)
        guard let rating, !reader.isRejected else { return [] }
        return [.reader(.rating(rating, names))]
    }

    static func titleList(_ reader: inout MemberReader) -> [ImportedRecord] {
        let list = reader.record(ImportShapes.titleList)
        guard let list, let username = reader.requiredText("username"), !reader.isRejected else { return [] }
        return [.reader(.list(list, username: username))]
    }

    static func listedTitle(_ reader: inout MemberReader) -> [ImportedRecord] {
        let names = ImportedNames(work: work(&reader), username: reader.requiredText("username"))
        let list = reader.requiredText("list")
        let listed = reader.record(ImportShapes.listedTitle)
        guard let listed, let list, !reader.isRejected else { return [] }
        return [.reader(.listedTitle(listed, names, list: list))]
    }
}
