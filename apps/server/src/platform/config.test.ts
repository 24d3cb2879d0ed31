import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { ConfigError, readConfig, usesExchange, variables } from './config.ts'
import { VERSION } from './observe/version.ts'
import { watchedBySentinels } from './outbound/sentinels.ts'
import { SECRETS } from './secret-files.ts'

const random = '9f2c51e07ad84b36c1f5a9e3d7b0428e'
const database = 'postgres://balcao@db.test/balcao'
const cluster = { DATABASE_URL: database, REDIS_URL: 'redis://cache.test', JWT_SECRET: random }

/** The lines that stop a start with these variables. */
function complaints(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('with nothing set', () => {
  it('serves demo data to this machine alone, from the embedded database', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: `${process.cwd()}/data`,
      databaseUrl: null,
      redisUrl: null,
      roles: new Set(['web', 'worker', 'channels']),
      demo: true,
      production: false,
      jwtSecret: null,
      platformName: 'Balcão',
      hoursCloseTicketsAuto: null,
      s3: null,
      whatsappWebUrl: 'wss://web.whatsapp.com/ws/chat',
      whatsappWebVersion: null,
      graphApiUrl: 'https://graph.facebook.com',
      outboundAllow: [],
      trustProxy: false,
      logLevel: 'info',
      tzDefault: 'America/Sao_Paulo',
    })
  })

  it('has no master, whatever the mode', () => {
    expect(readConfig({})).toMatchObject({ masterEmail: null, masterPassword: null })
  })
})

describe('demo data', () => {
  it('is off in production and with a database server, and then every interface is served', () => {
    expect(readConfig({ NODE_ENV: 'production' })).toMatchObject({ demo: false, host: '0.0.0.0' })
    expect(readConfig({ DATABASE_URL: database, JWT_SECRET: random })).toMatchObject({
      demo: false,
      host: '0.0.0.0',
    })
  })

  it('comes when asked for, and stays on this machine unless HOST says otherwise', () => {
    expect(readConfig({ ...cluster, DEMO: '1' })).toMatchObject({ demo: true, host: '127.0.0.1' })
    expect(readConfig({ DEMO: '1', HOST: '::' })).toMatchObject({ demo: true, host: '::' })
  })
})

describe('values', () => {
  it('are read into what they mean', () => {
    const read = readConfig({
      PORT: '0',
      DATA_DIR: '/var/lib/balcao',
      INTERNAL_CHAT: 'true',
      HOURS_CLOSE_TICKETS_AUTO: '24',
      OUTBOUND_ALLOW: '10.0.0.5, 192.168.0.0/16 ,n8n.local,::1',
      TRUST_PROXY: '10.0.0.0/8, fd00::1',
      WHATSAPP_WEB_VERSION: '2.3000.1043857760',
      BACKEND_URL: 'https://api.loja.test/',
    })
    expect(read).toMatchObject({
      port: 0,
      dataDir: '/var/lib/balcao',
      internalChat: true,
      hoursCloseTicketsAuto: 24,
      outboundAllow: ['10.0.0.5', '192.168.0.0/16', 'n8n.local', '::1'],
      trustProxy: ['10.0.0.0/8', 'fd00::1'],
      whatsappWebVersion: [2, 3000, 1043857760],
      backendUrl: 'https://api.loja.test',
    })
  })

  it('that are empty count as unset, and unknown variables are ignored', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', HOME: '/root', PORTA: 'x' })).toMatchObject({
      port: 8080,
      databaseUrl: null,
    })
  })

  it.each([
    ['PORT', '80800', 'PORT takes a port number, 0 to 65535'],
    ['PORT', '80a', 'PORT takes a port number'],
    ['DEMO', 'yes', 'DEMO takes 1 or 0'],
    [
      'REDIS_URL',
      'localhost:6379',
      'REDIS_URL takes an address that begins with redis:// or rediss://, or redis+sentinel://HOST:PORT,HOST:PORT/NAME',
    ],
    ['PRIMARY_COLOR', 'red', 'PRIMARY_COLOR takes a colour such as #0F6175'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL takes fatal, error, warn, info, debug, trace or silent'],
    ['TZ_DEFAULT', 'Brasil', 'TZ_DEFAULT takes a time zone such as America/Sao_Paulo'],
    ['NODE_ENV', 'prod', 'NODE_ENV takes production, or development or test, or nothing'],
    ['WHATSAPP_WEB_VERSION', '2.3000', 'WHATSAPP_WEB_VERSION takes a version such as 2.3000.1043857760'],
    ['CEP_URL', 'viacep', 'CEP_URL takes an address that begins with http:// or https://'],
    [
      'OUTBOUND_ALLOW',
      '10.0.0.0/99',
      'OUTBOUND_ALLOW takes addresses, ranges such as 10.0.0.0/8 and host names, with commas between',
    ],
    ...['yes', '99', '-1', '1.5', '10.0.0.0/99', 'proxy.local', ','].map(value => [
      'TRUST_PROXY',
      value,
      'TRUST_PROXY takes 0 (off), how many proxies are in front (1 to 16), or their addresses and ranges such as 10.0.0.0/8, with commas between',
    ]),
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG takes a share from 0 to 1, such as 0.05'],
    ['USER_CREATION', 'no', 'USER_CREATION takes enabled or disabled'],
    ['LOGO_FILE', '/no/logo.png', 'LOGO_FILE names a file that is not there or cannot be read'],
    ['PLATFORM_ICON', '/etc/hosts', 'PLATFORM_ICON takes the path of a PNG, JPEG, WebP or GIF file'],
    [
      'MAIL_FROM',
      'Balcão <balcao>',
      'MAIL_FROM takes an e-mail address, or a name and the address: Balcão <balcao@example.com>',
    ],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN takes at least 16 characters'],
  ])('that are wrong stop the start with one line: %s=%s', (name, value, line) => {
    expect(complaints({ [name]: value })).toEqual([line])
  })

  it('that are wrong are all named at once, each once and on its line', () => {
    const env = { PORT: 'x', DATABASE_URL: database, JWT_SECRET: 'short', MASTER_EMAIL: 'chefe@loja.test' }
    expect(complaints(env)).toEqual([
      'PORT takes a port number',
      'JWT_SECRET takes at least 32 random bytes',
      'MASTER_PASSWORD is required with MASTER_EMAIL',
    ])
  })

  it('that are wrong ask for nothing that a right one would need', () => {
    expect(complaints({ DATABASE_DIRECT_URL: database, DATABASE_READ_URL: database })).toEqual([
      'DATABASE_DIRECT_URL is of use with DATABASE_URL only: the embedded database has no pooler',
      'DATABASE_READ_URL is of use with DATABASE_URL only: the embedded database has no copy',
    ])
    const several = 'postgres://balcao@one:5432,two:5433/balcao?target_session_attrs='
    expect(readConfig({ ...cluster, DATABASE_URL: `${several}read-write` }).databaseUrl).toMatch(
      /one:5432,two/,
    )
    expect(complaints({ ...cluster, DATABASE_URL: `${several}standby`, EMBEDDED_MEMORY_MB: '1' })).toEqual([
      'DATABASE_URL takes target_session_attrs=read-write, or none: of several servers the one that accepts writes is used',
      'EMBEDDED_MEMORY_MB takes a number of megabytes, 16 to 65536',
    ])
    for (const unnamed of ['balcao@one,/balcao', 'one,,two/balcao', 'one,balcao@:5433', ',one'])
      expect(complaints({ ...cluster, DATABASE_URL: `postgres://${unnamed}` }), unnamed).toHaveLength(1)
    expect(complaints({ ...cluster, DATABASE_READ_URL: `${several}read-write` })).toEqual([
      'DATABASE_READ_URL takes the address of one server',
    ])
    expect(complaints({ ...cluster, DATABASE_READ_SECONDS: '0', EMBEDDED_CONNECTIONS: '50' })).toEqual([
      'DATABASE_READ_SECONDS takes a number of seconds, 1 to 3600',
      'EMBEDDED_CONNECTIONS is for the embedded database: one of DATABASE_URL has its own settings',
    ])
    expect(complaints({ DATABASE_URL: 'mysql://db.test' })).toEqual([
      'DATABASE_URL takes an address that begins with postgres:// or postgresql://',
    ])
    expect(complaints({ ROLES: 'web,cook' })).toEqual(['ROLES takes any of web,worker,channels'])
  })
})

describe('the secret', () => {
  it.each([
    'too-few-bytes',
    'your-super-secret-jwt-key-change-me-now',
    'kZaOTd+YZpjRUyyuQUpigJaEMk4vcW4YOymKPZX0Ts8=',
    '12345671234567123456712345671234567',
  ])('is refused when others can guess it: %s', secret => {
    const [line, ...rest] = complaints({ JWT_SECRET: secret })
    expect(line).toMatch(/^JWT_SECRET takes .*random bytes/)
    expect(line).not.toContain(secret)
    expect(rest).toEqual([])
  })

  it('of before is another one, and whether sessions are kept is of use with it alone', () => {
    expect(complaints({ JWT_SECRET: random, JWT_SECRET_OLD: random })).toEqual([
      'JWT_SECRET_OLD takes the secret of before, and JWT_SECRET the new one',
    ])
    expect(complaints({ KEEP_SESSIONS: '1' })).toEqual(['KEEP_SESSIONS is of use with JWT_SECRET_OLD only'])
  })

  it('is required with a database server', () => {
    expect(complaints({ DATABASE_URL: database })).toEqual([
      'JWT_SECRET takes at least 32 random bytes; with DATABASE_URL it is required',
    ])
    expect(readConfig({ DATABASE_URL: database, JWT_SECRET: random }).jwtSecret).toBe(random)
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (content: string) => {
    const path = join(folder, String(content.length))
    writeFileSync(path, content)
    return path
  }

  it('is read, without its line end, for every variable that holds one', () => {
    const read = readConfig({
      JWT_SECRET_FILE: file(`${random}\n`),
      DATABASE_URL_FILE: file(`${database}\r\n`),
      MASTER_EMAIL: 'chefe@loja.test',
      MASTER_PASSWORD_FILE: file('segredo da casa'),
    })
    expect(read).toMatchObject({
      jwtSecret: random,
      databaseUrl: database,
      masterPassword: 'segredo da casa',
    })
  })

  it('that cannot be used stops the start, and no line quotes what is in it', () => {
    expect(complaints({ JWT_SECRET_FILE: '/no/secret' })).toEqual([
      'JWT_SECRET_FILE names a file that is not there or cannot be read',
    ])
    expect(complaints({ METRICS_TOKEN_FILE: folder })).toEqual([
      'METRICS_TOKEN_FILE names a file that is not there or cannot be read',
    ])
    expect(complaints({ JWT_SECRET_FILE: file(random), JWT_SECRET: random })).toEqual([
      'JWT_SECRET_FILE names a file, and JWT_SECRET is set too: give one of them',
    ])
    expect(complaints({ MAPS_KEY_FILE: file('\n') })).toEqual(['MAPS_KEY_FILE names an empty file'])
    expect(complaints({ MAPS_KEY_FILE: file('x'.repeat(8_193)) })).toEqual([
      'MAPS_KEY_FILE names a file of more than 8192 bytes',
    ])
    expect(complaints({ JWT_SECRET_FILE: file('abc') })).toEqual([
      'JWT_SECRET takes at least 32 random bytes',
    ])
  })
})

test.each([
  ['redis+sentinel://a.test,b.test:26380/balcao', ['a.test:26379', 'b.test:26380'], '', '0'],
  ['redis+sentinel://:word@[::1]:1/main/3', ['[::1]:1'], ':word@', '3'],
])('sentinels are named with their ports and what they watch: %s', (url, sentinels, login, database) => {
  expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url)
  expect(watchedBySentinels(url)).toMatchObject({ sentinels, login, database })
  for (const wrong of ['redis+sentinel://a', 'redis+sentinel:///x', 'redis+sentinel://a,,b/x', `${url}/1/2`])
    expect(complaints({ REDIS_URL: wrong })).toHaveLength(1)
})

describe('roles', () => {
  it('may be spread over processes that share a database, with Redis or without', () => {
    expect(readConfig({ ...cluster, ROLES: 'web, worker' }).roles).toEqual(new Set(['web', 'worker']))
    expect(usesExchange(readConfig(cluster))).toBe(false)
    expect(usesExchange(readConfig({ ...cluster, REDIS_URL: '', ROLES: 'worker' }))).toBe(true)
    expect(usesExchange(readConfig({}))).toBe(false)
  })

  it('may not be spread where the other processes would see neither data nor live events', () => {
    expect(complaints({ ROLES: 'web' })).toEqual([
      'REDIS_URL is required when ROLES leaves one out, unless there is DATABASE_URL: live events reach other processes over either',
    ])
  })

  it('are known ones, at least one', () => {
    expect(complaints({ ...cluster, ROLES: 'web,cron,cron' })).toEqual([
      'ROLES takes any of web,worker,channels',
    ])
    expect(complaints({ ...cluster, ROLES: ',' })).toEqual(['ROLES takes any of web,worker,channels'])
  })
})

describe('a drill', () => {
  it('answers people alone: no jobs, no connections, no letters, no live events of the original, no provider, no commands', () => {
    const original = {
      ...{
        ...cluster,
        SMTP_URL: 'smtp://mail.test',
        MAIL_FROM: 'a@b.test',
        BACKEND_URL: 'https://balcao.test',
      },
      ...{
        ASAAS_TOKEN: 'key',
        ASAAS_WEBHOOK_TOKEN: random,
        RESTART_COMMAND: 'reboot',
        UPDATE_COMMAND: 'update',
      },
    }
    expect(readConfig(original)).toMatchObject({ drill: false, smtpUrl: 'smtp://mail.test' })
    const copy = { DATABASE_READ_URL: database }
    const drill = readConfig({ ...original, ...copy, ROLES: 'worker,channels', DRILL: '1' })
    expect(drill).toMatchObject({ drill: true, roles: new Set(['web']), redisUrl: null, smtpUrl: null })
    // a restored database has the identifier of its original, so a copy of that would count as its own
    expect(drill.databaseReadUrl).toBeNull()
    expect([drill.asaasToken, drill.restartCommand, drill.updateCommand]).toEqual([null, null, null])
  })
})

describe('backups', () => {
  it('are for the embedded database, which has no other means', () => {
    expect(readConfig({ BACKUP_DIR: '/backups' })).toMatchObject({
      backupDir: '/backups',
      backupKeepDays: 14,
    })
    expect(complaints({ ...cluster, BACKUP_DIR: '/backups' })).toEqual([
      'BACKUP_DIR is for the embedded database: one of DATABASE_URL is backed up by its own means, such as pg_dump',
    ])
  })

  const own = { BACKUP_S3_REGION: 'eu-1', BACKUP_S3_ACCESS_KEY_ID: 'own', BACKUP_S3_SECRET_ACCESS_KEY: 'key' }
  it('that are sealed go into a folder or a bucket, with a key, and not beside others; a drill makes none', () => {
    const folder = { BACKUP_TO: 'file:/mnt/b', BACKUP_KEY: random }
    expect(readConfig(folder).backup).toEqual({
      ...{ to: { folder: '/mnt/b' }, key: random, logDays: 7, logMb: 2_048, mail: null },
      keep: { daily: 7, weekly: 4, monthly: 6 },
    })
    expect(readConfig({ ...folder, DRILL: '1' }).backup).toBeNull()
    expect(readConfig({ ...own, ...folder, BACKUP_TO: 's3://casa-1/noite/' }).backup?.to).toMatchObject({
      prefix: 'noite/',
      s3: { bucket: 'casa-1', region: 'eu-1', accessKeyId: 'own', endpoint: null, forcePathStyle: false },
    })
  })

  it.each<[string, Record<string, string>]>([
    ['BACKUP_TO takes file:/a/folder or s3://bucket/prefix', { BACKUP_TO: 'ftp://casa', BACKUP_KEY: random }],
    [
      'BACKUP_TO takes file:/a/folder or s3://bucket/prefix',
      { BACKUP_TO: 'file:/mnt/100%', BACKUP_KEY: random },
    ],
    [
      'BACKUP_TO takes file:/a/folder or s3://bucket/prefix',
      { BACKUP_TO: 's3://Casa!/x', BACKUP_KEY: random },
    ],
    [
      'BACKUP_KEY takes at least 32 random bytes, kept apart from the data; with BACKUP_TO it is required',
      { BACKUP_TO: 'file:/b' },
    ],
    ['BACKUP_KEY takes at least 32 random bytes', { BACKUP_TO: 'file:/b', BACKUP_KEY: 'short' }],
    [
      'BACKUP_DIR is of use without BACKUP_TO only, which also makes a backup each night',
      { BACKUP_TO: 'file:/b', BACKUP_KEY: random, BACKUP_DIR: '/c' },
    ],
    [
      'BACKUP_S3_ACCESS_KEY_ID or S3_ACCESS_KEY_ID is required where BACKUP_TO names a bucket',
      { BACKUP_TO: 's3://casa', BACKUP_KEY: random },
    ],
    [
      'BACKUP_S3_REGION is required with BACKUP_S3_ACCESS_KEY_ID',
      { ...own, BACKUP_S3_REGION: '', BACKUP_TO: 's3://casa', BACKUP_KEY: random },
    ],
    ['BACKUP_KEEP takes numbers of days, weeks and months such as 7,4,6', { BACKUP_KEEP: '7' }],
    ['BACKUP_KEEP takes at least one day', { BACKUP_KEEP: '0,4,6' }],
    ['BACKUP_LOG_MB takes a number of megabytes, 64 to 1000000', { BACKUP_LOG_MB: '1' }],
    ['BACKUP_MAIL takes an e-mail address', { BACKUP_MAIL: 'ana' }],
  ])('stop the start with %s', (line, env) => {
    expect(complaints(env)).toEqual([line])
  })
})

describe('S3', () => {
  const s3 = {
    S3_BUCKET: 'files',
    S3_REGION: 'sa-east-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
  }

  it('keeps the bucket in the host name at Amazon and in the path elsewhere', () => {
    expect(readConfig(s3).s3).toEqual({
      bucket: 'files',
      region: 'sa-east-1',
      endpoint: null,
      accessKeyId: 'id',
      secretAccessKey: 'key',
      forcePathStyle: false,
    })
    expect(readConfig({ ...s3, S3_ENDPOINT: 'http://minio.test:9000' }).s3?.forcePathStyle).toBe(true)
  })

  it('is read and not written to while files are moved back under DATA_DIR', () => {
    const moving = readConfig({ ...s3, FILES_IN: 'disk' })
    expect([moving.s3, moving.s3Before?.bucket]).toEqual([null, 'files'])
    expect(readConfig(s3).s3Before).toBe(null)
    expect(complaints({ FILES_IN: 's3' })).toEqual(['S3_BUCKET is required with FILES_IN=s3'])
    expect(complaints({ FILES_IN: 'bucket' })).toEqual(['FILES_IN takes disk or s3'])
  })

  it('is configured whole or not at all', () => {
    expect(complaints({ ...s3, S3_REGION: '' })).toEqual(['S3_REGION is required with S3_BUCKET'])
    expect(complaints({ S3_ENDPOINT: 'http://minio.test:9000' })).toHaveLength(4)
  })
})

const root = new URL('../../../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')

describe('every variable', () => {
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

  it('stands in the table of the README, and no other does', () => {
    const table = /\| variable \| default \| \|\n(.*?)\n\n/s.exec(text('README.md'))![1]!
    const named = table.split('\n').flatMap(row => row.split('|')[1]!.match(/[A-Z][A-Z0-9_]+/g) ?? [])
    expect(sorted(named)).toEqual(sorted(variables()))
  })

  it('is passed on by compose.yaml or set by it, by a service or by the image', () => {
    const block = /x-environment: &environment\n(.*?)\nservices:/s.exec(text('compose.yaml'))![1]!
    const passed = Array.from(block.matchAll(/^ {2}([A-Z0-9_]+):/gm), ([, name]) => name!)
    const image = /^ENV (.*)$/m.exec(text('Dockerfile'))![1]!.match(/[A-Z_]+(?==)/g)!
    // DATABASE_URL and REDIS_URL lead to the services of the file
    const files = SECRETS.filter(name => !['DATABASE_URL', 'REDIS_URL'].includes(name)).map(
      name => `${name}_FILE`,
    )
    expect(sorted([...passed, 'ROLES', ...image])).toEqual(sorted([...variables(), ...files]))
  })

  it('that compose.yaml cannot do without is asked for by the README, and it asks for no other', () => {
    const compose = text('compose.yaml')
    const asked = /```\n(SITE=.*?)```/s.exec(text('README.md'))![1]!.match(/^[A-Z0-9_]+/gm)!
    const required = Array.from(compose.matchAll(/\$\{([A-Z0-9_]+):\?/g), ([, name]) => name!)
    const taken = Array.from(compose.matchAll(/\$\{([A-Z0-9_]+):/g), ([, name]) => name!)
    expect(required.filter(name => !asked.includes(name))).toEqual([])
    expect(asked.filter(name => !taken.includes(name))).toEqual([])
  })
})

test('the unit for systemd starts what the image starts, with variables that exist, and lets a stop end by itself', () => {
  const unit = text('deploy/balcao.service')
  const settings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(
    ([, all]) => all!.match(/[A-Z_]+(?==)/g)!,
  )
  expect(settings.filter(name => !variables().includes(name))).toEqual([])
  const command = (JSON.parse(/^CMD (.*)$/m.exec(text('Dockerfile'))![1]!) as string[]).slice(1).join(' ')
  expect(unit).toMatch(new RegExp(`^ExecStart=/\\S+/node ${command}$`, 'm'))
  expect(unit).toMatch(/^KillMode=mixed$/m)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(30)
})

test('the version of the product is the topmost of the changelog', () => {
  const versionOf = (path: string) => (JSON.parse(text(path)) as { version: string }).version
  const topmost = /^## (\S+)/m.exec(text('CHANGELOG.md'))![1]
  expect([VERSION, versionOf('package.json'), versionOf('package-lock.json')]).toEqual([
    topmost,
    topmost,
    topmost,
  ])
})

describe('every command', () => {
  it('of the documents is one of package.json, and the README says each', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
    const said = (path: string) =>
      Array.from(
        text(path).matchAll(/\bnpm (?:run ([a-z:]+)|(start|test)\b)/g),
        ([, one, other]) => one ?? other!,
      )
    expect(new Set(said('README.md'))).toEqual(new Set(Object.keys(scripts)))
    for (const path of ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'STYLE.md', 'docs/operating.md'])
      expect(said(path).filter(name => !(name in scripts))).toEqual([])
  })
})
