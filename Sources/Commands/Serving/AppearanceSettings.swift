import Foundation
import Languages
import Server

/// How the pages look and what languages they and letters speak: the table `[pages]` of `moonshelf.toml`.
struct AppearanceSettings: Sendable {
    static let tables = ["pages"]

    /// A folder with catalogues (`fr.po`), `style.css` and a logo; nil: none.
    private var folder: URL?
    private(set) var languages = Languages.shipped

    private static let mostBytesOfCatalogue = 4 << 20
    private static let mostBytesOfStyle = 1 << 18
    private static let mostBytesOfLogo = 1 << 20
    private static let logos = [("logo.svg", "image/svg+xml"), ("logo.png", "image/png"), ("logo.webp", "image/webp")]

    /// - Throws: ``CommandFailure`` that names file, key or line and what was expected.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        guard var section = try ConfigurationSection("pages", of: try file.table(), file: file) else { return }
        let standard = try section.text("language")
        let path = try section.text("folder")
        try section.finish()
        var catalogues: [(name: String, text: String)] = []
        if let path {
            let folder = URL(filePath: path)
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
                throw section.fault("folder", "must be a folder that can be read, and \"\(path)\" is none")
            }
            for name in names.sorted() where name.hasSuffix(".po") {
                let bytes = try Self.read(folder.appending(path: name), Self.mostBytesOfCatalogue)
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw Self.fault("\(path)/\(name)", "The catalogue is not UTF-8.")
                }
                catalogues.append(("\(path)/\(name)", text))
            }
            self.folder = folder
        }
        do throws(CatalogueFile.Fault) {
            languages = try Languages(files: catalogues, standard: standard)
        } catch {
            if error.file == "language" { throw section.fault("language", "is unknown: \(error.message)") }
            throw CommandFailure(
                .wrongUsage, code: "catalogue",
                message: error.message.prefix(1).uppercased() + error.message.dropFirst() + ".",
                file: error.file, line: error.line)
        }
    }

    /// - Throws: ``CommandFailure`` for a file that cannot be read or is too large.
    func appearance() throws(CommandFailure) -> PageAppearance {
        var appearance = PageAppearance(languages: languages)
        guard let folder else { return appearance }
        appearance.stylesheet = try Self.asset(
            "style.css", "text/css; charset=utf-8", Self.mostBytesOfStyle, in: folder)
        for (name, type) in Self.logos where appearance.logo == nil {
            appearance.logo = try Self.asset(name, type, Self.mostBytesOfLogo, in: folder)
        }
        return appearance
    }

    /// A file of the folder; nil if it is not there.
    private static func asset(
        _ name: String, _ type: String, _ most: Int, in folder: URL
    ) throws(CommandFailure) -> PageAppearance.Asset? {
        let file = folder.appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return PageAppearance.Asset(try read(file, most), type: type, name: name)
    }

    private static func read(_ file: URL, _ most: Int) throws(CommandFailure) -> [UInt8] {
        guard let data = try? Data(contentsOf: file) else { throw fault(file.relativePath, "The file cannot be read.") }
        guard data.count <= most else {
            throw fault(file.relativePath, "The file has \(data.count) bytes, at most \(most) are taken.")
        }
        return Array(data)
    }

    private static func fault(_ file: String, _ message: String) -> CommandFailure {
        CommandFailure(.wrongUsage, code: "configuration", message: message, file: file)
    }
}

extension Workplace {
    /// How pages look and what is spoken, by the configuration in force.
    func appearanceSettings() throws -> AppearanceSettings { try AppearanceSettings(configurationFile()) }
}
