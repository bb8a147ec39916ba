import Foundation
import LuaSyntax
import Testing

/// Lua's own tests, where they are available: a folder `lua-tests` beside the shared data, or what
/// `MOONSHELF_LUA_TESTS` names.
@Suite("Lua's own tests are read")
struct OfficialLuaTests {
    private static let folder: String? = {
        let environment = ProcessInfo.processInfo.environment
        let shared = environment["MOONSHELF_SHARED"] ?? "../shared"
        let places = [environment["MOONSHELF_LUA_TESTS"], shared + "/data/lua-tests", shared + "/lua-tests"]
        return places.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0 + "/calls.lua") }
    }()

    static let files =
        folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) }?.filter { $0.hasSuffix(".lua") }
        .sorted() ?? []

    @Test(
        "every file that Lua parses is parsed", .enabled(if: folder != nil, "MOONSHELF_LUA_TESTS names no folder"),
        arguments: files.isEmpty ? ["-"] : files)
    func parses(file: String) throws {
        let folder = try #require(Self.folder)
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(file)"))
        #expect(throws: Never.self) {
            try LuaParser.parse(Array(data), chunk: file, maximumSize: 4 << 20)
        }
    }
}
