/// Whether a transaction may be kept together with those of others who write to the store at the same time.
package enum CommitSharing: Hashable, Sendable {
    /// One request of one caller, done within milliseconds: it may share a commit with others that wait, so that one
    /// wait for the disk serves all of them.
    case shared
    /// What may take long, for which no other answer should wait.
    case alone
}
