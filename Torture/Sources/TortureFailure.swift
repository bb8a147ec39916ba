/// Why the torture itself could not go on; what it finds in a store is a ``Finding``.
package struct TortureFailure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
