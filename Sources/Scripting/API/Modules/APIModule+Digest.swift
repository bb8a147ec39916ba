import LuaRuntime
import Secrets
import TextFormats

extension APIModule {
    static let digest = APIModule(
        "digest", "Digests of texts (SHA-256, FIPS 180-4), and codes of who holds a secret (HMAC, RFC 2104).",
        [.sha256, .hmac, .same], callers: .everyone)
}

extension APIFunction {
    private static let longestText = 16 << 20

    private static let encoding = APIParameter.optional(
        "encoding", .choice(ByteEncoding.allCases.map(\.rawValue)), "how its bytes are written", standard: "\"hex\"")

    fileprivate static let sha256 = APIFunction(
        "sha256", "Gives the digest of a text.",
        [.required("text", .text(maximum: longestText)), encoding],
        returns: .value(.text),
        examples: [
            APIExample(
                #"digest.sha256("Dune")"#, #""baa25eb4ed6ca6eda34b8af32f78de3ac89cce7aa40f915606e92275a001cdaf""#)
        ]
    ) { call in
        let text: String = try call.arguments.need("text")
        return [.string(call.encoding.text(of: SHA256.bytes(of: text.utf8)))]
    }

    fileprivate static let hmac = APIFunction(
        "hmac", "Gives the code by which who holds a secret shows that a text is theirs and unchanged.",
        details: "Compare a code that came with a request by `digest.same`. A secret in Base64 is decoded where "
            + "`secret_encoding` says so; otherwise its own bytes count.",
        .named(
            "message", .required("secret", .text(maximum: 4096), "not empty"),
            .required("text", .text(maximum: longestText)), encoding,
            .optional(
                "secret_encoding", .choice(["text", "hex", "base64"]), "how the secret is written",
                standard: "\"text\"")),
        returns: .value(.text),
        examples: [
            APIExample(
                #"digest.hmac{ secret = "key", text = "Dune" }"#,
                #""0eda81e11a5f6477010d80098274e2f0605a057d877bc1387abba7e8ebb6b77e""#)
        ]
    ) { call in
        let secret: String = try call.arguments.need("secret")
        let key: [UInt8]?
        switch call.arguments["secret_encoding"] ?? "text" {
        case "hex": key = ByteEncoding.hexadecimal.bytes(of: secret)
        case "base64": key = ByteEncoding.base64.bytes(of: secret)
        default: key = Array(secret.utf8)
        }
        guard let key, !key.isEmpty else {
            throw call.fault("'secret' is empty, or not written as 'secret_encoding' says")
        }
        let text: String = try call.arguments.need("text")
        return [.string(call.encoding.text(of: MessageAuthentication.bytes(of: text.utf8, secret: key)))]
    }

    fileprivate static let same = APIFunction(
        "same", "Whether two texts are the same, in a time that does not tell where they differ.",
        [.required("one", .text(maximum: 4096)), .required("other", .text(maximum: 4096))],
        returns: .value(.boolean),
        examples: APIExample(#"digest.same(digest.sha256("a"), digest.sha256("b"))"#, "false")
    ) { call in
        let (one, other): (String, String) = (try call.arguments.need("one"), try call.arguments.need("other"))
        return [.boolean(MessageAuthentication.areSame(one.utf8, other.utf8))]
    }
}

extension APICall {
    fileprivate var encoding: ByteEncoding {
        arguments["encoding"].flatMap(ByteEncoding.init(rawValue:)) ?? .hexadecimal
    }
}
