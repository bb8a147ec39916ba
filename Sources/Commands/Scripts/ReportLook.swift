import Languages
import Reports
import Server

/// How reports that leave the house look and what they speak, by the configuration in force. A mistake in it is the server's
/// affair: reports go without.
struct ReportLook {
    private let workplace: Workplace

    init(_ workplace: Workplace) {
        self.workplace = workplace
    }

    /// The languages that reports may speak.
    var languages: Languages { (try? workplace.appearanceSettings().languages) ?? .shipped }

    /// What pages have besides: the library's sign, and the address at which its own pages are. Who reads them is not known.
    func forPages(_ options: RenderOptions) -> RenderOptions {
        var options = options
        options.logo = (try? workplace.appearanceSettings().appearance())?.reportLogo
        if let serving = try? workplace.servingSettings(), serving.hasURL {
            let addresses = ReportAddresses(for: .anybody, at: serving.server.url)
            options.address = { addresses($0) }
        }
        return options
    }
}
