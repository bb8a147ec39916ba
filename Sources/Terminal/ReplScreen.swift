/// How a session looks and where it writes.
package struct ReplScreen {
    let width: () -> Int?
    let usesColour: Bool
    let write: (String) -> Void
    let complain: (String) -> Void

    /// - Parameters:
    ///   - width: the terminal's columns at the moment it is asked; nil for a file or pipe.
    ///   - write: takes a part of the results.
    ///   - complain: takes a line about what went wrong.
    package init(
        width: @escaping () -> Int?, usesColour: Bool, write: @escaping (String) -> Void,
        complain: @escaping (String) -> Void
    ) {
        self.width = width
        self.usesColour = usesColour
        self.write = write
        self.complain = complain
    }
}
