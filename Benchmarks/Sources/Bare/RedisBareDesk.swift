import Floors
import Foundation

/// Redis with a function in Lua, each write of which is on the disk before it answers (`appendfsync always`).
final class RedisBareDesk: BareDesk {
    static let name = "Redis, a function in Lua, AOF always"

    /// How many rows come in with one call.
    private static let page = 5_000

    private let server: RedisServer
    private let redis: RedisConnection
    private let process: Int32

    /// Starts a server and brings in the rows of a bare store.
    init(_ library: BareLibrary, from store: FloorStore) throws {
        server = try RedisServer()
        redis = server.connection
        process = try server.process()
        try redis.command(["FUNCTION", "LOAD", try Self.functions(store)])
        for (kind, count, columns, table) in [
            ("patron", library.size.patrons, "id, cat, home, expiry, blk, fines, age", "patrons"),
            ("item", library.size.copies, "id, typ, branch, status, rating", "items"),
            ("hold", library.size.copies, "item, patron", "holds"),
            (
                "loan", library.size.openLoans,
                "loans.id, loans.patron, loans.item, loans.out_day, loans.due, items.typ",
                "loans JOIN items ON items.id = loans.item"
            ),
        ] {
            let names = columns.split(separator: ", ")
            let row = names.joined(separator: " || ' ' || ")
            for start in stride(from: 0, to: count, by: Self.page) {
                let rows = "FROM \(table) WHERE \(names[0]) > \(start) AND \(names[0]) <= \(start + Self.page)"
                let text = try store.text("SELECT COALESCE(group_concat(\(row), char(10)), '') \(rows)")
                try redis.command(["FCALL", "fill", "0", kind, text])
            }
        }
    }

    func elsewhere() -> UInt64 { ProcessClock.time(of: process) }

    func lend(_ requests: ArraySlice<floor_request>) throws -> floor_outcome {
        var outcome = floor_outcome()
        for request in requests {
            let due = try redis.command(["FCALL", "lend", "0", "\(request.patron)", "\(request.item)"]).first ?? 0
            if due > 0 { outcome = outcome + floor_outcome(count: 1, sum: due) }
        }
        return outcome
    }

    func remind() throws -> floor_outcome {
        let answer = try redis.command(["FCALL", "remind", "0"])
        guard answer.count == 2 else { throw BenchFailure("Redis answered \(answer)") }
        return floor_outcome(count: answer[0], sum: answer[1])
    }

    /// The limits, rules and closed days stand in the functions' text, as they would in a program.
    private static func functions(_ store: FloorStore) throws -> String {
        let cats = try store.text(
            "SELECT group_concat('[' || cat || ']={' || most || ',' || cap || ',' || most_overdue || '}') FROM cats")
        let rules = try store.text(
            """
            SELECT group_concat('[' || (cat * 10000 + typ * 100 + branch) || ']={' || most || ',' || days || ',' || fine
                || ',' || most_fine || '}') FROM rules
            """)
        let closed = try store.text("SELECT group_concat('[' || (branch * 100000 + day) || ']=true') FROM closed")
        return """
            #!lua name=bare
            local CATS, RULES, CLOSED, TODAY = {\(cats)}, {\(rules)}, {\(closed)}, \(BareLibrary.today)
            \(lua)
            """
    }

    private static let lua = """
        local function call(...) return redis.call(...) end
        local function numbers(key, ...)
            local row = call('HMGET', key, ...)
            for place = 1, #row do row[place] = tonumber(row[place]) end
            return unpack(row)
        end
        local function rule(cat, typ, branch)
            return RULES[cat * 10000 + typ * 100 + branch] or RULES[cat * 10000 + typ * 100] or RULES[cat * 10000] or RULES[0]
        end
        local function decide(patron, item)
            local cat, home, expiry, blk, fines, age = numbers('p:' .. patron, 'cat', 'home', 'expiry', 'blk', 'fines', 'age')
            local typ, branch, status, rating = numbers('i:' .. item, 'typ', 'branch', 'status', 'rating')
            local limit = CATS[cat]
            if expiry < TODAY or blk ~= 0 or fines > limit[2] or status ~= 0 then return 0 end
            if typ == 5 and cat ~= 4 or rating > age then return 0 end
            if (typ == 6 or cat == 6) and home ~= branch then return 0 end
            local holder = call('GET', 'h:' .. item)
            if holder and holder ~= patron then return 0 end
            local total, of_type, overdue = 0, 0, 0
            for _, code in ipairs(call('HVALS', 'o:' .. patron)) do
                local number = tonumber(code)
                total = total + 1
                if math.floor(number / 100000) == typ then of_type = of_type + 1 end
                if number % 100000 < TODAY then overdue = overdue + 1 end
            end
            if total >= limit[1] or overdue > limit[3] then return 0 end
            local found = rule(cat, typ, branch)
            if of_type >= found[1] then return 0 end
            local due = math.min(TODAY + found[2], expiry)
            while CLOSED[branch * 100000 + due] do due = due + 1 end
            return due, typ
        end
        local function keep_loan(number, patron, item, out, due, typ)
            call('HSET', 'loan:' .. number, 'patron', patron, 'item', item, 'out', out, 'due', due)
            call('HSET', 'o:' .. patron, item, typ * 100000 + due)
            call('ZADD', 'due', due, number)
        end
        redis.register_function('lend', function(_, arguments)
            local patron, item = arguments[1], arguments[2]
            local due, typ = decide(patron, item)
            if due > 0 then
                keep_loan(call('INCR', 'loans'), patron, item, TODAY, due, typ)
                call('HSET', 'i:' .. item, 'status', 1)
                call('XADD', 'audit', '*', 'day', TODAY, 'kind', 'checkout', 'patron', patron, 'item', item, 'due', due)
            end
            return due
        end)
        redis.register_function('remind', function()
            local count, fees = 0, 0
            for _, loan in ipairs(call('ZRANGEBYSCORE', 'due', '-inf', TODAY - 1)) do
                local patron, item, due = numbers('loan:' .. loan, 'patron', 'item', 'due')
                local cat = numbers('p:' .. patron, 'cat')
                local typ, branch = numbers('i:' .. item, 'typ', 'branch')
                local found, days = rule(cat, typ, branch), TODAY - due
                local fee = math.min(days * found[3], found[4])
                local level = days <= 14 and 1 or days <= 28 and 2 or 3
                local body = string.format('Patron %d: item %d was due on day %d, %d days ago. Level %d. Fee %d.%02d', patron, item,
                    due, days, level, math.floor(fee / 100), fee % 100)
                call('HSET', 'notice:' .. call('INCR', 'notices'), 'loan', loan, 'patron', patron, 'level', level, 'fee', fee,
                    'body', body)
                count, fees = count + 1, fees + fee
            end
            return { count, fees }
        end)
        local FILLING = {
            patron = function(id, cat, home, expiry, blk, fines, age)
                call('HSET', 'p:' .. id, 'cat', cat, 'home', home, 'expiry', expiry, 'blk', blk, 'fines', fines, 'age', age)
            end,
            item = function(id, typ, branch, status, rating)
                call('HSET', 'i:' .. id, 'typ', typ, 'branch', branch, 'status', status, 'rating', rating)
            end,
            hold = function(item, patron) call('SET', 'h:' .. item, patron) end,
            loan = function(...)
                keep_loan(...)
                call('INCR', 'loans')
            end,
        }
        redis.register_function('fill', function(_, arguments)
            for line in arguments[2]:gmatch('[^\\n]+') do
                local row = {}
                for number in line:gmatch('%d+') do row[#row + 1] = tonumber(number) end
                FILLING[arguments[1]](unpack(row))
            end
            return 0
        end)
        """
}
