import Foundation
import NIOCore

/// The port that was to be listened at cannot be had.
package struct ListeningFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ error: IOError, _ host: String, _ port: Int) {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        description = "\(place) cannot be listened at: \(String(cString: strerror(error.errnoCode)))."
    }
}
