package import Languages
package import Reports
import TextFormats

/// How a library's pages look and what languages they speak, beyond what comes with the program.
package struct PageAppearance: Sendable {
    /// A file that pages show.
    package struct Asset: Sendable {
        package let bytes: [UInt8]
        /// Its media type: `image/svg+xml`
        package let type: String
        /// Where it is found; the address changes with its content, so that browsers may keep it for ever.
        let path: String

        /// - Parameter name: the end of its address: `logo.svg`
        package init(_ bytes: [UInt8], type: String, name: String) {
            self.bytes = bytes
            self.type = type
            path = "/assets/\(SHA256.hexadecimal(of: bytes).prefix(16))-\(name)"
        }
    }

    package var languages: Languages
    /// Rules that follow those of the program.
    package var stylesheet: Asset?
    /// What stands before the library's name, instead of the program's sign.
    package var logo: Asset?

    /// - Parameters:
    ///   - languages: what pages, refusals and letters are said in.
    ///   - stylesheet: rules of the library's own.
    ///   - logo: the library's sign.
    package init(languages: Languages = .shipped, stylesheet: Asset? = nil, logo: Asset? = nil) {
        self.languages = languages
        self.stylesheet = stylesheet
        self.logo = logo
    }

    /// The logo as it stands in reports.
    package var reportLogo: HTMLReport.Logo? { logo.map { HTMLReport.Logo($0.bytes, type: $0.type) } }

    /// The files with their addresses.
    var assets: [Asset] { [stylesheet, logo].compactMap(\.self) }
}
