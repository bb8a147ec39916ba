/// How a patron is named by a caller.
package enum PatronKey: Hashable, Sendable {
    case id(Int64)
    case username(String)
}
