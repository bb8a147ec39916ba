import CPostgres
import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of the tests' own: in a temporary folder, on a socket of its own, gone with the process that
/// started it, however that ends. It waits for the disk as a real one does.
///
/// `@unchecked Sendable`: the process and the pipe are touched by `start`, `stop` and `deinit` alone, under the lock.
package final class PostgresServer: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Where the server's programs are, nil where there are none.
    package static let programs: String? = {
        let known = ["15", "16", "17", "18"].map { "/usr/lib/postgresql/\($0)/bin" }
        return known.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    package static var isMissing: Bool { programs == nil }
    package static let reason = "PostgreSQL's server is not installed (Debian's postgresql-15)"

    /// One server for all tests of a process. It need not outlive a fall of the machine, so it waits for no disk; tests that
    /// are about that have a server of their own.
    private static let started = Result {
        try PostgresServer(settings: ["fsync = off", "full_page_writes = off"], strategy: "FILE_COPY")
    }
    package static var shared: PostgresServer { get throws { try started.get() } }

    /// Where the data and the socket are; short, as the name of a socket must be.
    package let folder: String
    let port: Int
    let programs: String
    /// What to put before a command that must not run as root.
    private let prefix: [String]
    private let lock = NSLock()
    private var process: Process?
    /// As long as this is open the server runs: the end of the test process closes it.
    private var lifeline: Pipe?
    /// How a new database comes from its template: a copy of files is the faster one where no disk is waited for.
    private let strategy: String
    private let databases = Atomic<Int>(0)
    private let templates = Mutex<Set<String>>([])

    /// Makes a server with nothing in it and starts it.
    ///
    /// - Parameters:
    ///   - settings: more of `postgresql.conf`.
    ///   - password: what the server asks of everybody; nil: nothing.
    ///   - certified: whether it answers on the loopback interface too, with a certificate for `localhost`.
    ///   - listening: whether it answers there without one.
    ///   - strategy: `WAL_LOG` or `FILE_COPY`, see PostgreSQL's `CREATE DATABASE`.
    package init(
        settings: [String] = [], password: String? = nil, certified: Bool = false, listening: Bool = false,
        strategy: String = "WAL_LOG"
    ) throws {
        guard let programs = Self.programs else { throw Failure(description: Self.reason) }
        self.strategy = strategy
        self.programs = programs
        folder = try Self.temporaryFolder()
        prefix = try Self.unprivileged(folder)
        let isOnLoopback = certified || listening
        port = isOnLoopback ? try Self.freePort() : 5_432
        try run(
            "initdb",
            [
                "-D", folder + "/data", "-U", "postgres", "-E", "UTF8", "--no-sync", "--no-instructions",
                // A language's order, so that whoever forgets to ask for that of code points is found out.
                "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US",
            ] + (try authentication(password)))
        let lines =
            [
                "listen_addresses = '\(isOnLoopback ? "localhost" : "")'", "port = \(port)",
                "unix_socket_directories = '\(folder)'", "max_connections = 200",
                "fsync = on", "synchronous_commit = on", "shared_buffers = 64MB", "max_wal_size = 4GB",
                "checkpoint_timeout = 1h",
                "autovacuum = off", "log_min_messages = fatal",
            ] + settings + (certified ? try certificate() : [])
        try configure(lines)
        try start()
    }

    private static func temporaryFolder() throws -> String {
        var template = Array("/tmp/moonshelf-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder") }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    func configure(_ lines: [String]) throws {
        let configuration = folder + "/data/postgresql.conf"
        let handle = try FileHandle(forWritingTo: URL(filePath: configuration))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try handle.close()
    }

    /// The place of a server that will follow another one: see ``follow(_:)``.
    package init(beside primary: PostgresServer) throws {
        programs = primary.programs
        strategy = primary.strategy
        folder = try Self.temporaryFolder()
        prefix = try Self.unprivileged(folder)
        port = primary.port
    }

    /// A certificate for `localhost`, signed by `authority.crt`; `stranger.crt` is an authority that signed nothing.
    private func certificate() throws -> [String] {
        let (key, certificate) = (folder + "/server.key", folder + "/server.crt")
        let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        for name in ["authority", "stranger"] {
            let files = ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).crt"]
            try run("/usr/bin/openssl", request + ["-subj", "/CN=\(name)"] + files)
        }
        try run(
            "/usr/bin/openssl",
            request + [
                "-CA", folder + "/authority.crt", "-CAkey", folder + "/authority.key", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE", "-keyout",
                key, "-out", certificate,
            ])
        return ["ssl = on", "ssl_cert_file = '\(certificate)'", "ssl_key_file = '\(key)'"]
    }

    /// A port of the loopback interface that nobody listens at.
    package static func freePort() throws -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isKnown else { throw Failure(description: "no free port") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private func authentication(_ password: String?) throws -> [String] {
        guard let password else { return ["-A", "trust"] }
        let file = folder + "/password"
        try Data((password + "\n").utf8).write(to: URL(filePath: file))
        return ["-A", "scram-sha-256", "--pwfile", file]
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// `initdb` refuses root: give the folder to somebody else and be them.
    private static func unprivileged(_ folder: String) throws -> [String] {
        guard geteuid() == 0 else { return [] }
        for name in ["postgres", "nobody"] {
            guard let user = getpwnam(name)?.pointee, chown(folder, user.pw_uid, user.pw_gid) == 0 else { continue }
            return ["/usr/bin/setpriv", "--reuid=\(user.pw_uid)", "--regid=\(user.pw_gid)", "--clear-groups"]
        }
        throw Failure(description: "there is no user but root to run PostgreSQL's server")
    }

    /// Starts the server, which must not be running, and waits until it answers.
    package func start() throws {
        let process = Process()
        let lifeline = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell outlives the tests by as long as the server needs to end, and then clears up if they did not.
        process.arguments =
            [
                "-c",
                """
                trap '' INT TERM HUP
                "$@" >>"$FOLDER/log" 2>&1 <&- &
                server=$!
                cat >/dev/null
                kill -INT $server
                wait $server
                [ -e "$FOLDER/kept" ] || rm -rf "$FOLDER"
                """, "server",
            ] + prefix + [programs + "/postgres", "-D", folder + "/data"]
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FOLDER": folder]
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try lifeline.fileHandleForReading.close()
        lock.withLock {
            self.process = process
            self.lifeline = lifeline
        }
        for _ in 0..<1_200 {
            if PQping("host=\(folder) port=\(port) dbname=postgres user=postgres") == PQPING_OK { return }
            usleep(50_000)
        }
        throw Failure(description: "the server does not start: \(log)")
    }

    /// Stops the server, as its administrator would in a hurry; the data stays.
    package func stop() {
        let (process, lifeline) = lock.withLock { () -> (Process?, Pipe?) in
            defer {
                self.process = nil
                self.lifeline = nil
            }
            return (self.process, self.lifeline)
        }
        guard let process else { return }
        _ = FileManager.default.createFile(atPath: folder + "/kept", contents: nil)
        try? lifeline?.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder + "/kept")
    }

    /// Ends the server as a loss of power would, as far as one can without a loss of power: what it has not written yet
    /// is gone.
    package func crash() throws {
        try end(with: SIGQUIT)
    }

    /// Kills the server: its sessions find out by themselves.
    package func kill() throws {
        try end(with: SIGKILL)
    }

    /// Kills the server and its sessions in one moment.
    package func killAll() throws {
        let processes = try processes("TRUE")
        try kill()
        for process in processes { Glibc.kill(process, SIGKILL) }
    }

    /// Kills one session: the server ends all others and recovers by itself.
    package func killSession() throws {
        let sessions = try processes("backend_type = 'client backend' AND pid <> pg_backend_pid()")
        if let session = sessions.randomElement() { Glibc.kill(session, SIGKILL) }
    }

    /// - Throws: ``Failure`` where it has not recovered within a minute from what was done to it before.
    private func processes(_ condition: String) throws -> [pid_t] {
        for _ in 0..<1_200 {
            let rows = try? execute("SELECT pid FROM pg_stat_activity WHERE \(condition)")
            if let rows { return rows.compactMap { $0[0].flatMap { pid_t($0) } } }
            usleep(50_000)
        }
        throw Failure(description: "the server does not recover: \(log)")
    }

    private func end(with signal: Int32) throws {
        let first = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
            .first
        guard let server = first.flatMap({ pid_t($0) }) else { throw Failure(description: "the server does not run") }
        Glibc.kill(server, signal)
        stop()
    }

    /// What the server wrote to its log.
    package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        let command = prefix + [program.hasPrefix("/") ? program : programs + "/" + program] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program): \(String(decoding: text, as: UTF8.self))")
        }
    }
}

// MARK: - Databases

extension PostgresServer {
    /// A database's address.
    package func url(_ database: String, user: String = "postgres", _ parameters: String = "") -> String {
        let socket = folder.replacingOccurrences(of: "/", with: "%2F")
        return
            "postgres://\(user)@/\(database)?host=\(socket)&port=\(port)\(parameters.isEmpty ? "" : "&" + parameters)"
    }

    // Databases go with the server: to drop one makes the server write all that the others have changed to the disk.

    /// A database's address over the loopback interface.
    package func url(host: String, _ database: String, _ parameters: String) -> String {
        "postgres://postgres@\(host):\(port)/\(database)?\(parameters)"
    }

    /// Makes an empty database.
    package func database() throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        try execute("CREATE DATABASE \(name) STRATEGY \(strategy)")
        return name
    }

    /// Makes a copy of a database that nobody is connected to.
    package func database(copying original: String) throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        try execute("CREATE DATABASE \(name) TEMPLATE \(original) STRATEGY \(strategy)")
        return name
    }

    /// Makes a database like another one, which `fill` has filled once.
    package func database(like template: String, _ fill: (_ url: String) throws -> Void) throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        try templates.withLock { templates in
            if !templates.contains(template) {
                try execute("CREATE DATABASE \(template)")
                try fill(url(template))
                templates.insert(template)
            }
            try execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY \(strategy)")
        }
        return name
    }

    /// Runs statements as the server's administrator.
    ///
    /// - Returns: the last answer's rows, as texts.
    @discardableResult
    package func execute(_ text: String, in database: String = "postgres") throws -> [[String?]] {
        let connection = PQconnectdb("host=\(folder) port=\(port) user=postgres dbname=\(database)")
        defer { PQfinish(connection) }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        let result = PQexec(connection, text)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw Failure(description: "\(text): \(PQerrorMessage(connection).map { String(cString: $0) } ?? "")")
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                guard PQgetisnull(result, row, column) == 0 else { return nil }
                return PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }
}
