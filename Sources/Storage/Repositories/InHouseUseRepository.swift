package import Circulation

/// Uses of copies in the house.
package struct InHouseUseRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<InHouseUse>()
}
