package import Circulation
package import TextFormats

/// A plugin that is to come into force: read, checked and tested.
package struct PluginCandidate: Hashable, Sendable {
    package var bundle: PolicyBundle
    /// What it calls itself.
    package var name: String
    package var version: String
    /// The capabilities that it asks for.
    package var needs: [String]
    /// The values of its settings, as they are to be from then on.
    package var settings: JSONObject
    /// The fields that it adds to records.
    package var fields: [CustomField]

    package init(
        bundle: PolicyBundle, name: String, version: String, needs: [String], settings: JSONObject,
        fields: [CustomField] = []
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.needs = needs
        self.settings = settings
        self.fields = fields
    }
}
