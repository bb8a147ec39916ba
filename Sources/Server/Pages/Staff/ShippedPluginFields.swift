import Circulation
import Desk
import Languages
import Plugins
import Scripting
import TextFormats
import Workbench

extension ShippedPlugin {
    /// Whether it is to be offered in place of a version in force: a later one, or one of the same number with other files.
    func changes(_ plugin: Plugin) -> Bool {
        isNewer(than: plugin.version) || manifest.version == plugin.version && bundle.sha256 != plugin.sha256
    }
}

/// A plugin that comes with the program, as pages show it: what it does, what it asks for, and the form that puts it into force.
struct ShippedPluginFields {
    private let shipped: ShippedPlugin
    /// The version in force; nil: none is.
    private let before: Plugin?

    private var manifest: PluginManifest { shipped.manifest }
    private var link: String { "\(PluginsPage.path)/\(PageCall.segment(manifest.name))" }

    /// How many names of a kind the list shows.
    private static let mostNames = 3

    init(_ shipped: ShippedPlugin, over before: Plugin? = nil) {
        self.shipped = shipped
        self.before = before
    }

    /// The name of the box that grants a right.
    static func box(_ right: String) -> String { "allow_\(right)" }

    /// How the list of those that come along shows it.
    var summary: [String: Any] {
        var fields: [String: Any] = [
            "plugin": PageWords.safe(manifest.name), "link": link, "version": PageWords.safe(manifest.version),
            "does": PluginsPage.does(manifest, most: Self.mostNames),
        ]
        fields["description"] = PageWords.safe(.string(manifest.description))
        fields["asks"] = PageWords.safe(.string(manifest.needs.map(\.rawValue).joined(separator: ", ")))
        return fields
    }

    /// The page of one that is not in force.
    ///
    /// - Throws: what the store throws.
    func view(_ call: PageCall) throws -> PageView {
        var fields = try use(call)
        fields["plugin"] = summary.merging(["does": PluginsPage.does(manifest)]) { $1 }
        return PageView(template: "shipped-plugin", title: say("Plugin \(manifest.name)"), fields: fields)
    }

    /// What the form shows by which it comes into force.
    ///
    /// - Throws: what the store throws.
    func use(_ call: PageCall) throws -> [String: Any] {
        let report = try Self.check(shipped, call).report
        let had = Set(before?.rights ?? [])
        let needs = manifest.needs.map(\.rawValue)
        let asked = needs.filter { !had.contains($0) }
        let isSent = call.request.method == "POST" && call.request.path.hasSuffix("/use")
        var fields: [String: Any] = [
            "path": "\(link)/use", "version": PageWords.safe(manifest.version), "sha": shipped.bundle.sha256,
            "isUpdate": before != nil, "isNewer": before.map { shipped.isNewer(than: $0.version) } ?? false,
            "present": PageWords.safe(before?.version ?? ""),
            "rights": manifest.needs.filter { asked.contains($0.rawValue) }.map { right -> [String: Any] in
                [
                    "right": right.rawValue, "words": right.words,
                    "id": "use-\(Self.box(right.rawValue).replacing(".", with: "-"))",
                    "name": Self.box(right.rawValue),
                    "isTicked": isSent && call.form[Self.box(right.rawValue)] != nil,
                ]
            },
            "findings": report.findings.map(PolicyDraft.shown), "isGood": report.isOK,
            "hasTests": shipped.bundle.pluginTests != nil,
        ]
        fields["keeps"] = PageWords.safe(.string(needs.filter(had.contains).joined(separator: ", ")))
        fields["drops"] = PageWords.safe(.string(had.subtracting(needs).sorted().joined(separator: ", ")))
        fields["rightsWrong"] = isSent ? call.wrong["rights"] : nil
        let note = PageField(name: "note", label: "Reason (kept in the history)", most: 200)
        return [
            "use": fields, "useInputs": settings.inputs(call, form: "use"),
            "noteInputs": PageField.inputs([note], call, form: "use"),
        ]
    }

    /// All settings of one that is not in force; of a version to come those that need a value.
    private var settings: PluginSettingFields {
        let kept = before?.settings ?? [:]
        let shown = manifest.settings.filter { setting in
            before == nil || setting.isNeeded && (kept[setting.name].map { (try? setting.check($0)) == nil } ?? true)
        }
        return PluginSettingFields(settings: shown, kept: before == nil ? [:] : kept)
    }

    /// What is wrong with it in this library.
    ///
    /// - Throws: what the store throws.
    static func check(_ shipped: ShippedPlugin, _ call: PageCall) throws -> PluginCheck {
        try call.context.look { session in
            PluginCheck(
                shipped.bundle, taken: ServedPaths.taken + (try PluginPaths.taken(in: session)),
                fields: try session.settings.customFields())
        }
    }
}
