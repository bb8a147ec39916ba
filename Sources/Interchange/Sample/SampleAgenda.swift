import Circulation

/// What people of the sample library are going to do, by day and minute.
struct SampleAgenda {
    enum Act: Hashable {
        /// A reader comes to a desk and looks for something to read.
        case visit(reader: Int, branch: String)
        case bringBack(loan: Int64, branch: String)
        /// A copy that was sent, or is asked for elsewhere, goes through the hands of staff.
        case scan(barcode: String, branch: String)
        /// A reader takes what stands on the hold shelf.
        case fetch(patron: Int64, barcode: String, branch: String)
        case renew(loan: Int64)
        case lose(loan: Int64, branch: String)
        case rate(patron: Int64, title: Int64)
        case beginList(Int)
        case addToList(Int64, patron: Int64, genre: String)
        case suggest(Int)
        case decide(suggestion: Int64)
        case buyCopy(title: Int64, branch: String)
        case trade(Trade)
    }

    /// What happens on the market.
    enum Trade: Hashable {
        case offer
        case ask(listing: Int64, seller: Int64)
        case answer(conversation: Int64, seller: Int64, question: Int)
        case take(listing: Int64, seller: Int64)
        case handOver(order: Int64, seller: Int64)
        case giveBack(rental: Int64, lender: Int64)
        case withdraw(listing: Int64, seller: Int64)
    }

    private struct Entry {
        var minute: Int
        var act: Act
    }

    private var days: [CivilDate: [Entry]] = [:]

    mutating func plan(_ act: Act, on day: CivilDate, minute: Int) {
        days[day, default: []].append(Entry(minute: minute, act: act))
    }

    /// Takes what was planned for a day and those before it, by the minute, and what is at the same minute as it was planned.
    mutating func take(through day: CivilDate) -> [(minute: Int, act: Act)] {
        let due = days.keys.filter { $0 <= day }.sorted()
        let entries = due.flatMap { days[$0] ?? [] }.enumerated().sorted {
            ($0.element.minute, $0.offset) < ($1.element.minute, $1.offset)
        }
        for date in due { days[date] = nil }
        return entries.map { ($0.element.minute, $0.element.act) }
    }
}
