package import Circulation

/// A copy to be fetched from the open shelves for a hold.
package struct PullItem: Hashable, Sendable {
    package var hold: Hold
    package var copy: Copy
    package var title: Title
}
