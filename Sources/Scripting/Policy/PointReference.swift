import Circulation

/// What the author of a function has to know about a decision point.
struct PointReference: Sendable {
    let point: DecisionPoint
    /// When the desk asks.
    let asked: String
    /// Parts of the case that are there whenever it is asked.
    let present: [String]
    /// Parts that are there in some cases.
    let possible: [String]
    /// What the function may answer, as Lua is annotated.
    let answer: String
    /// The same for a reader.
    let answers: String
    /// What holds where the policy has no such function, or it answers nothing.
    let standard: String

    /// All of them, in the order in which the desk declares the points.
    static let all: [PointReference] = [
        PointReference(
            point: .request, asked: "once for a request, before copies are chosen", present: ["request"], possible: [],
            answer: "answer?", answers: "`deny`, `confirm`, `allow { despite = }`",
            standard: "refused to whom the membership, a block or a suspension forbids it"),
        PointReference(
            point: .checkout, asked: "for each title that is asked for, with one copy of it",
            present: ["title", "request"],
            possible: ["copy"], answer: "answer?", answers: "`deny`, `confirm`, `allow { despite = }`",
            standard: "the standard checks"),
        PointReference(
            point: .due, asked: "after `checkout`; a renewal's due time is an answer of `renew`",
            present: ["title"], possible: ["copy", "request"], answer: "date|instant|nil",
            answers: "a date, an instant, `exact(...)`",
            standard: "the rule's `loan`"),
        PointReference(
            point: .renew, asked: "when a renewal is asked for, or due by itself", present: ["title", "copy", "loan"],
            possible: [], answer: "answer?", answers: "`deny`, `confirm`, `allow { due = }`, `allow { despite = }`",
            standard: "the rule; refused while others wait"),
        PointReference(
            point: .hold, asked: "when a hold is placed", present: ["title", "hold"], possible: ["copy"],
            answer: "answer?",
            answers: "`deny`, `confirm`, `allow { priority = }`, `allow { despite = }`",
            standard: "first come, first served"),
        PointReference(
            point: .recall, asked: "for each loan of a title that others wait for, until one is answered",
            present: ["title", "hold", "loan"], possible: ["copy"], answer: "date|instant|nil",
            answers: "an earlier due date", standard: "nothing is recalled"),
        PointReference(
            point: .overdue, asked: "by the sweep, for each open loan from `notices_from` before its due time on",
            present: ["title", "copy", "loan"], possible: [], answer: "effect|effect[]|nil",
            answers: "`notice`, `charge`, or a list of them", standard: "the rows of `notices`"),
        PointReference(
            point: .fine, asked: "by the sweep, and when a copy comes back", present: ["title", "copy", "loan"],
            possible: [], answer: "money?", answers: "the money that has come together so far",
            standard: "the rule's `fine`"),
        PointReference(
            point: .checkin, asked: "when a copy comes back", present: ["title", "copy", "loan"], possible: [],
            answer: "effect|effect[]|nil", answers: "`suspend`, `charge`, or a list of them",
            standard: "the rule's `suspension`"),
        PointReference(
            point: .lost, asked: "by the sweep beyond `lost_after`, and when staff declare a copy lost",
            present: ["title", "copy", "loan"], possible: [], answer: "effect|effect[]|nil",
            answers: "`declare_lost`, `charge`, or a list of them", standard: "the rule's `lost_fee`"),
        PointReference(
            point: .price,
            asked: "for a cart or an order, each seller's part alone, and for a rental or a loan that costs something",
            present: [], possible: ["title", "copy", "loan", "request", "listing", "lines"],
            answer: "money|price_line[]|nil",
            answers:
                "money, or a list of `{ label =, amount =, to = }`; in a seller's deal `to = \"library\"` is a fee "
                + "of the library's, all else the seller's",
            standard: "price times quantity; the rule's `rental`"),
        PointReference(
            point: .publish, asked: "when a listing or a suggestion comes in", present: [],
            possible: ["title", "copy", "listing", "suggestion"], answer: "answer",
            answers: "`allow()`, `review(message)`, `deny`; never nothing",
            standard: "titles new to the catalogue are left to staff"),
        PointReference(
            point: .notify, asked: "when there is something to tell a patron", present: ["event"],
            possible: ["title", "copy", "loan", "hold", "listing", "suggestion", "lines"],
            answer: "effect|effect[]|nil",
            answers: "`notice`", standard: "the desk's own words"),
        PointReference(
            point: .expiry, asked: "when a patron is registered without an end, and when a membership is renewed",
            present: [], possible: [], answer: "date|instant|unlimited|nil", answers: "a date, `unlimited`",
            standard: "the rows of `membership`"),
    ]
}
