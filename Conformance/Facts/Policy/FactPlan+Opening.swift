import Circulation
import Desk
import Storage
import TextFormats

extension FactPlan {
    /// Reads all that may be given about lending, renewing and the patron, whatever the operation.
    func readDesk() throws {
        try readCalendar()
        try readTime()
        try readLoanTerms()
        try readRenewalTerms()
        try readStanding()
        try readLimits()
        try readStock()
        try readHoldTerms()
        try readFineTerms()
        try readRentalTerms()
        finishRenewals()
    }

    /// The last lines of the function `renew`.
    private func finishRenewals() {
        if renewedDue != nil && policy.everything["renewal_period"]?.hasSuffix("(0)") == true {
            despiteAtRenewal.append("too_soon")
        }
        if !despiteAtRenewal.isEmpty || !renewalAnswers.isEmpty {
            policy.add(to: "renew", "local waived = \(LuaText.list(despiteAtRenewal, always: true))")
            for line in renewalAnswers { policy.add(to: "renew", line) }
            let due = renewedDue.map { ", due = \($0)" } ?? ""
            policy.add(to: "renew", "if #waived > 0 then return allow { despite = waived\(due) } end")
        }
        if let renewedDue {
            policy.add(
                to: "renew", "local granted = standard(case, rule)",
                "if granted and granted.due then return allow { due = \(renewedDue) } end")
        }
    }

    /// The library as it stands before the fact's policy comes into force.
    func openLibrary(store: (any Store)? = nil) throws -> (library: FactLibrary, title: FactTitle) {
        let epoch = try min(now, loan.lentAt ?? now).adding(hours: -24 * 500)
        let library = try FactLibrary(zone: zone, calendar: calendar, at: epoch, store: store)
        libraries.append(library)
        for code in branches where !code.isEmpty { try library.addBranch(code, calendar: calendar) }
        for type in itemTypes where type.parent == nil { try library.addItemType(type.code) }
        for type in itemTypes { try library.addItemType(type.code, parent: type.parent) }
        try library.addItemType(itemType)
        for code in categories + [category] { try library.addCategory(code) }
        try library.activate(Self.everythingGoes)
        if category != "patron" || !patronExtra.isEmpty {
            let (category, extra) = (category, patronExtra)
            try library.change { reader in
                reader.category = category
                reader.extra = extra
            }
        }
        let title = try library.addTitle(
            "asked", copies: copies, branch: copyBranch ?? FactLibrary.branch, itemType: itemType, price: price,
            extra: titleExtra)
        for step in before { try step(library, title) }
        return (library, title)
    }

    /// Puts the fact's policy into force and goes to the moment of the operation.
    func beginOperation(_ library: FactLibrary, _ title: FactTitle, isInForce: Bool = false) throws {
        library.travel(to: now)
        if !isInForce { try library.activate(policy) }
        for step in after { try step(library, title) }
    }

    /// The loan that the operation is about, and then the moment of the operation.
    func beginWithLoan(_ library: FactLibrary, _ title: FactTitle) throws -> Loan {
        let due = loan.due
        let lentAt = try loan.lentAt ?? min(now, due?.instant ?? now).adding(hours: -24 * 10)
        guard lentAt <= now else { throw NotExpressed("the loan begins after the operation") }
        library.travel(to: lentAt)
        if loan.isUnderPolicy { try library.activate(policy) }
        guard let barcode = title.barcodes.first else { throw NotExpressed("there is no copy to lend") }
        var lent = try library.lend(barcode, onSite: loan.onSite, at: branch)
        for count in 0..<max(loan.renewals, loan.unseenRenewals) {
            let isUnseen = count < loan.unseenRenewals
            try library.travel(to: lentAt.adding(seconds: count + 1))
            lent = try library.renew(lent, channel: isUnseen ? .web : .desk).done("a renewal beforehand")
        }
        if let due { lent = try library.setDue(lent, due) }
        try beginOperation(library, title, isInForce: loan.isUnderPolicy)
        return try library.loan(lent)
    }

    /// A policy under which everything goes, for what happened before.
    static let everythingGoes: PolicyText = {
        var policy = PolicyText(name: "before")
        policy.description = "Everything goes, so that what is given can be brought about."
        policy.everything = PolicyText.Row([
            "loan": "days(530)", "renewals": "unlimited", "renew_from": "\"due\"", "closed": "\"keep\"",
            "due_expiry": "false",
        ])
        return policy
    }()
}
