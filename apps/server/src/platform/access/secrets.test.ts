import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccess } from './access.ts'
import { readLink, signedId } from './links.ts'
import { openSecrets, type Secrets } from './secrets.ts'

const jwtSecret = '9f2c51e07ad84b36c1f5a9e3d7b0428e'
const fresh = async () => false
const none = { jwtSecretOld: null, keepSessions: false }
const opened = (given: string = jwtSecret, others: { jwtSecretOld?: string; keepSessions?: boolean } = {}) =>
  openSecrets({ ...none, ...others, jwtSecret: given, dataDir: '/nowhere' }, fresh)

describe('sealed values', () => {
  let secrets: Secrets
  beforeAll(async () => {
    secrets = await opened()
  })

  it('come back as they were, texts and bytes alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => secrets.open(7, secrets.seal(7, text)) === text),
    )
    fc.assert(
      fc.property(fc.uint8Array(), bytes => secrets.openBytes(7, secrets.seal(7, bytes)).equals(bytes)),
    )
  })

  it('do not show what they hold, and never look the same twice', () => {
    const first = secrets.seal(7, 'chave da conexão')
    expect(Buffer.from(first.slice(3), 'base64').toString()).not.toContain('chave')
    expect(secrets.seal(7, 'chave da conexão')).not.toBe(first)
  })

  it('are read after a restart with the same secret, and not with another', async () => {
    const sealed = secrets.seal(7, 'chave')
    expect((await opened()).open(7, sealed)).toBe('chave')
    const stranger = await opened('0e1d2c3b4a59687f8e9dacbb0e1d2c3b')
    expect(() => stranger.open(7, sealed)).toThrow('not sealed here for this company')
  })

  it('of another company, changed, cut or made up give one and the same error', () => {
    const sealed = secrets.seal(7, 'chave')
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    const wrong = [secrets.seal(8, 'chave'), '', 'v1.', 'chave', sealed.slice(3), `v2.${sealed.slice(3)}`]
    for (let length = 0; length < bytes.length; length++)
      wrong.push(`v1.${bytes.subarray(0, length).toString('base64')}`)
    for (let at = 0; at < bytes.length; at++)
      wrong.push(`v1.${Buffer.from(bytes.with(at, bytes[at]! ^ 1)).toString('base64')}`)
    for (const one of wrong)
      expect(() => secrets.open(7, one)).toThrow(new Error('not sealed here for this company'))
  })
})

describe('a secret that replaces another', () => {
  const fresher = '0e1d2c3b4a59687f8e9dacbb0e1d2c3b'

  it('opens what the one before sealed, seals by itself, and names which of them it was', async () => {
    const [before, after] = [await opened(), await opened(fresher, { jwtSecretOld: jwtSecret })]
    const [old, now] = [before.seal(7, 'chave'), after.seal(7, 'chave')]
    expect([after.open(7, old), after.open(7, now)]).toEqual(['chave', 'chave'])
    expect([old, now].map(sealed => after.keyIdOf(7, sealed))).toEqual([before.keyId, after.keyId])
    expect(() => before.open(7, now)).toThrow('not sealed here for this company')
    expect(() => after.open(8, old)).toThrow('not sealed here for this company')
    expect(after.keyIdOf(8, old)).toBeNull()
  })

  it('ends what the one before signed, unless sessions are kept', async () => {
    const before = await opened()
    const link = { purpose: 'reset', id: '9f2c51e0-7ad8-4b36-81f5-a9e3d7b0428e' } as const
    const signed = signedId(before.links, link)
    const read = async (keepSessions: boolean) =>
      readLink((await opened(fresher, { jwtSecretOld: jwtSecret, keepSessions })).links, 'reset', signed)
    expect([await read(false), await read(true)]).toEqual([null, link.id])
    const claims = { userId: 1, companyId: 1, sessionId: 'x' }
    const token = await openAccess(before.jwt, async () => []).sign(claims)
    const enter = async (keepSessions: boolean) => {
      const { jwt } = await opened(fresher, { jwtSecretOld: jwtSecret, keepSessions })
      return openAccess(jwt, async asked => asked.map(() => ({ id: 1 }) as Viewer)).enter(token)
    }
    await expect(enter(false)).rejects.toMatchObject({ code: 'ERR_NO_SESSION' })
    expect((await enter(true)).claims).toEqual(claims)
  })
})

describe('without JWT_SECRET', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'balcao-secrets-')), 'data')
  })
  afterAll(() => rm(join(dataDir, '..'), { recursive: true }))

  it('one is made at the first start, readable by its owner alone, and kept', async () => {
    const first = await openSecrets({ ...none, jwtSecret: null, dataDir }, fresh)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(dataDir, 'secret'))).length).toBeGreaterThanOrEqual(32)
    expect(await readdir(dataDir)).toEqual(['secret'])

    const second = await openSecrets({ ...none, jwtSecret: null, dataDir }, async () => true)
    expect(second.jwt).toEqual(first.jwt)
    expect(second.open(1, first.seal(1, 'chave'))).toBe('chave')
  })

  it('none is made beside a database that holds companies: the start is refused in one line', async () => {
    const elsewhere = join(dataDir, 'elsewhere')
    const starting = openSecrets({ ...none, jwtSecret: null, dataDir: elsewhere }, async () => true)
    await expect(starting).rejects.toThrow(
      /^DATA_DIR .*elsewhere .* its secret is gone: .*Nothing was changed\. .*$/,
    )
    await expect(stat(elsewhere)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('a kept secret that was emptied stops the start instead of being used', async () => {
    await writeFile(join(dataDir, 'secret'), '')
    await expect(openSecrets({ ...none, jwtSecret: null, dataDir }, fresh)).rejects.toThrow(
      `DATA_DIR ${dataDir} holds a secret of less than 32 bytes`,
    )
  })
})
