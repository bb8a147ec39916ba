// Memory: counted, and limited softly. Crossing the limit refuses nothing: it asks the hook to collect, and to end the
// call if that does not help. A refusal would make Lua collect everything in the middle of an instruction, which takes
// long and which Lua 5.4.4 does not survive everywhere. Only at twice the limit is memory refused.
//
// Objects carry a serial number behind their last byte: pairs orders keys that are tables or functions by it, since
// addresses differ from run to run.
#include "guard.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/// When block is NULL, Lua passes the kind of object in place of the old size.
static bool is_numbered(size_t kind) { return kind == LUA_TTABLE || kind == LUA_TFUNCTION || kind == LUA_TTHREAD; }

static void note_pressure(guard_vm *vm) {
    if (vm->pressure || !vm->level) return;
    vm->pressure = 2;
    guard_arm_from_signal(vm->level->current);
}

/// For a string, Lua is ready for an error at this point, since it raises its own here: raising now spares a collection
/// of everything, which would only end in the same error.
static void raise_instead(guard_vm *vm) {
    if (!vm->level) return;
    guard_set_fault(vm, GUARD_MEMORY);
    guard_raise_fault(vm->level->current);
}

void *guard_allocate(void *context, void *block, size_t old_size, size_t new_size) {
    guard_vm *vm = context;
    size_t old = block ? old_size : 0;
    if (new_size == 0) {
        vm->used -= old;
        free(block);
        return NULL;
    }
    if (new_size > old) {
        bool text = !block && old_size == LUA_TSTRING;
        size_t longest = text ? vm->longest_string : vm->longest_block;
        if (vm->used + (new_size - old) > vm->hard || new_size / 4 > longest) {
            if (text) raise_instead(vm);
            return NULL;
        }
        if (new_size > longest) guard_set_fault(vm, GUARD_MEMORY);
        else if (vm->used + (new_size - old) > vm->soft) note_pressure(vm);
    }
    bool numbered = !block && is_numbered(old_size);
    void *moved = realloc(block, new_size + (numbered ? sizeof(uint64_t) : 0));
    if (!moved) return new_size <= old ? block : NULL;      // Lua assumes that shrinking cannot fail
    if (numbered) {
        uint64_t serial = ++vm->objects;
        memcpy((char *)moved + malloc_usable_size(moved) - sizeof serial, &serial, sizeof serial);
    } else if (!block && old_size == LUA_TSTRING && new_size > 64) {
        vm->budget -= (int64_t)(new_size / 16);             // long strings are never shared: reproducible
    }
    vm->used += new_size - old;
    if (vm->used > vm->peak) vm->peak = vm->used;
    return moved;
}

uint64_t guard_serial_of(const void *object) {
    uint64_t serial;
    void *block = (void *)(uintptr_t)object;
    memcpy(&serial, (char *)block + malloc_usable_size(block) - sizeof serial, sizeof serial);
    return serial;
}

void guard_set_memory_limit(guard_vm *vm, int64_t bytes) {
    bool policy = vm->profile == GUARD_POLICY;
    vm->soft = bytes > 0 ? (size_t)bytes : SIZE_MAX / 8;
    vm->hard = vm->soft * 2 - vm->soft / 64;
    vm->longest_string = policy ? 4u << 20 : 16u << 20;
    vm->longest_block = policy ? 4u << 20 : 32u << 20;
    if (bytes <= 0) return;
    if (vm->longest_string > vm->soft / 4) vm->longest_string = vm->soft / 4;
    if (!policy || vm->longest_block > vm->soft / 4) vm->longest_block = vm->soft / 4;
}
int64_t guard_used_memory(const guard_vm *vm) { return (int64_t)vm->used; }
int64_t guard_peak_memory(const guard_vm *vm) { return (int64_t)vm->peak; }
void guard_reset_peak(guard_vm *vm) { vm->peak = vm->used; }
