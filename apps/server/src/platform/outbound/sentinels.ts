/** What `redis+sentinel://:password@host:26379,host:26379/name/0` names. */
export interface Watched {
  sentinels: string[]
  /** The name under which the sentinels watch a Redis. */
  name: string
  /** Of the Redis: user and password with their `@`, or nothing. */
  login: string
  database: string
}

const SENTINELS = /^redis\+sentinel:\/\/([^@/]*@)?([^@/]+)\/([\w.-]+)(?:\/(\d{1,5}))?$/
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i

/** Null for the address of a Redis itself, and where it is none of sentinels. */
export function watchedBySentinels(url: string): Watched | null {
  const [, login = '', hosts = '', name = '', database = '0'] = SENTINELS.exec(url) ?? []
  const sentinels = hosts.split(',').map(host => (/:\d+$/.test(host) ? host : `${host}:26379`))
  return name !== '' && sentinels.every(host => HOST.test(host)) ? { sentinels, name, login, database } : null
}

/** Name and port of the Redis, or of its sentinels, without user and password. */
export const placeOfRedis = (url: string) => watchedBySentinels(url)?.sentinels.join(',') ?? new URL(url).host
