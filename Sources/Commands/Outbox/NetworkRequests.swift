import Circulation
import Desk
import Outbound
import TOMLKit
import TextFormats

/// Brings requests of plugins, scripts and subscriptions to servers over the network: the table `[http]` of
/// `moonshelf.toml`.
struct NetworkRequests: RequestSender {
    var hostsOfScripts: Set<String> = []
    /// Hosts and ports of the library's own network that may be reached.
    private var inside: Set<String> = []
    private var authorities: String?
    private var limits = OutboundLimits(connecting: .seconds(10), inAll: .seconds(20), answerBytes: 1 << 20)

    static let tables = ["http"]

    /// - Throws: ``CommandFailure`` that names file, key and what was expected.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        guard var section = try ConfigurationSection("http", of: try file.table(), file: file) else { return }
        hostsOfScripts = Set(try Self.places("hosts", &section).map { "https://\($0)" })
        inside = Set(try Self.places("inside", &section))
        authorities = try section.file("ca_file")
        if let seconds = try section.number("time_limit", 1...30) {
            limits.inAll = .seconds(seconds)
            limits.connecting = .seconds(min(10, seconds))
        }
        try section.finish()
    }

    /// Hosts with their ports, `example.org` or `example.org:8443`.
    private static func places(
        _ key: String, _ section: inout ConfigurationSection
    ) throws(CommandFailure) -> [String] {
        var places: [String] = []
        for text in try section.texts(key) {
            guard let address = try? WebAddress("https://\(text)"), address.path.isEmpty else {
                throw section.fault(key, "lists hosts such as \"example.org\" or \"10.0.0.5:8443\"", near: text)
            }
            places.append(address.place)
        }
        return places
    }

    var timeLimit: Duration { limits.inAll }

    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? {
        if address.isLoopback {
            guard purpose == .webhook, !inside.contains(address.place) else { return nil }
            return "must not lead to this machine, unless 'inside' in [http] of moonshelf.toml names \(address.place)"
        }
        return address.scheme == "https" ? nil : "must be https://; http:// goes to this machine alone"
    }

    /// The addresses that a host may have: this machine's where it was named as such, its network's where the configuration
    /// grants them by name, else public ones alone.
    private func reach(of address: WebAddress) -> WebReach {
        if inside.contains(address.place) { return .anywhere }
        return address.isLoopback ? .loopback : .publicOnly
    }

    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        do throws(OutboundFailure) {
            let address: WebAddress
            do throws(WebAddress.Fault) {
                address = try WebAddress(call.url)
            } catch {
                throw OutboundFailure(.badAddress, "url \(error.words)")
            }
            if let fault = fault(of: address, for: purpose) { throw OutboundFailure(.badAddress, "url \(fault)") }
            let endpoint = try WebEndpoint(
                call.url, authorities: authorities, limits: limits, reach: reach(of: address))
            var headers: [WebHeader] = []
            for line in call.headers {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                guard
                    let header = WebHeader(
                        String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
                else { throw OutboundFailure(.badAddress, "'\(SafeText.line(String(line[..<colon])))' is no field.") }
                headers.append(header)
            }
            let response = try endpoint.send(
                call.method, call.body.map { Array($0.utf8) }, type: call.type, headers: headers)
            if response.isCut && call.method == "GET" {
                throw OutboundFailure(
                    .badAnswer, "\(endpoint.place): the answer is longer than \(limits.answerBytes) bytes")
            }
            return .success(
                WebAnswer(
                    status: response.status, headers: response.headers, body: response.body, pause: response.pause))
        } catch {
            return .failure(DeliveryFault(error))
        }
    }

    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? {
        do throws(OutboundFailure) {
            _ = try WebEndpoint(call.url).answer(WebResponse(status: answer.status, body: answer.body))
            return nil
        } catch {
            var fault = DeliveryFault(error)
            // A server that is busy, or wants to be left alone, is so for all that goes to it.
            fault.concernsChannel = fault.concernsChannel || [429, 502, 503, 504].contains(answer.status)
            return fault
        }
    }
}
