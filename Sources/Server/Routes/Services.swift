package import Circulation
package import Desk
import Plugins
import Scripting
package import Secrets

/// What a server works with.
package struct Services: Sendable {
    package let desk: Desk
    package let accounts: AccountManager
    package let clock: any Clock
    package let settings: ServerSettings
    package let lanes: WorkerLanes
    let callers = KnownCallers()
    package let teller: any ServerTeller
    package let reports: any ReportMaker
    package let appearance: PageAppearance
    let reportTurn = ReportTurn()
    let imports = ImportShelf()
    let pictures: PictureCache
    let shippedPlugins: ShippedPlugins
    let shippedPolicies: ShippedPolicies

    /// - Parameters:
    ///   - pictures: nil: pages show no pictures of other servers.
    ///   - monotonic: a clock that is never set back, for how long pictures are kept.
    package init(
        desk: Desk, accounts: AccountManager, clock: any Clock, settings: ServerSettings, lanes: WorkerLanes,
        teller: any ServerTeller, reports: any ReportMaker, appearance: PageAppearance = PageAppearance(),
        pictures: (any PictureSource)? = nil,
        monotonic: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.desk = desk
        self.accounts = accounts
        self.clock = clock
        self.settings = settings
        self.lanes = lanes
        self.teller = teller
        self.reports = reports
        self.appearance = appearance
        self.pictures = PictureCache(pictures, clock: monotonic)
        shippedPlugins = ShippedPlugins(folder: settings.plugins)
        shippedPolicies = ShippedPolicies(folder: settings.policies)
    }
}

extension Services {
    /// The way in for people who sign up and log in.
    func entrance(from origin: AttemptOrigin) -> AccountEntrance {
        AccountEntrance(accounts, from: origin, allowsSignUp: settings.allowsSignUp, category: settings.category)
    }
}

/// What a library says of its server.
package struct ServerSettings: Hashable, Sendable {
    /// The address at which people reach it, without a slash at the end: what links in mails begin with.
    package var url: String
    /// Whether people may make accounts for themselves.
    package var allowsSignUp: Bool
    /// The category of who signs up; nil: the first.
    package var category: String?
    /// The largest body of a request, in bytes.
    package var mostBytes: Int
    /// Requests of one address that go at once, and each second.
    package var burst: Int
    package var perSecond: Double
    /// How many seconds a request may take.
    package var seconds: Int
    /// Connections of one address at once; of trusted proxies there may be more.
    package var mostConnectionsFromAddress = 200
    /// Connections at once.
    package var mostConnections = 2_000
    /// Within how many seconds a client must take an answer.
    package var secondsToTake = 120
    /// After how many seconds of silence a connection ends; nil: twice what a request may take, so that a request that
    /// is too slow is answered first.
    package var secondsOfSilence: Int?
    /// Streams of events at once.
    package var mostStreams = 32
    /// How long a stream of events sleeps where nothing has happened.
    package var pauseOfEvents = Duration.milliseconds(500)
    /// After how long of silence a stream of events says that it is there.
    package var pauseOfHeartbeat = Duration.seconds(15)
    /// Proxies whose `X-Forwarded-For` is believed.
    package var trustedProxies: [AddressRange]
    /// The folder of the scripts that staff may run as reports; nil: there are none.
    package var scripts: String?
    /// The folder of the plugins that come with the program, which administrators may put into force; nil: there are none.
    package var plugins: String?
    /// The folder of the policies that come with the program, with which administrators may begin; nil: there are none.
    package var policies: String?
    /// What the link has in it by which a library without accounts is set up; nil: that is done already, or elsewhere.
    package var setUpToken: SecretToken?

    package init(
        url: String = "http://127.0.0.1:8080", allowsSignUp: Bool = true, category: String? = nil,
        mostBytes: Int = 1 << 20, burst: Int = 200, perSecond: Double = 50,
        seconds: Int = 30, trustedProxies: [AddressRange] = [],
        scripts: String? = nil
    ) {
        self.url = url
        self.allowsSignUp = allowsSignUp
        self.category = category
        self.mostBytes = mostBytes
        self.burst = burst
        self.perSecond = perSecond
        self.seconds = seconds
        self.trustedProxies = trustedProxies
        self.scripts = scripts
    }
}

/// What a server reports, and what it delegates to others.
package protocol ServerTeller: Sendable {
    /// A line of the access log.
    func access(_ line: String)
    /// A fault, for who runs the server.
    func fault(_ line: String)
    /// Sends a mail about an account. Returns at once.
    func send(_ mail: AccountMail)
}

/// A mail about an account.
package struct AccountMail: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// By the link a new password is set.
        case reset(link: String, until: Instant)
        /// By the link a new address is confirmed.
        case confirmation(link: String, until: Instant)
        /// To the address that was theirs until now.
        case addressChanged
    }

    package var kind: Kind
    /// The address.
    package var to: String
    package var patron: Patron
    package var library: LibrarySettings

    package init(kind: Kind, to: String, patron: Patron, library: LibrarySettings) {
        self.kind = kind
        self.to = to
        self.patron = patron
        self.library = library
    }
}
