extension Decision {
    /// Where no function says otherwise: a title that is new to the catalogue is for staff to decide on, the rest is
    /// published.
    package static func standardPublication(of question: Case) -> Decision {
        let isKnown = question.title != nil
        return Decision(
            point: .publish, answer: isKnown ? .allow : .review,
            message: isKnown ? nil : "The title is new to the catalogue.")
    }
}
