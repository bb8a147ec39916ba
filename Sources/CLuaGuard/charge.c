// What a script makes the host do is the script's: memory of the host counts with Lua's own, and no signal comes while a
// host function runs, so that it asks whether its time is over.
#include "guard.h"

enum { KEPT_TAPE = 1 << 20, WORK_OF_CHARGE = 16 };

static bool is_above(const guard_vm *vm) {
    size_t tapes = vm->in.capacity + vm->out.capacity;
    return vm->used + vm->host_used + vm->host_kept + (tapes > 2 * KEPT_TAPE ? tapes : 0) > vm->soft;
}

int32_t guard_host_charge(guard_vm *vm, int64_t bytes, bool last) {
    if (bytes > 0) vm->host_used += (size_t)bytes;
    if (!vm->level) return GUARD_OK;
    vm->budget -= 1 + (bytes > 0 ? bytes / WORK_OF_CHARGE : 0);
    guard_level_check();
    if (vm->counting && vm->budget <= 0) guard_set_fault(vm, GUARD_INSTRUCTIONS);
    if (last) vm->collected_at = vm->used + vm->host_kept;
    if (!vm->level->fault && is_above(vm)) {
        // What Lua holds may be garbage, and callbacks among it that keep memory of the host; looked at again only once
        // as much has come as makes it worth while.
        size_t held = vm->used + vm->host_kept;
        if (!last && (held < vm->collected_at || held > vm->collected_at + vm->soft / 8)) {
            lua_gc(vm->current, LUA_GCCOLLECT);
            vm->collected_at = vm->used + vm->host_kept;
            return GUARD_HOST_AGAIN;
        }
        if (is_above(vm)) guard_set_fault(vm, GUARD_MEMORY);
    }
    return vm->level->fault;
}

bool guard_has_room_for_copy(guard_vm *vm, size_t bytes) {
    if (!vm->level || vm->used + vm->host_used + bytes <= vm->soft) return true;
    size_t held = vm->used + vm->host_kept;
    if (held < vm->collected_at || held > vm->collected_at + vm->soft / 8) {
        lua_gc(vm->current, LUA_GCCOLLECT);
        vm->collected_at = vm->used + vm->host_kept;
    }
    if (vm->used + vm->host_used + bytes <= vm->soft) return true;
    guard_set_fault(vm, GUARD_MEMORY);
    return false;
}

int32_t guard_host_keep(guard_vm *vm, int64_t bytes) {
    if (bytes < 0) {
        size_t freed = (size_t)-bytes;
        vm->host_kept -= freed < vm->host_kept ? freed : vm->host_kept;
        return GUARD_OK;
    }
    vm->host_kept += (size_t)bytes;
    return guard_host_charge(vm, 0, false);
}
