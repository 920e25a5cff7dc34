package io.idgen.redis;

/**
 * The statements of a lease as Lua scripts. Redis runs each in one atomic step, by its own clock.
 *
 * <p>All rows of a namespace are fields of one hash. So they are on one node of a Redis Cluster, and are lost together
 * or not at all. The fields of worker id 7 are {@code 7:fence}, {@code 7:horizon}, {@code 7:until} (the end of the
 * lease), {@code 7:token}, {@code 7:server} and {@code 7:owner}. Fields of the namespace are {@code incarnation}
 * and {@code layout} (with the times of leases).
 *
 * <p>The identity of the server that grants consists of the incarnation marker, {@code run_id} and
 * {@code master_replid}. A restart changes {@code run_id}, a promotion changes {@code master_replid}, and an operator
 * changes the incarnation marker. So a server that may have lost grants has another identity.
 */
final class LeaseScripts {
    private LeaseScripts() {}

    /**
     * The beginning of every script: the caller's layout, the identity and the time of this server, and access to the
     * rows.
     */
    static final String PRELUDE = """
            local key, layout = KEYS[1], ARGV[1]
            local replication = redis.call('INFO', 'replication')
            local function value(info, name) return string.match(info, '[\\r\\n]' .. name .. ':([^\\r\\n]+)') end
            if value(replication, 'role') ~= 'master' then return redis.error_reply('READONLY this is a replica') end
            local run = value(redis.call('INFO', 'server'), 'run_id')
            local history = value(replication, 'master_replid')
            if not run or not history then return {'anonymous'} end
            local incarnation = redis.call('HGET', key, 'incarnation')
            if not incarnation then return {'unmarked'} end
            local me = incarnation .. ' ' .. run .. ' ' .. history
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local known = redis.call('HGET', key, 'layout')
            local function text(number) return string.format('%.0f', number) end
            local function flag(condition) return condition and '1' or '0' end
            local function row(id)
              local v = redis.call('HMGET', key, id .. ':fence', id .. ':horizon', id .. ':until', id .. ':token',
                  id .. ':server', id .. ':owner')
              if not v[1] or known ~= layout then return nil end
              return {fence = v[1], horizon = v[2], ends = tonumber(v[3]), token = v[4] or '', same = v[5] == me,
                  owner = v[6] or 'unknown'}
            end
            local function write(id, values)
              for name, new in pairs(values) do
                if new == '' then redis.call('HDEL', key, id .. ':' .. name)
                else redis.call('HSET', key, id .. ':' .. name, new) end
              end
            end
            local function free(r, token)
              return r.ends < now or (token ~= '' and r.token == token)
            end
            """;

    /** Sets {@code held} to whether the row has the fence, horizon and token of arguments 3 to 5. */
    private static final String HELD = """
            local id, r = ARGV[2], row(ARGV[2])
            local held = r and r.fence == ARGV[3] and r.horizon == ARGV[4] and r.token == ARGV[5]
            """;

    /**
     * Arguments: layout, first worker id, worker ids, own token or nothing, where the search begins, and excluded
     * worker ids. Returns the time, and five values for each row.
     *
     * <p>The search ends with the hundredth free row. Redis runs nothing else meanwhile, so a thousand processes that
     * start at once must not read all rows each.
     */
    static final String CANDIDATES = PRELUDE + """
            if not known then
              known = layout
              redis.call('HSET', key, 'layout', layout)
            end
            if known ~= layout then return {'layout', known} end
            local token, excluded, found, missing = ARGV[4], {}, {}, {}
            for i = 6, #ARGV do excluded[ARGV[i]] = true end
            local function see(id)
              local ends = token == '' and redis.call('HGET', key, text(id) .. ':until')
              if excluded[text(id)] or (ends and tonumber(ends) >= now) then return end
              local r = row(text(id))
              if not r then
                missing[#missing + 1] = id
              elseif free(r, token) then
                r.id, r.at = id, tonumber(r.horizon)
                found[#found + 1] = r
              end
            end
            for i = 0, ARGV[3] - 1 do
              see(ARGV[2] + (ARGV[5] + i) % ARGV[3])
              if #found == 100 then break end
            end
            if #found == 0 then
              for _, id in ipairs(missing) do
                write(text(id), {fence = '0', horizon = '0', ['until'] = '0'})
                if #found < 100 then see(id) end
              end
            end
            table.sort(found, function(a, b) return a.at < b.at or (a.at == b.at and a.id < b.id) end)
            local answer = {'1', text(now)}
            for _, r in ipairs(found) do
              for _, each in ipairs({text(r.id), r.fence, r.horizon, flag(r.same), flag(r.token ~= '')}) do
                answer[#answer + 1] = each
              end
            end
            return answer
            """;

    /**
     * Arguments: layout, worker id, fence, horizon, own token or nothing, window, lease, new fence, new token, new
     * horizon, owner.
     */
    static final String ACQUIRE = PRELUDE + """
            local id, r = ARGV[2], row(ARGV[2])
            if not r or r.fence ~= ARGV[3] or r.horizon ~= ARGV[4] or not free(r, ARGV[5]) or not r.same
                or tonumber(ARGV[10]) > now + tonumber(ARGV[6]) then return {'0'} end
            write(id, {fence = ARGV[8], token = ARGV[9], horizon = ARGV[10], owner = ARGV[11],
                ['until'] = text(now + tonumber(ARGV[7]))})
            return {'1'}
            """;

    /** Arguments: layout, worker id, fence, horizon, new fence, new horizon, gap. */
    static final String FENCE_OFF = PRELUDE + """
            local id, r = ARGV[2], row(ARGV[2])
            if not r or r.fence ~= ARGV[3] or r.horizon ~= ARGV[4] or r.same
                or tonumber(ARGV[6]) < now + tonumber(ARGV[7]) then return {'0'} end
            write(id, {fence = ARGV[5], horizon = ARGV[6], token = '', ['until'] = '0', server = me})
            return {'1'}
            """;

    /**
     * Arguments: layout, worker id, fence, token. Returns the time, whether the row is held, its horizon, and whether
     * this server granted it.
     */
    static final String LOOK = PRELUDE + """
            local r = row(ARGV[2])
            if not r then return {'0'} end
            local held = r.fence == ARGV[3] and r.token == ARGV[4]
            return {'1', text(now), flag(held), r.horizon, flag(r.same)}
            """;

    /** Arguments: layout, worker id, fence, horizon, token, new horizon, window, lease. */
    static final String EXTEND = PRELUDE + HELD + """
            if not held or not r.same or tonumber(ARGV[6]) > now + tonumber(ARGV[7]) then return {'0'} end
            write(id, {horizon = ARGV[6], ['until'] = text(now + tonumber(ARGV[8]))})
            return {'1'}
            """;

    /** Arguments: layout, worker id, fence, horizon, token, lease. */
    static final String RENEW = PRELUDE + HELD + """
            if not held then return {'0'} end
            write(id, {['until'] = text(now + tonumber(ARGV[6]))})
            return {'1'}
            """;

    /** Arguments: layout, worker id, fence, horizon, token, new horizon. */
    static final String RELEASE = PRELUDE + HELD + """
            if not held then return {'0'} end
            write(id, {horizon = ARGV[6], token = '', ['until'] = '0'})
            return {'1'}
            """;

    /** Arguments: layout, first worker id, worker ids. Returns the time, and three values for each row that is held. */
    static final String HOLDERS = PRELUDE + """
            local answer = {'1', text(now)}
            for id = tonumber(ARGV[2]), tonumber(ARGV[2]) + tonumber(ARGV[3]) - 1 do
              local r = row(text(id))
              if r and r.token ~= '' then
                for _, each in ipairs({text(id), text(r.ends), r.owner}) do
                  answer[#answer + 1] = each
                end
              end
            end
            return answer
            """;

    /**
     * Arguments: new incarnation marker. Afterwards, every row counts as granted by another server. Returns the former
     * marker.
     */
    static final String MARK = """
            local before = redis.call('HGET', KEYS[1], 'incarnation') or ''
            redis.call('HSET', KEYS[1], 'incarnation', ARGV[1])
            return {'1', before}
            """;
}
