import Circulation
import Storage
package import TextFormats

extension EventBody {
    /// Appends the payload as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    private func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .libraryChanged(let library): writer.members(of: library)
        case .branchAdded(let branch), .branchUpdated(let branch): writer.members(of: branch)
        case .categoryAdded(let category), .categoryUpdated(let category): writer.members(of: category)
        case .itemTypeAdded(let itemType), .itemTypeUpdated(let itemType): writer.members(of: itemType)
        case .branchRemoved(let code), .categoryRemoved(let code), .itemTypeRemoved(let code):
            writer.member("code", code)
        case .titleAdded(let title), .titleUpdated(let title): writer.members(of: title)
        case .titleRemoved(let id), .patronRemoved(let id): writer.member("id", id)
        case .copyAdded(let copy), .copyUpdated(let copy), .copyWithdrawn(let copy): writer.members(of: copy)
        case .copyUsedInHouse(let use): writer.members(of: use)
        case .patronAdded(let patron, let fields), .patronUpdated(let patron, let fields):
            writer.members(of: patron)
            writer.member("personal", fields)
        case .patronMerged(let merge): merge.writeMembers(to: &writer)
        case .patronBlocked(let block), .patronUnblocked(let block): writer.members(of: block)
        case .loanMade(let loan), .loanImported(let loan): writer.members(of: loan)
        case .loanRenewed(let change), .loanDueSet(let change), .loanRecalled(let change), .loanLost(let change),
            .loanClaimed(let change):
            change.writeMembers(to: &writer)
        case .hold(let change): change.writeMembers(to: &writer)
        case .holdsMoved(let holds): writer.list("holds", holds) { $0.members(of: $1) }
        case .market(let event): event.writeMembers(to: &writer)
        case .loanReturned(let back): back.writeMembers(to: &writer)
        case .loanRenewalImported(let past): past.writeMembers(to: &writer)
        case .policyOverridden(let override): override.writeMembers(to: &writer)
        case .policyActivated(let activation, _), .policyWithdrawn(let activation): writer.members(of: activation)
        case .policyFailed(let failed): failed.writeMembers(to: &writer)
        case .accountChanged(let change): change.writeMembers(to: &writer)
        case .eventsCleared(let clearing): clearing.writeMembers(to: &writer)
        case .decisionsPruned(let pruning): pruning.writeMembers(to: &writer)
        case .requestRefused(let refused): refused.writeMembers(to: &writer)
        case .noticeRecorded(let notices): writer.list("notices", notices) { $0.members(of: $1) }
        case .noticeChanged(let change): change.writeMembers(to: &writer)
        case .ledgerPosted(let entries): writer.list("entries", entries) { $0.members(of: $1) }
        }
    }
}

extension LoanChange {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.members(of: loan)
        writer.member("previous_due_at", previousDueAt)
        writer.member("reason", reason)
    }
}

extension PatronMerge {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("from", from)
        writer.member("into", into)
        writer.member("reason", reason)
    }
}

extension LoanReturn {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("loan", loan)
        writer.member("copy", copy)
        writer.member("patron", patron)
        writer.member("returned_at", returnedAt)
    }
}

extension PastRenewal {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("loan", loan)
        writer.member("copy", copy)
        writer.member("patron", patron)
        writer.member("renewed_at", renewedAt)
    }
}

extension PolicyOverride {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("patron", patron)
        writer.member("title", title)
        writer.member("copy", copy)
        writer.member("loan", loan)
        writer.member("codes", codes)
        writer.member("policy", policy)
        writer.member("reason", reason)
    }
}

extension FailedDecision {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("point", point.rawValue)
        writer.member("policy", policy)
        writer.member("code", failure.code)
        writer.member("message", failure.message)
        writer.member("file", failure.file)
        writer.member("line", failure.line.map(Int64.init))
        writer.member("patron", patron)
        writer.member("title", title)
        writer.member("copy", copy)
        writer.member("loan", loan)
    }
}

extension RefusedRequest {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("request", request)
        writer.member("patron", patron)
        writer.member("titles", ids: titles)
        writer.member("copy", copy)
        writer.member("loan", loan)
        writer.key("refusal")
        writer.value(refusal.json)
    }
}

extension NoticeChange {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("notice", notice)
        writer.member("patron", patron)
        writer.member("loan", loan)
        writer.member("state", state.rawValue)
        writer.member("sent_at", sentAt)
        writer.member("read_at", readAt)
        writer.member("tries", tries)
        writer.member("carried_by", carriedBy)
        writer.member("failure", failure)
    }
}
