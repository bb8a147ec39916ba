import Circulation
import TextFormats

extension NativeRecords {
    static func hold(_ reader: inout MemberReader) -> [ImportedRecord] {
        let work = work(&reader)
        let hold = reader.record(ImportShapes.hold)
        let names = (
            username: reader.text("username"), barcode: reader.text("barcode"),
            heldBarcode: reader.text("held_barcode"), loan: reader.text("loan")
        )
        guard let hold, !reader.isRejected else { return [] }
        return [
            .hold(
                ImportedHold(
                    work: work, username: names.username, barcode: names.barcode, heldBarcode: names.heldBarcode,
                    loan: names.loan, hold: hold))
        ]
    }
}
