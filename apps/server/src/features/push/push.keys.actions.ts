import type { Secrets } from '../../platform/access/secrets.ts'
import { type HasMemory, perProduct } from '../../platform/memory.ts'
import type { PlatformScope, Scopes } from '../../platform/scope.ts'
import { newVapidKeys, type VapidKeys } from './push.client.ts'
import { keepKeys, OF_INSTALLATION, sealedKeys } from './push.queries.ts'

/** Opened once in each product; null until then. */
const opened = perProduct((): { keys: VapidKeys | null } => ({ keys: null }))

/** The public key; the pair is made with the first call of the installation. */
export const publicKeyOf = async (platform: PlatformScope, secrets: Secrets): Promise<string> =>
  (await keysOf(platform, platform, secrets)).publicKey

/** Before what is due is looked at: a company's transaction does not see them. */
export const openKeys = async (tools: HasMemory & { scopes: Scopes; secrets: Secrets }): Promise<void> =>
  void (await keysOf(tools, tools.scopes.platform(), tools.secrets))

/** Null until they are opened. */
export const openedKeys = (from: HasMemory): VapidKeys | null => opened(from).keys

async function keysOf(from: HasMemory, platform: PlatformScope, secrets: Secrets): Promise<VapidKeys> {
  const known = opened(from)
  known.keys ??= (await read(platform, secrets)) ?? (await make(platform, secrets))
  return known.keys
}

async function make(platform: PlatformScope, secrets: Secrets): Promise<VapidKeys> {
  const { publicKey, privateKey } = await newVapidKeys()
  const sealed = { publicKey, privateKey: secrets.seal(OF_INSTALLATION, privateKey) }
  await platform.transaction(sql => keepKeys(sql, sealed))
  return (await read(platform, secrets))!
}

async function read(platform: PlatformScope, secrets: Secrets): Promise<VapidKeys | null> {
  const row = await platform.transaction(sealedKeys)
  return row && { publicKey: row.publicKey, privateKey: secrets.open(OF_INSTALLATION, row.privateKey) }
}
