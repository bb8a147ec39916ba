internal import CLuaGuard

/// The call that runs is over: a host function that learns of it returns, and the script ends by the limit it reached.
package struct LuaLimitReached: Error, CustomStringConvertible {
    package var description: String { "the script has reached a limit" }
}

/// What a script makes the host do is charged to it.
extension LuaState {
    /// Charges the running call with memory that a host function takes, until that function returns, and asks whether
    /// the call is over. Without a running call there is nothing to charge.
    ///
    /// - Parameter bytes: 0 asks about the time alone; that takes some nanoseconds.
    package func charge(_ bytes: Int) throws(LuaLimitReached) {
        try settle(guard_host_charge(machine, Int64(bytes), false))
    }

    private func settle(_ status: Int32) throws(LuaLimitReached) {
        var status = status
        if status == Int32(GUARD_HOST_AGAIN) {
            host.forgetDropped()
            status = guard_host_charge(machine, 0, true)
        }
        guard status == GUARD_OK.code else { throw LuaLimitReached() }
    }

    /// The same for memory that the host keeps for the script, such as the parts of a report.
    package func keep(_ bytes: Int) throws(LuaLimitReached) {
        try settle(guard_host_keep(machine, Int64(bytes)))
    }

    /// Gives back what was kept.
    package func giveBack(_ bytes: Int) { _ = guard_host_keep(machine, -Int64(bytes)) }

    /// What a copy of the value encoded last takes, before it is made: its bytes once more for texts, and a place for
    /// each value in lists that grow.
    func chargeForCopy() throws(LuaLimitReached) {
        var count = 0
        _ = guard_results(machine, &count)
        try charge(2 * count + Int(guard_encoded_values(machine)) * MemoryLayout<LuaTable.Entry>.stride)
    }
}
