package import Circulation
package import Desk
import Scripting
package import TextFormats

extension PluginCandidate {
    /// A plugin as its check has read it.
    ///
    /// - Parameter settings: the values of its settings, as they are to be from then on.
    package init(_ bundle: PolicyBundle, _ manifest: PluginManifest, settings: JSONObject) {
        self.init(
            bundle: bundle, name: manifest.name, version: manifest.version, needs: manifest.needs.map(\.rawValue),
            settings: settings, fields: manifest.fields)
    }
}
