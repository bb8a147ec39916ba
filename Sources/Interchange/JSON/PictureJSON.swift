import Circulation
import Pictures
import TextFormats

/// A picture as exports have it: both files in base64, with their sides in pixels.
extension WrittenPicture {
    var json: JSON { .object(["whole": whole.json, "small": small.json]) }

    /// - Returns: nil for anything that is not written as an export writes it.
    init?(json: JSON) {
        guard let whole = json["whole"].flatMap(Image.init(json:)), let small = json["small"].flatMap(Image.init(json:))
        else { return nil }
        self.init(whole: whole, small: small)
        guard isSound else { return nil }
    }
}

extension WrittenPicture.Image {
    fileprivate var json: JSON {
        .object([
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "jpeg": .string(Base64Text.of(bytes)),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let width = json["width"]?.integerValue, let height = json["height"]?.integerValue,
            let bytes = json["jpeg"]?.stringValue.flatMap(Base64Text.bytes(of:))
        else { return nil }
        self.init(width: Int(clamping: width), height: Int(clamping: height), bytes: bytes)
    }
}

extension MemberReader {
    /// A picture as an export wrote it; what is none is a fault of the record.
    mutating func picture(_ value: JSON, _ name: String) -> WrittenPicture? {
        if let picture = WrittenPicture(json: value) { return picture }
        reject(name, "wrong_type", "expected a picture as an export writes it: 'whole' and 'small', JPEG in base64")
        return nil
    }
}
