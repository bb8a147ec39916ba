/// The version of the program.
package enum Version {
    package static let current = "0.1.0"
    /// The day of its manual, as pages of the manual write dates.
    package static let date = "November 21, 2026"
}
