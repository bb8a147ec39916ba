/// What the people of a sample library read, say and offer: `habits.json` of its folder. What is left out does not happen.
package struct SampleHabits: Hashable, Sendable, Decodable {
    /// What readers think of a title.
    package struct Review: Hashable, Sendable, Decodable {
        package var stars: Int64
        package var text: String
    }

    /// A list that a reader shows to all.
    package struct List: Hashable, Sendable, Decodable {
        package var name: String
        /// What its titles are.
        package var genre: String
    }

    /// A title that a reader asks for.
    package struct Suggestion: Hashable, Sendable, Decodable {
        package var isbn: String
        package var title: String
        package var author: String
        package var note: String
    }

    /// How often readers of a category take titles of a genre, one genre against the other.
    package var tastes: [String: [String: Int]] = [:]
    /// Categories whose readers offer and buy.
    package var traders: [String] = []
    /// Genres of what they offer.
    package var traded: [String] = []
    package var reviews: [Review] = []
    package var conditions: [String] = []
    /// What stands with an offer.
    package var offers: [String] = []
    package var questions: [String] = []
    /// What the seller says to the question at the same place.
    package var answers: [String] = []
    package var lists: [List] = []
    package var suggestions: [Suggestion] = []

    private enum CodingKeys: String, CodingKey {
        case tastes, traders, traded, reviews, conditions, offers, questions, answers, lists, suggestions
    }

    package init() {}

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ none: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? none
        }
        tastes = try value(.tastes, [:])
        traders = try value(.traders, [])
        traded = try value(.traded, [])
        reviews = try value(.reviews, [])
        conditions = try value(.conditions, [])
        offers = try value(.offers, [])
        questions = try value(.questions, [])
        answers = try value(.answers, [])
        lists = try value(.lists, [])
        suggestions = try value(.suggestions, [])
    }
}
