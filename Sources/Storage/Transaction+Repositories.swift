extension Transaction {
    package var settings: SettingsRepository { SettingsRepository(transaction: self) }
    package var titles: TitleRepository { TitleRepository(transaction: self) }
    package var copies: CopyRepository { CopyRepository(transaction: self) }
    package var patrons: PatronRepository { PatronRepository(transaction: self) }
    package var blocks: BlockRepository { BlockRepository(transaction: self) }
    package var loans: LoanRepository { LoanRepository(transaction: self) }
    package var holds: HoldRepository { HoldRepository(transaction: self) }
    package var inHouseUses: InHouseUseRepository { InHouseUseRepository(transaction: self) }
    package var listings: ListingRepository { ListingRepository(transaction: self) }
    package var orders: OrderRepository { OrderRepository(transaction: self) }
    package var rentals: RentalRepository { RentalRepository(transaction: self) }
    package var carts: CartRepository { CartRepository(transaction: self) }
    package var suggestions: SuggestionRepository { SuggestionRepository(transaction: self) }
    package var notices: NoticeRepository { NoticeRepository(transaction: self) }
    package var deliveries: DeliveryRepository { DeliveryRepository(transaction: self) }
    package var ledger: LedgerRepository { LedgerRepository(transaction: self) }
    package var policies: PolicyRepository { PolicyRepository(transaction: self) }
    package var events: EventRepository { EventRepository(transaction: self) }
    package var decisions: DecisionRepository { DecisionRepository(transaction: self) }
    package var facts: FactRepository { FactRepository(transaction: self) }
    package var statistics: StatisticsRepository { StatisticsRepository(transaction: self) }
    package var search: SearchRepository { SearchRepository(transaction: self) }
    package var jobs: JobRepository { JobRepository(transaction: self) }
    package var keys: KeyRepository { KeyRepository(transaction: self) }
    package var credentials: CredentialRepository { CredentialRepository(transaction: self) }
    package var integrity: IntegrityRepository { IntegrityRepository(transaction: self) }
}
