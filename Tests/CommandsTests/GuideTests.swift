import Foundation
import Testing

@Suite("The guides")
struct GuideTests {
    @Test(
        "a reader who follows a guide sees what it shows, block by block",
        arguments: [
            ("README.md", 7), ("docs/writing-policies.md", 20), ("docs/writing-reports.md", 20),
            ("docs/testing-policies.md", 8), ("docs/writing-plugins.md", 8), ("docs/importing.md", 8),
        ])
    func guides(page: String, least: Int) throws {
        let file = BuiltCommand.root.appending(path: page)
        var guide = Guide(try String(contentsOf: file, encoding: .utf8))
        let folder = try TemporaryFolder()
        try guide.follow(in: folder, now: "2026-12-23T10:00:00Z")
        #expect(guide.faults == [])
        #expect(guide.commands >= least)
    }

    @Test("a library that moves in by the guide sees what it shows, with the plugins beside it")
    func movingIn() throws {
        let file = BuiltCommand.root.appending(path: "docs/moving-in.md")
        var guide = Guide(try String(contentsOf: file, encoding: .utf8))
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: BuiltCommand.root.appending(path: "plugins"), to: folder.url.appending(path: "plugins"))
        try guide.follow(in: folder, now: "2026-12-23T10:00:00Z")
        #expect(guide.faults == [])
        #expect(guide.commands >= 10)
    }

    @Test(
        "a guide that shows something else, or has a block that is never run, is found out",
        arguments: [
            ("```console\n$ moonshelf eval '1 + 1'\n3\n```", 1),
            ("```console\n$ moonshelf eval '1 + 1'\n2\n```", 0),
            ("```console\n$ moonshelf eval '1 + 1'\n2\n3\n```", 1),
            ("```console\n$ moonshelf eval '1 + 1'\n```", 1),
            ("```console\n$ moonshelf eval '\"a b c\"'\na b ...\n```", 0),
            ("```console\n$ moonshelf eval '\"a b c\"'\n...\na b c\n...\n```", 0),
            ("```console\n$ moonshelf eval '\"a b c\"'\n...\nb\n...\n```", 1),
            ("```console\n$ moonshelf run a.lua\n```", 1),
            ("```lua a.lua\nprint(5)\n```\n\n```console\n$ moonshelf run a.lua\n5\n```", 0),
            ("```lua a.lua\nlocal a = 5\nprint(a)\n```\n\n```lua from a.lua\nprint(a)\n```", 0),
            ("```lua a.lua\nlocal a = 5\nprint(a)\n```\n\n```lua from a.lua\nprint(5)\n```", 1),
            ("```lua from none.lua\nprint(5)\n```", 1),
            ("```lua\nprint(5)\n```", 1), ("```sh\nls\n```", 1), ("```console\nmoonshelf eval 1\n```", 1),
        ])
    func faults(page: String, count: Int) throws {
        let folder = try TemporaryFolder()
        try #require(folder.command.run("init").status == 0)
        var guide = Guide(page)
        try guide.follow(in: folder, now: "2026-12-23T10:00:00Z")
        #expect(guide.faults.count == count, "\(guide.faults)")
    }
}
