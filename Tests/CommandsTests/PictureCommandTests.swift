import Circulation
import Foundation
import Pictures
import TestSupport
import Testing

/// A run of the process that reads one picture.
private struct PictureRun {
    /// With which it ended by itself; nil: something ended it.
    var status: Int32?
    var signal: Int32?
    var output: [UInt8]

    init(_ bytes: [UInt8], arguments: [String] = []) throws {
        let folder = try TemporaryFolder()
        let (source, target) = (folder.url.appending(path: "in"), folder.url.appending(path: "out"))
        try Data(bytes).write(to: source)
        try Data().write(to: target)
        let process = Process()
        process.executableURL = BuiltCommand.executable
        process.arguments = ["picture"] + arguments
        process.environment = [:]
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: target)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let isExit = process.terminationReason == .exit
        (status, signal) = isExit ? (process.terminationStatus, nil) : (nil, process.terminationStatus)
        output = Array(try Data(contentsOf: target))
    }

    /// What was written.
    var picture: WrittenPicture? { status == 0 ? WrittenPicture(answer: output) : nil }
    var fault: PictureFault? { PictureWork.fault(status: status) }
}

@Suite("Pictures that people give")
struct PictureCommandTests {
    static let kinds: [(name: String, bytes: [UInt8])] = [
        ("JPEG", SamplePicture.jpeg), ("PNG", SamplePicture.png), ("GIF", SamplePicture.gif),
        ("WebP", SamplePicture.webp),
    ]

    @Test("a picture of each kind is written anew as JPEG of the same sides", arguments: Self.kinds.indices)
    func writing(index: Int) throws {
        let picture = try #require(try PictureRun(Self.kinds[index].bytes).picture)
        for image in [picture.whole, picture.small] {
            #expect(image.width == 48 && image.height == 32)
            #expect(image.bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) && image.bytes != Self.kinds[index].bytes)
        }
    }

    @Test("a large picture is made small, in its proportions, within its bytes")
    func scaling() throws {
        let picture = try #require(
            try PictureRun(
                SamplePicture.png(width: 1500, height: 500) { x, y in
                    [UInt8(truncatingIfNeeded: x &* 31 ^ y), UInt8(truncatingIfNeeded: y &* 17 ^ x), 90, 255]
                }
            ).picture)
        #expect(picture.whole.width == 1200 && picture.whole.height == 400)
        #expect(picture.small.width == 320 && picture.small.height == 106)
    }

    @Test("a picture that compresses badly is made smaller until it has no more bytes than it may")
    func noise() throws {
        var random = SplitMix(seed: 7)
        let bytes = SamplePicture.png(width: 1200, height: 1200) { _, _ in
            let value = random.next()
            return [
                UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value >> 16), 255,
            ]
        }
        let picture = try #require(try PictureRun(bytes).picture)
        #expect(picture.whole.bytes.count <= PictureLimits.mostWritten && picture.whole.width >= 600)
        #expect(picture.small.bytes.count <= PictureLimits.mostSmall)
    }

    @Test("what is transparent becomes white")
    func transparency() throws {
        func written(_ pixel: [UInt8]) throws -> WrittenPicture? {
            try PictureRun(SamplePicture.png(width: 16, height: 16) { _, _ in pixel }).picture
        }
        let white = try #require(try written([255, 255, 255, 255]))
        #expect(try written([10, 20, 30, 0]) == white)
        #expect(try written([10, 20, 30, 255]) != white)
    }

    @Test("a photograph is turned as its EXIF block says, and the block is gone", arguments: 1...8)
    func orientation(_ number: UInt8) throws {
        // Four fields of one colour each, of whole blocks of JPEG.
        func fields(_ width: Int, _ height: Int, _ from: (Bool, Bool) -> (Bool, Bool)) -> [UInt8] {
            SamplePicture.png(width: width, height: height) { x, y in
                let (isRight, isLow) = from(x >= width / 2, y >= height / 2)
                return [isRight ? 200 : 40, isLow ? 180 : 60, isRight && isLow ? 220 : 30, 255]
            }
        }
        // Where in the photograph that is which is to be seen at a place.
        let places: [(Bool, Bool) -> (Bool, Bool)] = [
            { ($0, $1) }, { (!$0, $1) }, { (!$0, !$1) }, { ($0, !$1) }, { ($1, $0) }, { ($1, !$0) }, { (!$1, !$0) },
            { (!$1, $0) },
        ]
        let isOnItsSide = number >= 5
        let photograph = try #require(try PictureRun(fields(96, 64) { ($0, $1) }).picture).whole.bytes
        let seen = try #require(
            try PictureRun(fields(isOnItsSide ? 64 : 96, isOnItsSide ? 96 : 64, places[Int(number) - 1])).picture)
        let given = SamplePicture.photograph(photograph, orientation: number)
        #expect(String(decoding: given, as: UTF8.self).contains("GPS 52.5200"))
        let picture = try #require(try PictureRun(given).picture)
        #expect(picture == (try PictureRun(seen.whole.bytes).picture))
        for image in [picture.whole, picture.small] {
            let text = String(decoding: image.bytes, as: UTF8.self)
            #expect(!text.contains("Exif") && !text.contains("GPS") && !text.contains("CREATOR"))
        }
    }

    @Test(
        "what is no picture is refused, whatever it says that it is",
        arguments: [
            "", "G", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><script>1</script></svg>",
            "<?xml version=\"1.0\"?><svg/>", "<html><img src=x onerror=alert(1)>", "%PDF-1.7", "BM    ",
            "#define a_width 1",
            "gd2\0", "RIFF    WAVE", "P6 1 1 255 abc", "II*\0", "\u{0}\u{0}\u{0} ftypavif",
        ])
    func strangers(text: String) throws {
        let run = try PictureRun(Array(text.utf8))
        #expect(run.fault == .unknown && run.output.isEmpty)
    }

    static let bombs: [(name: String, bytes: [UInt8])] = [
        ("PNG", SamplePicture.png(width: 50_000, height: 50_000, rows: [0])),
        ("PNG of one row", SamplePicture.png(width: 2_000_000_000, height: 1, rows: [0])),
        ("JPEG", SamplePicture.jpeg.replacing([0, 0x20, 0, 0x30, 3], with: [0xFF, 0xFF, 0xFF, 0xFF, 3])),
        ("GIF", SamplePicture.gif.replacing([0x30, 0, 0x20, 0], with: [0xFF, 0xFF, 0xFF, 0xFF])),
        (
            "WebP",
            Array("RIFF\u{16}\0\0\0WEBPVP8X\u{0A}\0\0\0\0\0\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        ),
        ("a file of 9 MB", SamplePicture.jpeg + [UInt8](repeating: 0, count: 9 << 20)),
    ]

    @Test("a picture that says it is huge is refused before it is unpacked", arguments: Self.bombs.indices)
    func size(index: Int) throws {
        let run = try PictureRun(Self.bombs[index].bytes)
        #expect(run.fault == .tooLarge && run.output.isEmpty, "\(Self.bombs[index].name)")
    }

    @Test("a file that ends too early is refused", arguments: Self.kinds.indices)
    func truncation(index: Int) throws {
        let bytes = Self.kinds[index].bytes
        for count in [12, 30, bytes.count / 3, bytes.count / 2, bytes.count * 9 / 10, bytes.count - 3] {
            let run = try PictureRun(Array(bytes[..<count]))
            // A GIF and a JPEG have all of their picture before their last bytes.
            guard run.picture == nil || count == bytes.count - 3 else {
                Issue.record("\(Self.kinds[index].name) of \(count) bytes was read")
                continue
            }
            #expect(run.picture != nil || run.fault == .damaged)
        }
    }

    @Test("what hides in a picture does not come through")
    func polyglots() throws {
        let words = Array("<html><script>alert(1)</script>".utf8)
        let gif = SamplePicture.gif
        // Behind the colours, where comments stand.
        let comment = gif[..<19] + [0x21, 0xFE, UInt8(words.count)] + words + [0] + gif[19...]
        let jpeg =
            SamplePicture.jpeg[..<2] + [0xFF, 0xFE, 0, UInt8(words.count + 2)] + words + SamplePicture.jpeg[2...]
        for bytes in [Array(comment), Array(jpeg), gif + words, SamplePicture.jpeg + words, SamplePicture.png + words] {
            let picture = try #require(try PictureRun(bytes).picture)
            for image in [picture.whole, picture.small] {
                #expect(!String(decoding: image.bytes, as: UTF8.self).contains("script"))
            }
        }
    }

    @Test(
        "a process that reads pictures is ended where it would do anything else",
        arguments: ["open", "socket", "exec", "fork", "kill", "code", "map"])
    func seal(deed: String) throws {
        #expect(try PictureRun([], arguments: ["--attempt", deed]).signal == SIGSYS)
    }

    @Test("of descriptors it has its input and output, and of memory a part", arguments: ["read", "write", "memory"])
    func bounds(deed: String) throws {
        #expect(try PictureRun([1], arguments: ["--attempt", deed]).fault == .damaged)
        #expect(try PictureRun([1], arguments: ["--attempt", "nothing"]).status == 0)
    }

    @Test("a damaged picture is read or refused, and nothing unsound comes of it", arguments: Self.kinds.indices)
    func damage(index: Int) throws {
        var mutator = ByteMutator(seed: UInt64(index) + 1)
        for _ in 0..<25 {
            let run = try PictureRun(mutator.mutate(Self.kinds[index].bytes))
            #expect(run.fault != nil || run.picture != nil)
            #expect(run.fault?.code != .unavailable)
            if run.fault != nil { #expect(run.output.isEmpty) }
        }
    }
}
