import Foundation
import TestSupport
import Testing
import TextFormats

/// Pictures from the bytes of a camera to a store, a page and another store, by the built command.
@Suite("Uploaded pictures")
struct UploadedPictureTests {
    /// The body of an answer as JSON.
    private static func json(_ answer: String) throws -> JSON {
        let parts = answer.components(separatedBy: "\r\n\r\n")
        return try JSONParser.parse(parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    @Test("a seller's photograph is served without its place, kept through an export, and gone with the offer")
    func whole() throws {
        let serving = try ServeCommandTests.Serving()
        let command = serving.library.command
        _ = try command.run(["account", "add", "zoe"], input: "a good password\n")
        let key = try command.run("account", "key", "zoe", "--label", "camera")
        let bearer = "Authorization: Bearer \(key.output.trimmingCharacters(in: .newlines))\r\n"
        let offered = try serving.post(
            "/api/v1/listings", #"{"isbn":"\#(SmallLibrary.emma)","kind":"donate"}"#, bearer)
        let listing = try #require(try Self.json(offered)["id"]?.integerValue, "\(offered)")
        let path = "/api/v1/listings/\(listing)/pictures"
        func send(_ bytes: [UInt8]) throws -> String {
            try serving.post(path, JSON.object(["image": .string(Base64Text.of(bytes))]).text(), bearer)
        }
        let refused = try send(Array(SamplePicture.jpeg.prefix(300)))
        #expect(refused.hasPrefix("HTTP/1.1 409") && refused.contains("picture_damaged"), "\(refused)")
        let added = try send(SamplePicture.photograph(SamplePicture.jpeg, orientation: 6))
        #expect(added.hasPrefix("HTTP/1.1 201"), "\(added)")
        let name = try #require(try Self.json(added)["pictures"]?.arrayValue?.first?.stringValue)
        let picture = try serving.get("/pictures/\(name).jpg")
        #expect(picture.hasPrefix("HTTP/1.1 200") && picture.contains("image/jpeg") && picture.contains("JFIF"))
        #expect(!picture.contains("GPS") && !picture.contains("Exif"))
        #expect(try command.run("doctor").status == 0)

        let file = serving.library.folder.url.appending(path: "all.jsonl").path(percentEncoded: false)
        let exported = try command.run("export", file)
        #expect(exported.status == 0, "\(exported)")
        let other = ["--store", "sqlite:other.db"]
        _ = try command.run(["init"] + other)
        let imported = try command.run(["import", file] + other)
        #expect(imported.status == 0, "\(imported)")
        let named = try command.run(["eval", "market.listings{}[1].pictures[1]"] + other)
        #expect(named.output.contains(name), "\(named)")
        let doctor = try command.run(["doctor"] + other)
        #expect(doctor.status == 0, "\(doctor)")

        let gone = try serving.exchange(
            "DELETE /api/v1/listings/\(listing) HTTP/1.1\r\nHost: localhost\r\n\(bearer)Connection: close\r\n\r\n")
        #expect(gone.hasPrefix("HTTP/1.1 200"), "\(gone)")
        #expect(try serving.get("/pictures/\(name).jpg").hasPrefix("HTTP/1.1 404"))
        #expect(serving.end(SIGTERM).status == 0)
    }
}
