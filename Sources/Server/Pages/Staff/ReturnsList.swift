import Circulation
import Desk
import Scripting
import TextFormats

/// What was checked in one after another, as the page's address has it: the names of the kept outcomes, the latest first.
struct ReturnsList {
    /// So many stay on the page.
    private static let most = 60
    private static let prefix = "page-"

    private var keys: [String]

    /// - Parameter text: of an address or a form, names of 32 digits between points; what is none of these is left out.
    init(_ text: String?) {
        keys = (text ?? "").split(separator: ".").prefix(Self.most).map(String.init).filter { key in
            key.utf8.count == 32 && key.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
    }

    var text: String { keys.joined(separator: ".") }

    /// With what was just done, by the name that the address has for it.
    func adding(_ did: String?) -> ReturnsList {
        guard let did, did.hasPrefix(Self.prefix), !keys.contains(String(did.dropFirst(Self.prefix.count))) else {
            return self
        }
        return ReturnsList(([String(did.dropFirst(Self.prefix.count))] + keys).joined(separator: "."))
    }

    /// The rows of the page, each with what to do with the copy.
    ///
    /// - Throws: what the store throws.
    func rows(_ call: PageCall) throws -> [[String: Any]] {
        let holder = try call.holder().id
        return try keys.compactMap { key in
            guard case .done(_, _, let details)? = try IdempotentForm.said(Self.prefix + key, to: holder, call),
                let name = details["name"]?.stringValue
            else { return nil }
            var row: [String: Any] = [
                "name": PageWords.safe(name), "barcode": PageWords.safe(details["barcode"]) ?? "",
                "what": PageWords.safe(details["what"]) ?? "", "isHold": details["place"] == "hold",
                "isTransit": details["place"] == "transit",
            ]
            row["owed"] = PageWords.safe(details["owed"])
            row["slip"] = details["hold"]?.integerValue.map { "/desk/holds/\($0)/slip" }
            if let patron = details["patron"]?.integerValue {
                row["patronLink"] = "/desk?id=\(patron)"
                row["patronName"] = try PatronFields.name(of: patron, call)
            }
            return row
        }
    }
}
