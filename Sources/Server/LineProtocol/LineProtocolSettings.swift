/// How a ``BitBooksServer`` listens, and what it lets clients do.
package struct LineProtocolSettings: Hashable, Sendable {
    package var host = "127.0.0.1"
    /// 0: any that is free.
    package var port = 9090

    /// The openness of BitBooks' own server: a client acts for any user whom it names, without logging in.
    package var isOpen = false
    /// Whether `ADD_USER` makes accounts.
    package var takesSignUps = true
    /// Of those who sign up; nil: the library's first.
    package var category: String?
    package var homeBranch: String?

    /// Connections at once, and from one address (of IPv6: one network of 64 bits).
    package var mostConnections = 1_000
    package var mostConnectionsFromAddress = 200
    /// Bytes of a command. BitBooks cut them at 1,023.
    package var longestCommand = 8_192

    /// A command without a line feed has ended when nothing came for so long.
    package var silence = Duration.milliseconds(200)
    /// Within which a command that was begun must have ended.
    package var timeForCommand = Duration.seconds(10)
    /// How long a connection may wait for its next command, before and after a log-in.
    package var idleBeforeLogIn = Duration.seconds(5 * 60)
    package var idle = Duration.seconds(30 * 60)
    /// Within which a client must take a part of an answer, 64 KiB or less.
    package var timeToTake = Duration.seconds(30)
    /// How long commands in hand may take to end when the server stops.
    package var grace = Duration.seconds(10)

    package init() {}
}
