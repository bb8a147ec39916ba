import Scripting
import TextFormats

/// The fields that a browser sent with a form or a query.
struct PageForm {
    private let members: [(name: String, value: String)]
    private var files: [String: MultipartForm.File] = [:]

    /// The names of boxes of which several may be ticked.
    private static let boxes: Set<String> = ["title"]

    /// - Throws: ``Problem`` for what no form sends.
    init(query: String?) throws(Problem) { members = try RequestText.members(of: query ?? "") }

    /// Fields by their names, as if they had been sent.
    init(_ fields: [String: String]) { members = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The fields in the body of a request.
    ///
    /// - Throws: ``Problem`` for what no form sends.
    init(body request: WebRequest) throws(Problem) {
        if let boundary = MultipartForm.boundary(of: request.field("content-type")) {
            let form = try MultipartForm(request.body, boundary: boundary)
            (members, files) = (form.members, form.files)
            return
        }
        let type = request.field("content-type")?.split(separator: ";").first.map { $0.lowercased() }
        guard request.body.isEmpty || type?.trimmingSpaces() == "application/x-www-form-urlencoded",
            let text = String(validating: request.body, as: UTF8.self)
        else {
            throw Problem(415, "media_type", "The request is not a form.")
        }
        members = try RequestText.members(of: text, boxes: Self.boxes)
    }

    /// A field as it was sent.
    subscript(name: String) -> String? { members.first { $0.name == name }?.value }

    /// The bytes of a file; nil: none was chosen.
    func file(_ name: String) -> [UInt8]? { files[name].flatMap { $0.bytes.isEmpty ? nil : $0.bytes } }

    /// A file with its name; nil: none was chosen.
    func upload(_ name: String) -> MultipartForm.File? { files[name].flatMap { $0.bytes.isEmpty ? nil : $0 } }

    /// A field without spaces at its ends; nil if it is empty.
    func text(_ name: String) -> String? {
        guard let value = self[name]?.trimmingSpaces(), !value.isEmpty else { return nil }
        return value
    }

    /// All fields that are not empty, as ``text(_:)`` returns them.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for (name, _) in members { texts[name] = text(name) }
        return texts
    }

    /// The values of a field that was sent several times.
    func all(_ name: String) -> [String] { members.filter { $0.name == name }.map(\.value) }

    /// Parts of a field, separated by commas or semicolons.
    func parts(_ name: String) -> [String] {
        (text(name) ?? "").split { $0 == "," || $0 == ";" }.map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }

    /// A text that is equal when the same form is sent again.
    var fingerprint: String {
        let texts = members.filter { $0.name != "seal" }.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }
        let digests = files.sorted { $0.key < $1.key }.map { "\($0.key)=\(SHA256.hexadecimal(of: $0.value.bytes))" }
        return (texts + digests).joined(separator: "&")
    }
}
