/// How a loan is named by a caller: by its id, or as the open loan of a copy.
package enum LoanKey: Hashable, Sendable {
    case id(Int64)
    case barcode(String)
}
