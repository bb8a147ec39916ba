package import Circulation

/// How a title is named by a caller.
package enum TitleKey: Hashable, Sendable {
    case id(Int64)
    case isbn(ISBN)
}
