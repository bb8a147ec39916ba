import Circulation
import Foundation
import Languages
import LuaSyntax
import Scripting
import Storage
import Testing
import Workbench

/// What other people's tools make of the generated files.
@Suite("Tools for Lua files")
struct LuaToolTests {
    private static let luacheck = LuaTool.find("luacheck", variable: "MOONSHELF_LUACHECK")
    private static let server = LuaTool.find("lua-language-server", variable: "MOONSHELF_LUA_LANGUAGE_SERVER")

    /// A folder as a library has it, with the generated files.
    private func folder(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-lua-\(UUID().uuidString)")
        let generated = [
            ".luacheckrc": APIReferencePage.luacheck.render(testNames: PolicyTestWord.paths),
            "docs/moonshelf.lua": APIReferencePage.luacats.render(testWords: PolicyTestWord.all),
            ".luarc.json": #"{ "runtime.version": "Lua 5.4", "workspace.library": ["docs/moonshelf.lua"] }"#,
        ]
        for (name, text) in generated.merging(files, uniquingKeysWith: { $1 }) {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    /// The policies and scripts that come along, by path.
    private func shipped() throws -> [String: String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var files: [String: String] = [:]
        for part in ["policies", "scripts"] {
            let path = root.appending(path: part).path(percentEncoded: false)
            for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".lua") {
                files["\(part)/\(name)"] = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
            }
        }
        return files
    }

    @Test(
        "luacheck finds in each kind of file what that kind does not have, and nothing else",
        .enabled(if: luacheck != nil, "luacheck is not here (Debian: lua-check)"))
    func luacheckFindings() throws {
        let tool = try #require(Self.luacheck)
        let folder = try folder([
            "policies/a.lua": "io.open(\"x\")\nreturn policy { rules = { { loan = days(1) } } }\n",
            "policies/b.lua": "return policy { when = patrons.count() }\n",
            "policies/b_test.lua": "expect(given {}, {})\npatrons.count()\ncase()\n",
            "scripts/c.lua": "patrons.count()\npatrons.cuont()\ndeny(\"a\", \"b\")\n",
        ])
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try tool.run(["--formatter", "plain", "--codes", "policies", "scripts"], in: folder)
        let found = result.output.split(separator: "\n").map { line in
            line.split(separator: ":").prefix(2).joined(separator: ":")
        }
        #expect(
            found.sorted() == [
                "policies/a.lua:1", "policies/b.lua:1", "policies/b_test.lua:3", "scripts/c.lua:2", "scripts/c.lua:3",
            ])
    }

    @Test(
        "luacheck has nothing to say about the policies and scripts that come along",
        .enabled(if: luacheck != nil, "luacheck is not here (Debian: lua-check)"))
    func luacheckShipped() throws {
        let folder = try folder(shipped())
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try #require(Self.luacheck).run(["--formatter", "plain", "policies", "scripts"], in: folder)
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    /// Simple reports of all measures, split in each way.
    private func built() throws -> [String: String] {
        let today = try CivilDate(year: 2026, month: 12, day: 24)
        var files: [String: String] = [:]
        for measure in FigureMeasure.all {
            for rows in measure.dimensions {
                for columns in [nil] + measure.dimensions.filter({ $0.isForColumns && $0 != rows }).map(Optional.some) {
                    for chart in ReportChoice.Chart.allCases {
                        let fields = [
                            "measure": measure.name, "rows": rows.rawValue, "columns": columns?.rawValue ?? "",
                            "chart": chart.rawValue,
                        ]
                        let choice = try ReportChoice(fields, today: today) { _, _ in true }
                        for language in Languages.shipped.all where language.code == "en" || chart == .bar {
                            let name = "scripts/\(choice.name)_\(chart)_\(language.code).lua"
                            files[name] = ReportScript(choice, in: language).text
                        }
                    }
                }
            }
        }
        return files
    }

    @Test("what the report builder writes is found right by the check of scripts")
    func builtChecked() throws {
        for (name, text) in try built() {
            let findings = ScriptCheck.findings(in: try LuaParser.parse(text, chunk: name))
            #expect(findings.isEmpty, "\(name): \(findings)")
        }
    }

    @Test(
        "luacheck has nothing to say about what the report builder writes",
        .enabled(if: luacheck != nil, "luacheck is not here (Debian: lua-check)"))
    func luacheckBuilt() throws {
        let built = try built()
        #expect(built.count > 500)
        let folder = try folder(built)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try #require(Self.luacheck).run(["--formatter", "plain", "scripts"], in: folder)
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    @Test(
        "the Lua language server takes the stubs, and has nothing to say about what comes along",
        .enabled(if: server != nil, "lua-language-server is not here; name it with MOONSHELF_LUA_LANGUAGE_SERVER"))
    func serverShipped() throws {
        let folder = try folder(shipped())
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = try #require(Self.server).problems(in: folder)
        #expect(output.contains("no problems found"), "\(output)")
    }

    @Test(
        "the Lua language server finds slips in policies and scripts by the stubs",
        .enabled(if: server != nil, "lua-language-server is not here; name it with MOONSHELF_LUA_LANGUAGE_SERVER"),
        arguments: [
            ("return policy { checkout = function(case) return deny(case.patron.fees_owd, \"a\") end }", "fees_owd"),
            ("return policy { due = function(case) return money \"1.00\" end }", "return-type-mismatch"),
            ("return policy { rules = { { loan = \"two weeks\" } } }", "loan"),
            ("print(loans.chekout)", "chekout"),
            ("loans.renew(true)", "param-type-mismatch"),
            ("local ada = patrons.get(\"ada\") print(ada.name)", "need-check-nil"),
            ("local loan = loans.renew(1) print(loan.due_on)", "need-check-nil"),
            ("print((today() - date \"2026-01-01\").cuont)", "cuont"),
        ])
    func serverFindings(source: String, expected: String) throws {
        let folder = try folder(["a.lua": source + "\n"])
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = try #require(Self.server).problems(in: folder)
        #expect(output.contains(expected), "\(output)")
    }
}

/// A program that checks Lua files.
private struct LuaTool {
    let path: String

    /// The program that a variable names, or the first of that name on the path.
    static func find(_ name: String, variable: String) -> LuaTool? {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        let candidates = [environment[variable]].compactMap { $0 } + folders
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }.map { LuaTool(path: $0) }
    }

    func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// What the language server says of the files of a folder.
    func problems(in folder: URL) throws -> String {
        let path = folder.path(percentEncoded: false)
        return try run(["--check=\(path)", "--checklevel=Hint", "--logpath=\(path)/log"], in: folder).output
    }
}
