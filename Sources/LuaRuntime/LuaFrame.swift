internal import CLuaGuard

/// Host memory that a call reads through records and lists: filled, handed to one or more calls, then dead.
///
/// Strings are copied once, into an arena that is used again; nothing else is allocated. Records of an ended frame raise
/// "record is no longer valid" when read. Setting a field that the type does not have is a programmer's error.
package final class LuaFrame {
    let pointer: OpaquePointer
    /// Keeps the memory alive.
    private let state: LuaState

    /// Throws `unavailable` without memory.
    package init(_ state: LuaState) throws(LuaError) {
        state.prepareEntry()
        guard let pointer = guard_frame_new(state.machine) else {
            throw LuaError(code: .unavailable, message: "there is no memory for a frame")
        }
        self.pointer = pointer
        self.state = state
    }

    deinit {
        guard_frame_release(pointer)
    }

    /// Starts anew: all records handed out before are dead.
    package func begin() { guard_frame_begin(pointer) }
    /// Ends the life of every record handed out.
    package func end() { guard_frame_end(pointer) }

    /// What ``record(_:)-(LuaRecordKind)`` takes for records of a type: looked up once, not for each record.
    package func kind(of type: LuaRecordType) throws(LuaError) -> LuaRecordKind {
        LuaRecordKind(number: try state.number(of: type))
    }

    /// A record with all fields nil.
    package func record(_ kind: LuaRecordKind) throws(LuaError) -> LuaRecordRef {
        let number = guard_frame_record(pointer, kind.number)
        guard number >= 0 else { throw LuaError(code: .memory, message: "there is no memory for a record") }
        return LuaRecordRef(number: number)
    }

    /// The same for a type that is looked up.
    package func record(_ type: LuaRecordType) throws(LuaError) -> LuaRecordRef {
        try record(kind(of: type))
    }

    /// A list of `count` elements, all nil.
    package func list(of count: Int) throws(LuaError) -> LuaListRef {
        let number = guard_frame_list(pointer, Int32(clamping: count))
        guard number >= 0 else { throw LuaError(code: .memory, message: "there is no memory for a list") }
        return LuaListRef(number: number)
    }

    // MARK: fields

    package func set(_ record: LuaRecordRef, _ field: Int, _ value: Bool) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: Int64) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: Double) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: String) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: LuaKey) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: LuaSmallValue) {
        put(value, at: slot(record, field))
    }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: LuaRecordRef) {
        put(value, at: slot(record, field))
    }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: LuaListRef) { put(value, at: slot(record, field)) }
    /// The function must outlive the call.
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: LuaFunction) { put(value, at: slot(record, field)) }
    package func set(_ record: LuaRecordRef, _ field: Int, _ value: [String]) throws(LuaError) {
        let list = try self.list(of: value.count)
        for (place, element) in value.enumerated() { set(list, place, element) }
        put(list, at: slot(record, field))
    }

    // MARK: elements, zero-based

    package func set(_ list: LuaListRef, _ place: Int, _ value: Bool) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: Int64) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: Double) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: String) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: LuaKey) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: LuaSmallValue) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: LuaRecordRef) { put(value, at: slot(list, place)) }
    package func set(_ list: LuaListRef, _ place: Int, _ value: LuaListRef) { put(value, at: slot(list, place)) }
}

// MARK: slots

extension LuaFrame {
    private typealias Slot = UnsafeMutablePointer<guard_slot>

    private func slot(_ record: LuaRecordRef, _ field: Int) -> Slot {
        guard let slot = guard_frame_field(pointer, record.number, Int32(clamping: field)) else {
            preconditionFailure("the record has no field number \(field)")
        }
        return slot
    }

    private func slot(_ list: LuaListRef, _ place: Int) -> Slot {
        guard let slot = guard_frame_element(pointer, list.number, Int32(clamping: place)) else {
            preconditionFailure("the list has no element number \(place)")
        }
        return slot
    }

    private func put(_ kind: guard_slot_kind, _ a: Int64, _ b: Int64 = 0, at slot: Slot) {
        slot.pointee.kind = Int32(kind.rawValue)
        slot.pointee.a = a
        slot.pointee.b = b
    }

    private func put(_ value: Bool, at slot: Slot) { put(GUARD_SLOT_BOOLEAN, value ? 1 : 0, at: slot) }
    private func put(_ value: Int64, at slot: Slot) { put(GUARD_SLOT_INTEGER, value, at: slot) }
    private func put(_ value: LuaKey, at slot: Slot) { put(GUARD_SLOT_CONSTANT, Int64(value.number), at: slot) }
    private func put(_ value: LuaRecordRef, at slot: Slot) { put(GUARD_SLOT_RECORD, Int64(value.number), at: slot) }
    private func put(_ value: LuaListRef, at slot: Slot) { put(GUARD_SLOT_LIST, Int64(value.number), at: slot) }
    private func put(_ value: LuaFunction, at slot: Slot) { put(GUARD_SLOT_REFERENCE, value.reference, at: slot) }

    private func put(_ value: Double, at slot: Slot) {
        slot.pointee.kind = Int32(GUARD_SLOT_NUMBER.rawValue)
        slot.pointee.number = value
    }

    private func put(_ value: LuaSmallValue, at slot: Slot) {
        slot.pointee.type = value.type.rawValue
        put(GUARD_SLOT_VALUE, value.a, value.b, at: slot)
    }

    private func put(_ value: String, at slot: Slot) {
        var value = value
        value.withUTF8 { bytes in
            let offset = guard_frame_string(pointer, bytes.baseAddress, bytes.count)
            guard offset >= 0 else { return put(GUARD_SLOT_NIL, 0, at: slot) }
            put(GUARD_SLOT_STRING, offset, Int64(bytes.count), at: slot)
        }
    }
}
