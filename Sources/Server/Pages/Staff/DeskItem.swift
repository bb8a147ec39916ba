import Circulation
import Desk
import Scripting
import TextFormats

/// What lies on the counter: a copy by its barcode, or a title by its ISBN where its copies have no barcodes to scan.
struct DeskItem {
    /// The copy's barcode; nil where only the title is known.
    var barcode: String?
    let title: Int64

    /// - Returns: nil for what is neither the barcode of a copy nor the ISBN of a title.
    /// - Throws: what the store throws.
    init?(_ text: String?, _ call: PageCall) throws {
        // No barcode is longer.
        guard let text, text.utf8.count <= 100 else { return nil }
        if let copy = try call.recordIfAny("/copies/\(PageCall.segment(text))") {
            guard let title = copy["title"]?.integerValue else { return nil }
            (barcode, self.title) = (copy["barcode"]?.stringValue, title)
            return
        }
        guard let isbn = try? ISBN(text), let title = try call.context.look({ try $0.catalogue.get(.isbn(isbn)) })
        else { return nil }
        self.title = title.id
    }

    /// The open loan that is meant: the copy's, or the one loan of a copy of the title, of this patron if one is named.
    ///
    /// - Returns: nil where there is none, or more than one.
    /// - Throws: what the store throws.
    func loan(of patron: Int64?, _ call: PageCall) throws -> Loan? {
        try call.context.look { session in
            if let barcode { return try session.loans.get(.barcode(barcode)) }
            if let patron {
                let own = try session.loans.active(of: .id(patron)).filter { $0.title == title }
                return own.count == 1 ? own[0] : nil
            }
            let lent = try session.catalogue.copies(of: .id(title)).filter { $0.status == .onLoan }
            return lent.count == 1 ? try session.loans.get(.barcode(lent[0].barcode)) : nil
        }
    }

    /// The refusal of an item that the library does not have.
    static let unknown: JSONObject = [
        "code": "unknown_copy",
        "message": "No copy has this barcode, and no title has this ISBN. Scan it again, or search the catalogue.",
    ]

    /// The refusal of a title where the loan that is meant is ambiguous.
    static let unclear: JSONObject = [
        "code": "not_on_loan",
        "message": "This title has no open loan here, or more than one. Scan the barcode of the copy instead.",
    ]
}
