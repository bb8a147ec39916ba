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
    /// Where it stands in its branch, in a word of the library's own: `reference`, `new books`. A ``ShelvingLocation`` may
    /// say what people call it.
    package var location: String?
    /// The mark by which it stands there, as its spine label has it: `823.912 TOL`.
    package var callNumber: String?
    /// The day on which the library got it.
    package var acquiredOn: CivilDate?
    package var extra: JSONObject

    package init(
        id: Int64 = 0, barcode: String, title: Int64, branch: String, itemType: String,
        status: CopyStatus = .available, replacementPrice: Money? = nil, location: String? = nil,
        callNumber: String? = nil, acquiredOn: CivilDate? = nil, extra: JSONObject = [:]
    ) {
        self.id = id
        self.barcode = barcode
        self.title = title
        self.branch = branch
        self.itemType = itemType
        self.status = status
        self.replacementPrice = replacementPrice
        self.location = location
        self.callNumber = callNumber
        self.acquiredOn = acquiredOn
        self.extra = extra
    }
}
