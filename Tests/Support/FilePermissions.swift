import Foundation

/// What a file's owner, group and others may do with it, such as 0o600.
package func permissions(ofFile path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let permissions = attributes[.posixPermissions] as? NSNumber else {
        throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    return permissions.intValue
}
