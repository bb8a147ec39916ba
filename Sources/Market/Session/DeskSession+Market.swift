package import Desk

extension DeskSession {
    package var market: MarketService { MarketService(session: self) }
    package var suggestions: SuggestionService { SuggestionService(session: self) }
    package var carts: CartService { CartService(session: self) }
    package var conversations: ConversationService { ConversationService(session: self) }
    package var favourites: FavouriteService { FavouriteService(session: self) }
}
