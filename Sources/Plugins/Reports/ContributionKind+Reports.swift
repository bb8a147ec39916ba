import Circulation

extension ContributionKind {
    /// Reports that the plugin brings: scripts among its files, `reports = { "reports/late.lua" }`, known as `PLUGIN:late`.
    package static let reports: ContributionKind = .init(
        "reports", "a report", .files,
        faults: { entry, manifest in
            let name = PluginReport.name(of: entry.name)
            guard entry.name.hasSuffix(".lua"), PluginPart.isName(name) else {
                return [Fault(nil, "a report is a file such as \"late.lua\", of lower-case letters, digits, - and _")]
            }
            let first = manifest.contributions(of: .reports).first { PluginReport.name(of: $0.name) == name }
            return first?.name == entry.name ? [] : [Fault(nil, "another report of the plugin is called '\(name)'")]
        })
}
