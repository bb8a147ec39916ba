import Foundation
import Glibc
import TestSupport
import Testing
import TextFormats

@Suite("Stores that cannot be written, or not now")
struct StoreFaultTests {
    /// Whether a file system can be mounted in a mount namespace of its own, which is gone with its last process.
    static let canMount: Bool = {
        let probe = try? Shell.run(
            "exec mount -t tmpfs none /mnt", [], in: FileManager.default.temporaryDirectory, mounting: true)
        return probe?.status == 0
    }()
    static let mountReason: Comment = "no file system can be mounted here"
    static let isRoot = geteuid() == 0

    static let program = BuiltCommand.executable.path(percentEncoded: false)
    static let lend = "return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"

    /// Titles enough to fill a small disk.
    static func manyTitles(_ count: Int) -> String {
        (0..<count).reduce(into: "title,authors,publisher\n") { text, number in
            text += "A title that is somewhat long no. \(number),An Author,A Publisher of Books\n"
        }
    }

    @Test(
        "a full disk is an error that says so, and the store is sound afterwards", .enabled(if: canMount, mountReason))
    func fullDisk() throws {
        let library = try SmallLibrary()
        try library.folder.write(StoreFaultTests.manyTitles(20_000), to: "many.csv")
        let result = try Shell.run(
            """
            mkdir disk && mount -t tmpfs -o size=4m none disk && cp moonshelf.db* disk/ || exit 99
            "$0" --store sqlite:disk/moonshelf.db import --json many.csv; echo "import $?" >&2
            "$0" --store sqlite:disk/moonshelf.db doctor; echo "doctor $?" >&2
            """, [StoreFaultTests.program], in: library.folder.url, mounting: true)
        let lines = result.error.split(separator: "\n").map(String.init)
        #expect(lines.contains("import 73"), "\(result)")
        #expect(lines.contains("doctor 0"), "\(result)")
        let failure = try JSONParser.parse(try #require(lines.first { $0.hasPrefix("{") }))
        #expect(failure["error"]?["code"] == "cannot_write")
    }

    @Test("a limit of the size of files is an error that says so and what was kept, not a crash")
    func fileSizeLimit() throws {
        let library = try SmallLibrary()
        let before = try #require(Int(try library.eval("return catalogue.count{}")))
        try library.folder.write(StoreFaultTests.manyTitles(20_000), to: "many.csv")
        // Blocks of 512 bytes.
        let result = try Shell.run(
            "ulimit -f 3000; exec \"$0\" import --json many.csv", [StoreFaultTests.program], in: library.folder.url)
        #expect(result.signal == nil && result.status == 73, "\(result)")
        #expect(try result.failure()["error"]?["code"] == "cannot_write")
        #expect(try library.isSound())
        let kept = try #require(Int(try library.eval("return catalogue.count{}"))) - before
        #expect(kept > 0)
        let note = "The first \(kept) records of many.csv are kept; importing again adds the rest."
        #expect(result.error.hasPrefix(note), "\(result)")
    }

    @Test("a write to a read-only file system fails and says so", .enabled(if: canMount, mountReason))
    func readOnlyFileSystem() throws {
        let library = try SmallLibrary()
        let result = try Shell.run(
            """
            mkdir disk && mount -t tmpfs none disk && cp moonshelf.db* disk/ && mount -o remount,ro disk || exit 99
            "$0" --store sqlite:disk/moonshelf.db eval --format json --allow loans.write "$1"; echo "eval $?" >&2
            "$0" --store sqlite:disk/new.db init; echo "init $?" >&2
            "$0" --store sqlite:disk/moonshelf.db export disk/out.json; echo "export $?" >&2
            """, [StoreFaultTests.program, StoreFaultTests.lend], in: library.folder.url, mounting: true)
        let lines = result.error.split(separator: "\n").map(String.init)
        #expect(lines.contains("eval 73"), "\(result)")
        #expect(lines.contains("init 73"), "\(result)")
        #expect(lines.contains { $0 == "export 73" || $0 == "export 69" }, "\(result)")
    }

    @Test(
        "a store that one may not write is refused for writing, and is as it was",
        .enabled(if: !isRoot || Shell.has("setpriv"), "root may write everything, and setpriv is not here"),
        arguments: ["chmod 444 moonshelf.db*; chmod 555 .", "chmod 444 moonshelf.db*", "chmod 000 moonshelf.db"])
    func withoutPermission(change: String) throws {
        let library = try SmallLibrary()
        let drop = StoreFaultTests.isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let owner = StoreFaultTests.isRoot ? "chown -R 65534 ." : "true"
        let result = try Shell.run(
            """
            \(owner); \(change)
            \(drop) "$0" eval --format json --allow loans.write "$1"; echo "eval $?" >&2
            chmod 755 . ; chmod 600 moonshelf.db*
            """, [StoreFaultTests.program, StoreFaultTests.lend], in: library.folder.url)
        let lines = result.error.split(separator: "\n").map(String.init)
        let isHidden = change.contains("000")
        #expect(lines.contains(isHidden ? "eval 69" : "eval 73"), "\(result)")
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
        #expect(try library.isSound())
    }

    @Test("a writer that finds the store locked is asked to try again, while readers go on")
    func locked() throws {
        let library = try SmallLibrary()
        let holder = try library.command.start(
            ["eval", "--allow", "loans.write", "store.transaction(function() \(StoreFaultTests.held) end)"])
        // Stopped in the middle of its transaction, it holds the lock and uses no processor.
        let marker = try #require(holder.output.firstLine())
        #expect(marker == "holding")
        kill(holder.process.processIdentifier, SIGSTOP)
        defer {
            kill(holder.process.processIdentifier, SIGKILL)
            _ = holder.wait()
        }
        let writer = try library.run("eval", "--format", "json", "--allow", "loans.write", StoreFaultTests.lend)
        #expect(writer.status == 75, "\(writer)")
        #expect(try writer.failure()["error"]?["code"] == "locked")
        #expect(try library.eval("return catalogue.count()") == "3")
        #expect(try library.isSound())
    }

    /// Lends, says so, and goes on for ever: in a transaction, what holds the lock.
    static let held = """
        assert(loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }) print('holding') while true do end
        """

    @Test("new stores can be read and written by their owner alone")
    func modeOfFiles() throws {
        let library = try SmallLibrary()
        for name in try FileManager.default.contentsOfDirectory(atPath: library.folder.path(""))
        where name.hasPrefix("moonshelf.db") {
            #expect(try permissions(ofFile: library.folder.path(name)) & 0o077 == 0, "\(name)")
        }
    }
}
