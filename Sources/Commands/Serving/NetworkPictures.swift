import Outbound
import Server

/// Pictures for pages, over the network: from public addresses over https, never from this machine or its network.
struct NetworkPictures: PictureSource {
    private static let limits = OutboundLimits(connecting: .seconds(3), inAll: .seconds(6), answerBytes: 2 << 20)

    func bytes(at url: String) throws -> [UInt8] {
        try WebEndpoint(url, limits: Self.limits).fetch(accept: "image/jpeg, image/png, image/gif, image/webp").body
    }
}
