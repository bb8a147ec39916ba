package import Circulation
import Storage

extension CatalogueService {
    private static let lookedAt: Int64 = 20

    /// Titles that are likely this one, entered twice.
    package func likelyDuplicates(of title: Title) throws -> [(title: Title, why: LikelyDuplicate)] {
        try session.transaction.titles.namesakes(of: title, limit: Self.lookedAt)
            .compactMap { other in LikelyDuplicate.of(title, other).map { (other, $0) } }
    }
}
