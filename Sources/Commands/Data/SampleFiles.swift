import Circulation
import Desk
import Foundation
import Interchange
import Pictures

/// The files of the sample library.
struct SampleFiles {
    var folder: String
    var policy: String

    /// What is imported, in this order; a sample of one's own need not have copies beside those of its titles.
    var records: [String] {
        let copies = folder + "/copies.csv"
        return ["/settings.json", "/titles.csv"].map { folder + $0 }
            + (FileManager.default.fileExists(atPath: copies) ? [copies] : []) + [folder + "/patrons.csv"]
    }

    /// The titles that most people read: those for which there are covers, whether or not pictures can be read here.
    func popular() -> Set<ISBN> {
        Set(coverNames.compactMap { try? ISBN(Self.stem(of: $0)) })
    }

    private var coverNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/covers")) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func stem(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Pictures of covers, each of a file that is called as the ISBN of its title; none where there is no such folder, or where
    /// pictures cannot be read.
    func covers(readBy desk: Desk) throws -> [(isbn: ISBN, picture: WrittenPicture, file: String)] {
        try coverNames.compactMap { name in
            let file = folder + "/covers/" + name
            guard let isbn = try? ISBN(Self.stem(of: name)) else {
                throw CommandFailure(
                    .badData, code: "sample", message: "A cover is called as the ISBN of its title: 9780441172719.png",
                    file: file)
            }
            switch desk.read(picture: Array(try Data(contentsOf: URL(filePath: file)))) {
            case .success(let picture): return (isbn, picture, file)
            case .failure(let fault) where fault.code == .unavailable: return nil
            case .failure(let fault):
                throw CommandFailure(.badData, code: "sample", message: fault.description, file: file)
            }
        }
    }

    /// What the people of the sample read and say; nothing much where that is not written.
    func habits() throws -> SampleHabits {
        let file = folder + "/habits.json"
        guard FileManager.default.fileExists(atPath: file) else { return SampleHabits() }
        do {
            return try JSONDecoder().decode(SampleHabits.self, from: Data(contentsOf: URL(filePath: file)))
        } catch let error as DecodingError {
            throw CommandFailure(.badData, code: "sample", message: error.place, file: file)
        }
    }

    /// The named folder, or `data` in this folder, or `data` beside or above the program.
    static func find(_ named: String?) throws -> SampleFiles {
        let candidates =
            named.map { [URL(filePath: $0)] } ?? [URL(filePath: "data")] + ShippedFolders.places(of: "data")
        for candidate in candidates {
            let folder = candidate.path(percentEncoded: false)
            let policy = candidate.deletingLastPathComponent().appending(path: "policies/university.lua")
            if FileManager.default.fileExists(atPath: folder + "/settings.json") {
                return SampleFiles(folder: folder, policy: policy.path(percentEncoded: false))
            }
        }
        throw CommandFailure.usage("The sample's files are not here; name their folder with --data.")
    }
}

extension DecodingError {
    /// Where something else was expected, and what: `reviews.3.stars: Expected to decode Int64 but found a string instead.`
    fileprivate var place: String {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "It cannot be read."
        }
        var path = context.codingPath
        if case .keyNotFound(let key, _) = self { path.append(key) }
        let names = path.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
        return (names.isEmpty ? "" : names.joined(separator: ".") + ": ") + context.debugDescription
    }
}
