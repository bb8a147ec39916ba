import Foundation
import Testing

/// Arrows point down only: a target imports targets of lower layers, never one beside or above it.
@Suite("Layers")
struct LayerTests {
    /// The layer of each target, as `docs/architecture.md` describes them.
    static let layers: [String: Int] = [
        "CLua": 0, "CLuaGuard": 0, "CTerminal": 0, "CMemory": 0, "CPostgres": 0, "CCurl": 0, "CArgon2": 0,
        "CSolver": 0, "CMARC": 0, "CSheets": 0, "CPictures": 0,
        "TextFormats": 0, "Threads": 0, "Circulation": 0, "LuaSyntax": 0,
        "Storage": 1, "Secrets": 1, "LuaRuntime": 1, "Outbound": 1, "LineEditing": 1, "Prover": 1,
        "MARC": 1, "Sheets": 1, "Languages": 1, "Pictures": 1,
        "Desk": 2, "Reports": 2,
        "Market": 3,
        "Scripting": 4,
        "Workbench": 5, "Interchange": 5, "Schedule": 5,
        "Plugins": 6,
        "Terminal": 7, "Server": 7,
        "Commands": 8,
        "moonshelf": 9,
    ]

    /// The few arrows inside a layer.
    static let allowedWithinLayer: [String: Set<String>] = [
        "CLuaGuard": ["CLua"], "Circulation": ["TextFormats"], "LuaSyntax": ["TextFormats"],
    ]

    /// Modules that only the named targets may import.
    static let confined: [String: Set<String>] = [
        "GRDB": ["Storage"], "GRDBSQLite": ["Storage"], "CLuaGuard": ["LuaRuntime"], "CLua": ["CLuaGuard"],
        "CTerminal": ["LineEditing"], "CMemory": ["Storage"], "CPostgres": ["Storage"], "CCurl": ["Outbound"],
        "CArgon2": ["Secrets"], "CSolver": ["Prover"], "CMARC": ["MARC"], "CSheets": ["Sheets"],
        "CPictures": ["Pictures"],
        "ArgumentParser": ["Commands"], "Crypto": ["TextFormats", "Secrets"],
        "TOMLKit": ["Commands"], "Subprocess": ["Schedule"], "SystemPackage": ["Schedule"],
        "Hummingbird": ["Server"], "NIOCore": ["Server"], "NIOPosix": ["Server"], "HTTPTypes": ["Server"],
        "ServiceLifecycle": ["Server"], "Mustache": ["Server"],
    ]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct Import: CustomStringConvertible {
        var target: String
        var module: String
        var file: String
        var line: Int
        var description: String { "\(file):\(line) imports \(module)" }
    }

    static func imports() throws -> [Import] {
        let sources = root.appending(path: "Sources")
        let pattern = try Regex(
            #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|typealias|let|var)\s+)?(\w+)"#
        )
        var found: [Import] = []
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let path = file.path(percentEncoded: false).dropFirst(sources.path(percentEncoded: false).count)
            let components = path.split(separator: "/", omittingEmptySubsequences: true)
            let target = String(components.first ?? "")
            let text = try String(contentsOf: file, encoding: .utf8)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if let match = try pattern.firstMatch(in: String(line)), let module = match.output[1].substring {
                    found.append(
                        Import(
                            target: target, module: String(module), file: components.joined(separator: "/"),
                            line: index + 1))
                }
            }
        }
        return found
    }

    @Test("every folder of Sources is a target with a layer")
    func everyTargetHasALayer() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Sources").path(percentEncoded: false))
        #expect(Set(folders) == Set(Self.layers.keys))
    }

    @Test("a target imports only targets of lower layers")
    func importsPointDown() throws {
        let imports = try Self.imports()
        #expect(imports.count > 50, "the scan found too few imports to mean anything")
        let upward = imports.filter { entry in
            guard let from = Self.layers[entry.target], let into = Self.layers[entry.module] else { return false }
            if Self.allowedWithinLayer[entry.target]?.contains(entry.module) == true { return false }
            return into >= from
        }
        #expect(upward.isEmpty, "imports that point up or sideways: \(upward)")
    }

    @Test("libraries stay behind the target that wraps them")
    func librariesAreConfined() throws {
        let strays = try Self.imports().filter { entry in
            guard let allowed = Self.confined[entry.module] else { return false }
            return !allowed.contains(entry.target)
        }
        #expect(strays.isEmpty, "imports outside the wrapping target: \(strays)")
    }

    @Test("GRDB's types stay in the folder of the SQLite driver")
    func grdbStaysInItsFolder() throws {
        let strays = try Self.imports().filter { $0.module.hasPrefix("GRDB") && !$0.file.hasPrefix("Storage/SQLite/") }
        #expect(strays.isEmpty, "GRDB outside Storage/SQLite: \(strays)")
    }

    @Test("libpq stays in the folder of the PostgreSQL driver")
    func libpqStaysInItsFolder() throws {
        let strays = try Self.imports().filter {
            $0.module == "CPostgres" && !$0.file.hasPrefix("Storage/PostgreSQL/")
        }
        #expect(strays.isEmpty, "libpq outside Storage/PostgreSQL: \(strays)")
    }

    @Test("the desk, the market and what lies below know no Lua")
    func deskKnowsNoLua() throws {
        let strays = try Self.imports().filter {
            ["Market", "Desk", "Storage", "Circulation", "TextFormats"].contains($0.target) && $0.module.contains("Lua")
        }
        #expect(strays.isEmpty, "Lua below the scripting layer: \(strays)")
    }
}
