import Foundation
import Testing
import TextFormats

@Suite("Manual and completion")
struct ManualTests {
    /// Writes the pages into a folder, and gives their texts by file.
    private func pages(in folder: borrowing TemporaryFolder) throws -> [String: String] {
        let result = try folder.command.run("manual", ".")
        #expect(result.status == 0, "\(result)")
        let path = folder.url.path(percentEncoded: false)
        var pages: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".1") {
            pages[name] = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        }
        return pages
    }

    @Test("there is a page for every command, and it names every option, argument and subcommand")
    func completeness() throws {
        let folder = try TemporaryFolder()
        let pages = try pages(in: folder)
        let program = try #require(try folder.command.run("--experimental-dump-help").json()["command"])
        let commands = (program["subcommands"]?.arrayValue ?? []).filter {
            $0["commandName"] != .string("help") && $0["shouldDisplay"] != .bool(false)
        }
        #expect(commands.count >= 13)
        #expect(pages.count == commands.count + 1)
        let whole = try #require(pages["moonshelf.1"])
        for command in commands {
            let name = try #require(command["commandName"]?.stringValue)
            let page = try #require(pages["moonshelf-\(name).1"])
            #expect(whole.contains(".Xr moonshelf-\(name) 1"))
            let family = command["subcommands"]?.arrayValue ?? [command]
            for member in family {
                let member = try #require(member.objectValue)
                if family.count > 1 {
                    #expect(page.contains(".Ss \"moonshelf \(name) \(member["commandName"]?.stringValue ?? "?")\""))
                }
                for argument in member["arguments"]?.arrayValue ?? [] {
                    let isEverywhere = argument["sectionTitle"] == .string("Options of every command")
                    let long = argument["preferredName"]?["name"]?.stringValue
                    let isGeneral = isEverywhere || long == "help" || long == "version"
                    let value = argument["valueName"]?.stringValue ?? ""
                    let expected = long.map { "Fl -\($0)" } ?? "Ar \(value.contains(" ") ? "\"\(value)\"" : value)"
                    #expect((isGeneral ? whole : page).contains(expected), "\(name): \(expected)")
                }
            }
        }
    }

    @Test("mandoc has no warning about any page", .enabled(if: Shell.has("mandoc"), "mandoc is not here"))
    func mandocLint() throws {
        let folder = try TemporaryFolder()
        for name in try pages(in: folder).keys.sorted() {
            let result = try Shell.run("mandoc -Tlint -Wwarning \(name)", [], in: folder.url)
            #expect(result.status == 0, "\(result)")
            #expect(result.output == "")
        }
    }

    @Test("groff sets every page without a warning", .enabled(if: Shell.has("groff"), "groff is not here"))
    func groffWarnings() throws {
        let folder = try TemporaryFolder()
        for name in try pages(in: folder).keys.sorted() {
            let result = try Shell.run("groff -ww -mandoc -Tutf8 -P -cbou \(name)", [], in: folder.url)
            #expect(result.status == 0)
            #expect(result.error == "", "\(result)")
            #expect(result.output.contains("SYNOPSIS"))
        }
    }

    @Test(
        "bash completes subcommands, policy files, options, words of options and names of the API",
        arguments: [
            (["pol"], ["policy"]), (["policy", "ro"], ["rollback"]), (["policy", "check", "sm"], ["small.lua"]),
            (["policy", "check", ""], ["small.lua"]), (["policy", "test", "small.lua", "--cov"], ["--coverage"]),
            (["run", "--format", ""], ["table", "json", "csv", "md", "html", "pdf"]), (["run", "sm"], ["small.lua"]),
            (["api", "loans.che"], ["loans.checkin", "loans.checkout"]),
            (["eval", "--allow", "loans.w"], ["loans.write"]),
            (["--conf"], ["--config"]), (["man"], []),
        ])
    func bash(words: [String], expected: [String]) throws {
        let folder = try TemporaryFolder()
        let script = try folder.command.run("--generate-completion-script", "bash")
        #expect(script.status == 0)
        try Data(script.output.utf8).write(to: folder.url.appending(path: "completion.bash"))
        for name in ["small.lua", "notes.txt"] { try Data().write(to: folder.url.appending(path: name)) }
        let typed = (["moonshelf"] + words).map { "'\($0)'" }.joined(separator: " ")
        // As bash itself does it: the function that `complete` names is called with the words and the cursor.
        let text = """
            source ./completion.bash
            COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            COMP_TYPE=9; COMP_KEY=9; COMPREPLY=()
            function=$(complete -p moonshelf | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            "$function" moonshelf "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            for reply in "${COMPREPLY[@]}"; do echo "$reply"; done
            """
        try Data(text.utf8).write(to: folder.url.appending(path: "ask.sh"))
        let result = try Shell.run("bash --norc --noprofile ask.sh", [], in: folder.url)
        #expect(result.output.split(separator: "\n").map(String.init).sorted() == expected.sorted(), "\(result)")
    }

    @Test("what is installed works from where it was put, and has its manual, completions and samples")
    func installation() throws {
        let folder = try TemporaryFolder()
        let script = BuiltCommand.root.appending(path: "tools/install").path(percentEncoded: false)
        let program = BuiltCommand.executable.path(percentEncoded: false)
        let result = try Shell.run("\"$0\" \"$1\" usr", [script, program], in: folder.url)
        #expect(result.status == 0, "\(result)")
        for file in [
            "man/man1/moonshelf.1", "man/man1/moonshelf-policy.1", "bash-completion/completions/moonshelf",
            "zsh/site-functions/_moonshelf", "fish/vendor_completions.d/moonshelf.fish", "moonshelf/moonshelf.lua",
            "moonshelf/scripts/overdue.lua", "doc/moonshelf/writing-policies.md",
        ] {
            let path = folder.url.appending(path: "usr/share/\(file)").path(percentEncoded: false)
            #expect(FileManager.default.isReadableFile(atPath: path), "\(file)")
        }
        let first = try Shell.run("usr/bin/moonshelf init --sample", [], in: folder.url)
        #expect(first.output.contains("usr/share/moonshelf/data"), "\(first)")
        let second = try Shell.run("usr/bin/moonshelf policy new --from public mine.lua", [], in: folder.url)
        #expect(second.output == "mine.lua\nmine_test.lua\n", "\(second)")
    }

    @Test(
        "api tells about names of the language of policies, and of both where a name is of both",
        arguments: [
            ("deny", "a word of policies"), ("given", "a word of tests of policies"), ("checkout", "a decision point"),
            ("fine_cap", "a field of rules"), ("case.patron", "fees_owed: money"), ("case.calendar", "next_open(date)"),
            ("loan", "A loan, open or past."), ("loan", "How long a loan lasts."),
        ])
    func names(name: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run("api", name)
        #expect(result.status == 0)
        #expect(result.output.contains(expected), "\(result)")
    }

    @Test("api names the nearest name of the language of policies as well")
    func nearestName() throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run("api", "fine_cpa")
        #expect(result.status == 2)
        #expect(result.error.contains("did you mean 'fine_cap'?"), "\(result)")
    }

    @Test("fish completes subcommands and policy files", .enabled(if: Shell.has("fish"), "fish is not here"))
    func fish() throws {
        let folder = try TemporaryFolder()
        let script = try folder.command.run("--generate-completion-script", "fish")
        try Data(script.output.utf8).write(to: folder.url.appending(path: "completion.fish"))
        try Data().write(to: folder.url.appending(path: "small.lua"))
        for (line, expected) in [("moonshelf pol", "policy\t"), ("moonshelf policy check sm", "small.lua")] {
            let result = try Shell.run(
                "fish --no-config -c \"source completion.fish; complete -C '$0'\"", [line], in: folder.url)
            #expect(result.output.hasPrefix(expected), "\(result)")
        }
    }

    @Test(
        "zsh and fish take their scripts",
        arguments: ["zsh", "fish"].filter { Shell.has($0) })
    func otherShells(shell: String) throws {
        let folder = try TemporaryFolder()
        let script = try folder.command.run("--generate-completion-script", shell)
        #expect(script.status == 0)
        try Data(script.output.utf8).write(to: folder.url.appending(path: "completion"))
        let result = try Shell.run("\(shell) -n completion", [], in: folder.url)
        #expect(result.status == 0, "\(result)")
        #expect(script.output.contains("policy"))
    }
}
