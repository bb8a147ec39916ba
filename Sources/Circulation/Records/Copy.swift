package import TextFormats

/// One item on the shelf: a copy of a title.
package struct Copy: Hashable, Sendable {
    package var id: Int64
    package var barcode: String
    /// The title's id.
    package var title: Int64
    package var branch: String
    package var itemType: String
    package var status: CopyStatus
    package var replacementPrice: Money?
    package var extra: JSONObject

    package init(
        id: Int64 = 0, barcode: String, title: Int64, branch: String, itemType: String,
        status: CopyStatus = .available, replacementPrice: Money? = nil, extra: JSONObject = [:]
    ) {
        self.id = id
        self.barcode = barcode
        self.title = title
        self.branch = branch
        self.itemType = itemType
        self.status = status
        self.replacementPrice = replacementPrice
        self.extra = extra
    }
}
